import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { messengers } from '../../adapters/index.ts'
import { ConfigError } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import type { Messenger } from '../../src/messenger/messenger.ts'
import { textDigestOf } from '../../src/model/canonical-json.ts'
import { openRuntime, type Runtime } from '../../src/runtime.ts'
import { readStart } from '../../src/sealed-start.ts'
import { textOfView } from '../../src/view/text.ts'
import { textOf } from '../harness/app.ts'
import { newFolder } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'
import { eachEngine, openTestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'

const registry = commandsWith()

const keysIn = (folder: string) => {
  const names = ['ada', 'ben', 'cleo', 'mallory']
  for (const name of names)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  const line = (name: string) => readFileSync(join(folder, `${name}.pub`), 'utf8').trim()
  const seal = (named: readonly string[], count = 2) =>
    `seal: { count: ${count}, keys: [${named.map((name) => `{ name: ${name}, key: "${line(name)}" }`).join(', ')}] }`
  return { seal }
}

const policyWith = (seal: string, limit = 200) =>
  [
    'version: 1',
    'people:',
    '  - { id: p1, name: One, roles: [all] }',
    '  - { id: p2, name: Two, roles: [all] }',
    'roles: { all: { run: ["*"], approve: ["*"] } }',
    'administrators: [p1, p2]',
    `budgets: [{ name: a day, commands: [refund], per: requester, window: 24h, limit: ${limit}, then: { approvals: 1, from: [all] } }]`,
    seal,
    '',
  ].join('\n')

eachEngine('a sealed policy', (engine) => {
  const open = async () => {
    const told: { account: string; title: string; why: string }[] = []
    const messenger: Messenger = {
      platform: 'console',
      post: async () => 'posted',
      edit: async () => undefined,
      direct: async (account, view) => {
        told.push({ account, title: view.title, why: textOfView(view) })
        return 'told'
      },
    }
    const folder = newFolder()
    const { url, dataDir, close } = await openTestDatabase(engine)
    whenDone(close)
    const file = join(folder, 'bellhop.yml')
    const env = {
      BELLHOP_CONFIG: file,
      DATA_DIR: dataDir ?? folder,
      ...(url === undefined ? {} : { DATABASE_URL: url }),
      MCP: 'off',
    }
    const write = (text: string, ...signers: string[]) => {
      writeFileSync(file, text)
      rmSync(`${file}.sig`, { force: true })
      const signatures = signers.map((name) =>
        execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'bellhop', '-f', join(folder, name)], {
          input: text,
          stdio: ['pipe', 'pipe', 'ignore'],
        }).toString(),
      )
      if (signers.length > 0) writeFileSync(`${file}.sig`, signatures.join(''))
    }
    const start = async (): Promise<Runtime> => {
      const read = await readStart(env, registry.all, messengers)
      const runtime = await openRuntime(read, { registry, log: createLog('silent') })
      whenDone(() => runtime.close(100))
      runtime.app.join(messenger)
      await runtime.app.start()
      return runtime
    }
    return { ...keysIn(folder), file, env, told, write, start }
  }
  const inForce = ({ app }: Runtime) => app.core.policy.digest
  const say = (runtime: Runtime, line: string) =>
    runtime.app.handle({
      delivery: crypto.randomUUID(),
      from: { platform: 'terminal', account: 'p1', name: 'One', groups: [] },
      place: { channel: null, handle: null, direct: true },
      forms: false,
      intent: { kind: 'line', line },
    })

  it('the first sealed file needs its own signatures, and a start without them is refused', async () => {
    const { seal, write, start } = await open()
    const text = policyWith(seal(['ada', 'ben', 'cleo']))
    for (const signers of [[], ['ada'], ['ada', 'ada'], ['ada', 'mallory']]) {
      write(text, ...signers)
      await expect(start()).rejects.toThrow(
        /is not sealed: it needs signatures by 2 of the keys ada, ben, cleo, and /,
      )
      await expect(start()).rejects.toBeInstanceOf(ConfigError)
    }
    write(text, 'ada', 'cleo')
    const runtime = await start()
    expect(inForce(runtime)).toBe(textDigestOf(text))
    const [entry] = await runtime.store.audit.find({ command: 'policy reload', limit: 1 })
    expect(entry?.doc).toMatchObject({ sealedBy: ['ada', 'cleo'] })
  })

  it('a file with one signature is refused at start, on SIGHUP and by policy reload, and administrators are told', async () => {
    const { seal, file, told, write, start } = await open()
    const sealed = policyWith(seal(['ada', 'ben', 'cleo']))
    write(sealed, 'ada', 'ben')
    const first = await start()
    const looser = policyWith('', 9_000)
    for (const signers of [[], ['ada'], ['ada', 'mallory']]) {
      write(looser, ...signers)
      // SIGHUP calls this.
      expect(await first.app.reload()).toMatchObject({
        ok: false,
        problems: [expect.stringContaining('is not sealed')],
      })
      expect(textOf(await say(first, 'policy reload'))).toContain(`${file} is not sealed`)
      expect(inForce(first)).toBe(textDigestOf(sealed))
    }
    await first.close(100)
    const again = await start()
    expect(inForce(again)).toBe(textDigestOf(sealed))
    expect(again.config.refused).toContain('only ada signed it')
    await again.app.drain()
    const refused = told.filter(({ title }) => title === 'A policy file was refused: it is not sealed')
    // Both of them, of each reason, once.
    expect(refused.map(({ account, why }) => `${account}: ${why}`).toSorted()).toEqual([
      expect.stringMatching(/^p1: [\s\S]* none of them is there/),
      expect.stringMatching(/^p1: [\s\S]* only ada signed it/),
      expect.stringMatching(/^p2: [\s\S]* none of them is there/),
      expect.stringMatching(/^p2: [\s\S]* only ada signed it/),
    ])
    // Enough of the keys in force: it comes in, and is the last that needed them.
    write(looser, 'cleo', 'ben')
    expect(textOf(await say(again, 'policy reload'))).toMatch(/Sealed by +ben, cleo\n/)
    expect(await again.app.reload()).toMatchObject({ ok: true })
    write(policyWith('', 10), 'mallory')
    expect(await again.app.reload()).toMatchObject({ ok: true })
  })

  it('the keys of the policy in force decide about the next one, not those that it names itself', async () => {
    const { seal, write, start } = await open()
    write(policyWith(seal(['ada', 'ben'])), 'ada', 'ben')
    const runtime = await start()
    const next = policyWith(seal(['mallory'], 1))
    write(next, 'mallory')
    expect(await runtime.app.reload()).toMatchObject({ ok: false })
    write(next, 'ada', 'ben')
    expect(await runtime.app.reload()).toMatchObject({ ok: true })
    write(policyWith(''), 'ada', 'ben')
    expect(await runtime.app.reload()).toMatchObject({ ok: false })
  })

  it('a version that was in force before does not come back with the signatures that it had', async () => {
    const { seal, write, start } = await open()
    const first = policyWith(seal(['ada', 'ben']), 9_000)
    write(first, 'ada', 'ben')
    const runtime = await start()
    const second = policyWith(seal(['ada', 'ben']), 50)
    write(second, 'ada', 'ben')
    expect(await runtime.app.reload()).toMatchObject({ ok: true })
    write(first, 'ada', 'ben')
    expect(await runtime.app.reload()).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('it was in force before')],
    })
    await runtime.close(100)
    const again = await start()
    expect([inForce(again), again.config.refused]).toEqual([
      textDigestOf(second),
      expect.stringContaining('it was in force before'),
    ])
    write(`${first}# 2026-11-17\n`, 'ada', 'ben')
    expect(await again.app.reload()).toMatchObject({ ok: true })
  })

  it('a file that is broken, gone or names agents of its own changes nothing at a start', async () => {
    const { seal, file, env, write, start } = await open()
    const sealed = policyWith(seal(['ada', 'ben']))
    write(sealed, 'ada', 'ben')
    await (await start()).close(100)
    writeFileSync(file, 'version: 7')
    const broken = await start()
    expect([inForce(broken), broken.config.refused]).toEqual([
      textDigestOf(sealed),
      expect.stringContaining('The policy file is refused'),
    ])
    await broken.close(100)
    rmSync(file)
    const gone = await start()
    expect(inForce(gone)).toBe(textDigestOf(sealed))
    await gone.close(100)
    Object.assign(env, { MCP: 'on', OPEN: 'x'.repeat(40) })
    write(`${policyWith('')}agents: [{ id: a1, name: A, owner: p1, token: { env: OPEN } }]\n`)
    const other = await start()
    expect(other.config.messengers.mcp).toMatchObject({ agents: [] })
  })
})
