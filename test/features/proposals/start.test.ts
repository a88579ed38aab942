import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { messengers } from '../../../adapters/index.ts'
import { checkSealed } from '../../../src/cli/doctor/seal.ts'
import { readConfig } from '../../../src/cli/start/config.ts'
import { openRuntime } from '../../../src/cli/start/runtime.ts'
import { readStart } from '../../../src/cli/start/sealed-start.ts'
import { proposals } from '../../../src/features/proposals/index.ts'
import { textDigestOf } from '../../../src/lib/codecs/canonical-json.ts'
import { createLog } from '../../../src/lib/log.ts'
import { newFolder } from '../../harness/bot-process.ts'
import { commandsWith } from '../../harness/commands.ts'
import { whenDone } from '../../harness/when-done.ts'

const registry = commandsWith()
const text = `version: 1
people: [{ id: p1, name: One, roles: [all] }, { id: p2, name: Two, roles: [all] }]
roles: { all: { run: ["*"], approve: ["*"] } } # both
`

it('a start goes on with what was approved, says so, and takes in a file that was changed since', async () => {
  const folder = newFolder()
  const file = join(folder, 'bellhop.yml')
  const env = { BELLHOP_CONFIG: file, DATA_DIR: folder, MCP: 'off' }
  const write = (given: string) => writeFileSync(file, given)
  const start = async () => {
    const read = await readStart(env, registry.all, messengers)
    const runtime = await openRuntime(read, { registry, log: createLog('silent') })
    whenDone(() => runtime.close(100))
    await runtime.app.start()
    const { config, app } = runtime
    const policy = app.core.policy.digest
    return { ...runtime, policy, refused: config.refused, warnings: config.warnings().join('\n') }
  }
  const look = () => checkSealed(readConfig(env, registry.all, messengers))

  write(text)
  const first = await start()
  expect([first.policy, first.refused, await look()]).toEqual([textDigestOf(text), undefined, []])
  const { core } = first.app
  const by = { person: 'p1', name: 'One', platform: 'terminal', account: 'p1', roles: ['all'] }
  const edits = 'zone = UTC'
  const proposed = `${text}zone: UTC\n`
  const put = proposals.acts?.(core, { id: 'ch1', requester: by, votes: [] } as never)
  const approved = { edits, follows: textDigestOf(text), digest: textDigestOf(proposed), signatures: [] }
  expect(await put?.put(approved)).toEqual({ state: 'in force' })
  expect(await put?.put(approved)).toEqual({ state: 'in force' })
  expect(await put?.put({ ...approved, digest: 'another' })).toMatchObject({ state: 'refused' })
  await first.close(100)

  const [behind] = await look()
  expect(behind).toMatchObject({
    ok: false,
    about: 'policy',
    words: expect.stringMatching(/older than version 2.*Zone is new: UTC\./),
  })
  const second = await start()
  expect([second.policy, second.refused]).toEqual([textDigestOf(proposed), behind?.words])
  await second.close(100)

  write(`${text}unseen: pass\n`)
  expect((await look())[0]?.words).toMatch(/was changed, so it is newer than version 2.*lacks: /)
  const third = await start()
  expect([third.policy, third.refused]).toEqual([textDigestOf(`${text}unseen: pass\n`), undefined])
  expect(third.warnings).toMatch(/newer than version 2/)
  await third.close(100)
  expect(await look()).toEqual([])
})
