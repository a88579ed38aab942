import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { messengers } from '../../adapters/index.ts'
import { createCommands } from '../../commands/index.ts'
import { pinPacks } from '../../src/cli/packs/lock.ts'
import { ConfigError } from '../../src/cli/start/config.ts'
import { loadCommands } from '../../src/cli/start/load-commands.ts'
import { openRuntime, type Runtime } from '../../src/cli/start/runtime.ts'
import { readStart } from '../../src/cli/start/sealed-start.ts'
import type { Messenger } from '../../src/kernel/messenger/messenger.ts'
import { following } from '../../src/kernel/policy/file/seal.ts'
import { textDigestOf } from '../../src/lib/codecs/canonical-json.ts'
import { createLog } from '../../src/lib/log.ts'
import { textOfView } from '../../src/lib/view/text.ts'
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

/** A pack that leaves a mark when it runs. */
const evilPack = (mark: string) => `
import { writeFileSync } from 'node:fs'
import { answer, definePack, defineQuery, defineSandbox, z } from 'bellhop/pack'
writeFileSync(${JSON.stringify(mark)}, '')
export const pack = definePack({
  name: 'evil', title: 'Evil', surface: 1, auth: 'bearer',
  environment: { baseUrl: 'EVIL_BASE_URL', keys: { apiKey: 'EVIL_API_KEY' } },
  rows: { getIt: { method: 'GET', path: '/it/{id}', noun: 'it', effect: 'read', shown: true,
    summary: 'Get it', params: z.object({ id: z.string() }), answer: z.looseObject({}) } },
  commands: [defineQuery({ name: 'evil get', summary: 'Show it', area: 'evil',
    input: z.object({ id: z.string().describe('It') }), positional: ['id'], examples: ['evil get p1'],
    uses: ['evil.getIt'], run: async () => answer({ title: 'It', tone: 'plain', blocks: [] }) })],
  sandbox: async () => defineSandbox({ seed: () => ({}), handlers: { getIt: () => ({ body: {} }) } }),
})
`

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
  /** The text of a version that is to come after the one in force. */
  const after = (runtime: Runtime, text: string) => following(text, inForce(runtime))
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
    const refused = told.filter(({ title }) => title === 'The policy file is not in force')
    // Both of them, of each reason, once.
    expect(refused.map(({ account, why }) => `${account}: ${why}`).toSorted()).toEqual([
      expect.stringMatching(/^p1: [\s\S]* none of them is there/),
      expect.stringMatching(/^p1: [\s\S]* only ada signed it/),
      expect.stringMatching(/^p2: [\s\S]* none of them is there/),
      expect.stringMatching(/^p2: [\s\S]* only ada signed it/),
    ])
    // Enough of the keys in force: it comes in, and is the last that needed them.
    write(after(again, looser), 'cleo', 'ben')
    expect(textOf(await say(again, 'policy reload'))).toMatch(/Sealed by +ben, cleo\n/)
    expect(await again.app.reload()).toMatchObject({ ok: true })
    write(policyWith('', 10), 'mallory')
    expect(await again.app.reload()).toMatchObject({ ok: true })
  })

  it('the keys of the policy in force decide about the next one, not those that it names itself', async () => {
    const { seal, write, start } = await open()
    write(policyWith(seal(['ada', 'ben'])), 'ada', 'ben')
    const runtime = await start()
    const next = after(runtime, policyWith(seal(['mallory'], 1)))
    write(next, 'mallory')
    expect(await runtime.app.reload()).toMatchObject({ ok: false })
    write(next, 'ada', 'ben')
    expect(await runtime.app.reload()).toMatchObject({ ok: true })
    write(after(runtime, policyWith('')), 'ada', 'ben')
    expect(await runtime.app.reload()).toMatchObject({ ok: false })
  })

  it('a version that was in force before does not come back with the signatures that it had', async () => {
    const { seal, write, start } = await open()
    const first = policyWith(seal(['ada', 'ben']), 9_000)
    write(first, 'ada', 'ben')
    const runtime = await start()
    const second = after(runtime, policyWith(seal(['ada', 'ben']), 50))
    write(second, 'ada', 'ben')
    expect(await runtime.app.reload()).toMatchObject({ ok: true })
    write(first, 'ada', 'ben')
    expect(await runtime.app.reload()).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('it does not say which version it follows')],
    })
    await runtime.close(100)
    const again = await start()
    expect([inForce(again), again.config.refused]).toEqual([
      textDigestOf(second),
      expect.stringContaining('it does not say which version it follows'),
    ])
    write(after(again, first), 'ada', 'ben')
    expect(await again.app.reload()).toMatchObject({ ok: true })
  })

  it('a draft that was signed and withdrawn never comes into force later, however it is brought in', async () => {
    const { seal, write, start } = await open()
    const named = seal(['ada', 'ben'])
    write(policyWith(named), 'ada', 'ben')
    let runtime = await start()
    const draft = after(runtime, policyWith(named, 9_000))
    // The draft is signed, and another version comes into force in its place.
    for (const limit of [50, 60]) {
      write(after(runtime, policyWith(named, limit)), 'ada', 'ben')
      expect(await runtime.app.reload()).toMatchObject({ ok: true })
      const before = inForce(runtime)
      write(draft, 'ada', 'ben')
      expect(await runtime.app.reload()).toMatchObject({
        ok: false,
        problems: [expect.stringMatching(/it follows [0-9a-f]{64}, and [0-9a-f]{64} is in force\. Write/)],
      })
      expect(textOf(await say(runtime, 'policy reload'))).toContain('is in force. Write follows: "')
      await runtime.close(100)
      runtime = await start()
      expect([inForce(runtime), runtime.config.refused]).toEqual([before, expect.stringContaining('follows')])
    }
  })

  it('a file that may not come into force runs no pack, whatever it, packs.lock and its own seal say', async () => {
    const { seal, file, env, write, start } = await open()
    const folder = dirname(file)
    const ran = join(folder, 'ran')
    // What starts after this has no such service.
    whenDone(() => void createCommands())
    const load = () =>
      loadCommands(messengers, env).then(
        ({ all }) => all.map(({ name }) => name),
        (error: Error) => error.message,
      )
    mkdirSync(join(folder, 'evil'))
    writeFileSync(join(folder, 'evil', 'index.js'), evilPack(ran))
    const packs = 'packs: [./evil]\n'
    // A first file with a seal that nobody signed.
    write(`${policyWith(seal(['mallory'], 1))}${packs}`)
    expect(await load()).not.toContain('evil get')
    const own = policyWith(seal(['ada', 'ben']))
    write(own, 'ada', 'ben')
    await (await start()).close(100)
    for (const [text, ...signers] of [
      [`${policyWith('')}${packs}`],
      [`${policyWith(seal(['mallory'], 1))}${packs}`, 'mallory'],
      [`${policyWith(seal(['ada', 'ben']))}${packs}`, 'ada'],
      [`version: 7\n${packs}`],
    ] as const) {
      write(text, ...signers)
      pinPacks(env)
      expect(await load()).not.toContain('evil get')
    }
    // Signed, but with a pin that nobody signed.
    const unpinned = following(`${own}${packs}`, textDigestOf(own))
    write(policyWith(''))
    writeFileSync(file, `version: 1\n${packs}`)
    pinPacks(env)
    write(unpinned, 'ada', 'ben')
    expect(await load()).toMatch(/has no pin in the sealed policy, so nothing of it was run/)
    expect(existsSync(ran)).toBe(false)
    // With its pin it runs; with another one it does not.
    const { lines } = pinPacks(env)
    const pinned = following(`${own}${lines.join('\n')}\n`, textDigestOf(own))
    const other = pinned.replace(/sha256-(.)/, (_, digit: string) => `sha256-${digit === '0' ? '1' : '0'}`)
    write(other, 'ada', 'ben')
    expect(await load()).toMatch(/has changed since it was pinned/)
    expect(existsSync(ran)).toBe(false)
    write(pinned, 'ada', 'ben')
    expect(await load()).toContain('evil get')
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
