import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { messengers } from '../../adapters/index.ts'
import { readConfig } from '../../src/cli/start/config.ts'
import { openRuntime } from '../../src/cli/start/runtime.ts'
import { createLog } from '../../src/lib/log.ts'
import { textOf } from '../harness/app.ts'
import {
  entry,
  newFolder,
  refusedStart,
  startBot,
  startProcess,
  stopProcess,
} from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'
import { openTestDatabase } from '../harness/database.ts'
import { runTool } from '../harness/tool.ts'

/** What `audit verify` says to a process that is configured like this, and the code that the terminal ends with. */
const verify = async (env: Record<string, string>) => {
  const registry = commandsWith()
  const runtime = await openRuntime(readConfig(env, registry.all, messengers), {
    registry,
    log: createLog('silent'),
    tasks: false,
  })
  try {
    await runtime.app.start()
    const reply = await runtime.app.handle({
      delivery: crypto.randomUUID(),
      from: { platform: 'terminal', account: 'p-finance', name: 'p-finance', groups: [] },
      place: { channel: null, handle: null, direct: true },
      forms: false,
      intent: { kind: 'line', line: 'audit verify' },
    })
    return { code: reply.kind === 'answer' ? (reply.exitCode ?? 0) : undefined, words: textOf(reply) }
  } finally {
    await runtime.close()
  }
}

describe.skipIf(inject('postgres') === null)('on PostgreSQL', () => {
  test('two replicas that start together on an empty database are both ready, and know the same', async () => {
    const { url = '', close } = await openTestDatabase('postgres', { empty: true })
    onTestFinished(close)
    const env = { DATABASE_URL: url, DATA_DIR: newFolder() }
    const replicas = await Promise.all([startBot(env), startBot(env)])
    const asked = startProcess({
      args: entry('src/cli/say.ts', 'refund pay_1001 120 --customer cus_1001'),
      env,
    })
    expect((await asked.ended).code).toBe(3)
    for (const { base, out } of replicas) {
      expect(out()).toMatch(/Database +PostgreSQL at /)
      expect(await (await fetch(`${base}/readyz`)).json()).toMatchObject({ status: 'ready' })
      expect(await (await fetch(`${base}/metrics`)).text()).toContain('bellhop_changes{state="pending"} 1')
    }
    const stopped = await Promise.all(replicas.map((replica) => stopProcess(replica)))
    expect(stopped.map(({ code }) => code)).toEqual([0, 0])
    expect(replicas.map(({ err }) => err())).toEqual(['', ''])
  })

  test('replicas with a folder each share one key: without it the second is refused, and the log stays whole', async () => {
    const { url = '', db, close } = await openTestDatabase('postgres', { empty: true })
    onTestFinished(close)
    const pems = [1, 2].map(() =>
      generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    )
    const oneLine = (...keys: string[]) => keys.join('').replaceAll('\n', '\\n')
    const at = (DATA_DIR: string, AUDIT_KEY?: string) => ({
      DATABASE_URL: url,
      DATA_DIR,
      ...(AUDIT_KEY === undefined ? {} : { AUDIT_KEY }),
    })
    const runs = async ([tool = '', ...args]: string[], env: Record<string, string>) => {
      const { code, out, err } = await runTool(tool, args, { env })
      return { code, words: out + err }
    }
    const keysOnRecord = async () =>
      (
        await db.all(
          z.object({ n: z.coerce.number() }),
          "SELECT COUNT(*) AS n FROM audit_log WHERE kind = 'log signed by'",
        )
      )[0]?.n
    const [first, second] = [newFolder(), newFolder()]

    const one = await startBot(at(first))
    const { code, lines } = await refusedStart({ ...at(second), CONSOLE: 'off', PORT: '0' })
    expect(code).toBe(1)
    expect(lines.join('\n')).toMatch(
      /^The audit log in this database is signed by the key bellhop\/\S+, and there is none in \S+audit-key\.pem\. Nothing was started\..*npm run audit -- rotate/,
    )
    expect(existsSync(join(second, 'audit-key.pem'))).toBe(false)
    expect(await verify(at(first))).toMatchObject({ code: 0 })
    // Somebody who only looks something up needs no key.
    expect(await verify(at(second))).toMatchObject({ code: 0 })
    expect(await keysOnRecord()).toBe(1)

    const [own = '', next = ''] = pems
    const rotated = await runs(
      ['audit', 'rotate', '--as', 'p-finance', '--reason', 'moved to AUDIT_KEY', '--without-old-key'],
      at(second, oneLine(own)),
    )
    expect(rotated).toMatchObject({ code: 0, words: expect.stringContaining('is signed by bellhop/') })
    await stopProcess(one)
    const both = oneLine(own, next)
    const replicas = await Promise.all([startBot(at(first, both)), startBot(at(second, both))])
    const again = ['audit', 'rotate', '--as', 'p-finance', '--reason', 'every year']
    expect(await runs(again, at(second, both))).toMatchObject({ code: 0 })
    expect(await runs(again, at(second, both))).toMatchObject({
      code: 2,
      words: expect.stringContaining('There is no new key in AUDIT_KEY'),
    })
    const asked = await runs(['say', 'refund pay_1001 120 --customer cus_1001'], at(first, both))
    expect(asked.code).toBe(3)
    for (const folder of [first, second]) expect(await verify(at(folder, both))).toMatchObject({ code: 0 })
    expect(await keysOnRecord()).toBe(3)
    await Promise.all(replicas.map((replica) => stopProcess(replica)))

    // Somebody with the database alone empties the log, and a replica begins it anew.
    for (const table of ['audit_log', 'audit_nodes', 'audit_checkpoints'])
      await db.run(`DELETE FROM ${table}`)
    await db.run("UPDATE audit_tree SET origin = '', key = '', size = 0, frontier = '[]'")
    const after = await startBot(at(first, oneLine(next)))
    expect(await verify(at(first, oneLine(next)))).toMatchObject({
      code: 8,
      words: expect.stringContaining('The end of the audit log is missing'),
    })
    const restored = ['audit', 'restored', '--as', 'p-finance', '--reason', 'the backup of Monday']
    for (const folder of [first, second]) {
      expect(await runs(restored, at(folder, oneLine(next)))).toMatchObject({
        code: 0,
      })
      expect(await verify(at(folder, oneLine(next)))).toMatchObject({ code: 0 })
    }
    await stopProcess(after)
  })
})
