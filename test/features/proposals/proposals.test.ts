import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CompareInput, work } from '../../../src/features/replay/draft-work.ts'
import type { ThreadDeps } from '../../../src/kernel/load/in-thread.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import type { PolicyReading } from '../../../src/kernel/policy/in-force/policy-source.ts'
import { besideProposed, besideWords } from '../../../src/kernel/policy/in-force/proposed.ts'
import { textDigestOf } from '../../../src/lib/codecs/canonical-json.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { openTestApp, type TestAppOptions, textOf } from '../../harness/app.ts'
import { refusalOf } from '../../pipeline/harness.ts'

const file = `# kept by Fay
version: 1
people:
  - { id: sam, name: Sam Support, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay Finance, slack: U0FAY, roles: [finance] }
  - { id: finn, name: Finn Finance, slack: U0FINN, roles: [finance] }
roles:
  support: { run: [refund, "approval *"] } # asks
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
unseen: pass
`
const give = 'policy propose roles.support.run + "audit verify"'

/** Compares with the past here, in the place of a thread, which takes a second of the processor to begin. */
const open = async (options: TestAppOptions = {}, text = file) => {
  const opened = await openThreaded(options, text)
  const { core } = opened.app
  core.workerThread = async ({ input, answers }) => ({
    ok: true,
    value: await work(
      input as CompareInput,
      {
        registry: opened.registry,
        load: (given) => core.policySource?.load(given) as PolicyReading,
        ask: async (name, ...about) => answers?.[name]?.(...about),
      } as ThreadDeps,
    ),
  })
  return opened
}

const openThreaded = async (options: TestAppOptions = {}, text = file) => {
  const disk = { text }
  const opened = await openTestApp({ policy: text, reads: () => disk.text, ...options })
  const ask = async (line: string, person = 'fay'): Promise<Change> => {
    const reply = await opened.say(line, person)
    if (reply.kind !== 'change') throw new Error(textOf(reply))
    return reply.change
  }
  const vote = async ({ id }: Pick<Change, 'id'>, person = 'finn') => {
    const reply = await opened.press('approve', id, person)
    return reply.kind === 'change' ? reply.change : refusalOf(reply)
  }
  const inForce = async () => {
    const newest = await opened.store.policies.newest()
    return newest === undefined ? undefined : opened.store.policies.text(newest.digest)
  }
  return { ...opened, disk, ask, vote, inForce }
}

describe('a proposal', () => {
  it('is shown as a difference with what it would have decided, approved by somebody else, in force at once', async () => {
    const { app, ask, vote, inForce, say } = await openThreaded()
    await ask('refund pay_1001 20', 'sam')
    const change = await ask(give)
    const card = JSON.stringify(change.preview)
    expect(card).toContain(
      'Run of the role \\"support\\" is [refund, approval *, audit verify]; it was [refund, approval *].',
    )
    expect(card).toContain('In the last 30 days: It decides 1 request as they were decided.')
    expect(change.clauses).toEqual([expect.objectContaining({ kind: 'approvals', count: 1 })])
    expect(refusalOf(await say('audit verify', 'sam')).code).toBe('may_not_run')
    expect(await vote(change, 'fay')).toMatchObject({ code: 'own_request' })
    expect(await vote(change)).toMatchObject({ state: 'applied' })
    expect(await inForce()).toBe(file.replace('"approval *"]', '"approval *", "audit verify"]'))
    expect(app.core.policy.roles.support?.run).toContain('audit verify')
    expect(textOf(await say('audit verify', 'sam'))).not.toContain('may run audit verify')
  })

  it('is handed to those who keep the file, as a patch that makes it the same', async () => {
    const { app, ask, vote, disk, say, inForce } = await open()
    const messenger = createFakeMessenger('slack')
    app.join(messenger)
    const change = await ask(give)
    await vote(change)
    await app.drain()
    expect(messenger.shown('U0FAY').join('\n')).toContain('Write a proposal into the policy file')
    for (const line of ['policy patch', `policy patch ${change.id}`]) {
      const reply = await say(line, 'fay')
      if (reply.kind !== 'answer' || reply.file === undefined) throw new Error(textOf(reply))
      const folder = mkdtempSync(join(tmpdir(), 'bellhop-patch-'))
      writeFileSync(join(folder, 'bellhop.yml'), disk.text)
      writeFileSync(join(folder, reply.file.name), String(reply.file.content))
      execFileSync('git', ['apply', '--unsafe-paths', reply.file.name], { cwd: folder })
      expect(readFileSync(join(folder, 'bellhop.yml'), 'utf8')).toBe(await inForce())
    }
    disk.text = (await inForce()) ?? ''
    expect(refusalOf(await say('policy patch', 'fay')).code).toBe('nothing_to_change')
  })

  it('is given by its id only to those who may see it, or keep the file', async () => {
    const text = file
      .replace('roles: [support] }', 'roles: [looker] }')
      .replace('roles:\n', 'roles:\n  looker: { run: ["policy patch"] }\n')
    const { ask, say } = await open({}, text)
    const { id } = await ask(give)
    expect(refusalOf(await say(`policy patch ${id}`, 'sam')).code).toBe('bad_value')
    expect(textOf(await say(`policy patch ${id}`, 'fay'))).toContain('"audit verify"')
  })

  it('of two, the second asks again: what it would change has changed', async () => {
    const { ask, vote, inForce } = await open()
    const one = await ask(give)
    const other = await ask('policy propose roles.support.run + "policy show"')
    expect(await vote(one)).toMatchObject({ state: 'applied' })
    expect(await vote(other)).toMatchObject({ state: 'pending' })
    expect(await vote(other)).toMatchObject({ state: 'applied' })
    expect(await inForce()).toContain('"audit verify", "policy show"]')
  })

  it('of two at the same moment, one is in force and the other is not lost in silence', async () => {
    const { ask, vote, inForce, store } = await open()
    const both = await Promise.all([ask(give), ask('policy propose roles.support.run + "policy show"')])
    await Promise.all(both.map((one) => vote(one)))
    const after = await Promise.all(both.map(({ id }) => store.changes.get(id)))
    const text = (await inForce()) ?? ''
    const has = [text.includes('audit verify'), text.includes('policy show')]
    for (const [at, change] of after.entries()) {
      const said = JSON.stringify(change?.outcome ?? '')
      if (has[at] === true) expect(change?.state).toBe('applied')
      else expect(change?.state === 'pending' || said.includes('Nothing was changed')).toBe(true)
    }
    expect(has).toContain(true)
  })

  it('is refused where it cannot be meant, would be no policy, or is not theirs to make', async () => {
    const { say } = await open()
    for (const [line, code, words] of [
      ['policy propose roles.boss.run + refund', 'bad_value', /there is no "boss"/],
      ['policy propose roles.support.run + nonsense', 'bad_policy', /unknown command "nonsense"/],
      ['policy propose seal.count = 1', 'bad_value', /changed in the file alone/],
      ['policy propose features + ./evil', 'bad_value', /changed in the file alone/],
    ] as const) {
      const refused = refusalOf(await say(line, 'fay'))
      expect(refused.code).toBe(code)
      expect(`${refused.message} ${JSON.stringify(refused)}`).toMatch(words)
    }
    expect(refusalOf(await say(give, 'sam')).code).toBe('may_not_run')
    expect(refusalOf(await say('policy patch', 'sam')).code).toBe('may_not_run')
  })

  it('is asked for with one press by who is asked for a right', async () => {
    const { app, press, vote } = await open()
    const messenger = createFakeMessenger('slack')
    app.join(messenger)
    await press('ask_access', 'audit verify', 'sam')
    await app.drain()
    expect(messenger.shown('U0FAY').join('\n')).toContain('roles.support.run + "audit verify"')
    const pressed = await press('propose', 'roles.support.run + "audit verify"', 'fay')
    if (pressed.kind !== 'change') throw new Error(textOf(pressed))
    expect(await vote(pressed.change)).toMatchObject({ state: 'applied' })
    expect(app.core.policy.roles.support?.run).toContain('audit verify')
  })

  it('needs what the file asks for policy reload', async () => {
    const strict = file.replace(
      'policies:\n',
      'policies:\n  - { name: rules, commands: [policy reload], require: { approvals: 2, from: [finance, lead] } }\n',
    )
    const { ask } = await open(
      {},
      strict
        .replace('finance: {', 'lead: { approve: ["*"] }\n  finance: {')
        .replace('roles:\n', '  - { id: lee, name: Lee, slack: U0LEE, roles: [lead] }\nroles:\n'),
    )
    expect((await ask(give)).clauses).toEqual([expect.objectContaining({ count: 2 })])
  })
})

describe('where the file is sealed', () => {
  const field = (part: string | Buffer): Buffer => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(part.length)
    return Buffer.concat([size, Buffer.from(part as string)])
  }
  const key = `ssh-ed25519 ${Buffer.concat([field('ssh-ed25519'), field(Buffer.alloc(32, 7))]).toString('base64')}`
  const sealed = `${file}seal: { keys: [{ name: ada, key: "${key}" }, { name: bob, key: "${key.replace('Bwc', 'Bwd')}" }], count: 2 }\n`

  it('what was approved waits for its signatures, and names the version that it follows', async () => {
    const { store, ask, vote, inForce, say } = await open({ tasks: false }, sealed)
    const digest = textDigestOf(sealed)
    await store.policies.keep(digest, sealed, 1)
    await store.policies.add({ n: 1, digest, at: 1, who: 'fay', name: 'Fay', source: 'bellhop.yml' })
    const change = await ask(give)
    expect(JSON.stringify(change.preview)).toContain('2 signatures of ada, bob')
    const done = await vote(change)
    expect(done).toMatchObject({ state: 'applied' })
    expect(JSON.stringify(done)).toContain('not in force before it has 2 signatures of ada, bob')
    expect(await inForce()).toBe(sealed)
    const patch = textOf(await say(`policy patch ${change.id}`, 'fay'))
    expect(patch).toContain(`+follows: "${digest}"`)
    expect(patch).toContain('"audit verify"')
    expect(refusalOf(await say('policy patch', 'fay')).code).toBe('nothing_to_change')
  })
})

describe('the file and the bot', () => {
  it('disagree aloud: a file as it was is older and stays out, a file that was changed is newer', async () => {
    const { app, ask, vote, inForce, disk, store } = await open()
    await vote(await ask(give))
    const now = await inForce()
    const behind = await besideProposed(store, file)
    expect(behind && besideWords(behind)).toMatch(
      /^The policy file is older than version 2, which is in force by proposal \S+ of Fay Finance, and that stays in force\. The file lacks: Run of the role "support" is/,
    )
    expect(await app.reload()).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('is older than version 2')],
    })
    expect(await inForce()).toBe(now)
    disk.text = `${file}zone: Europe/Berlin\n`
    const ahead = await besideProposed(store, disk.text)
    expect(ahead && besideWords(ahead)).toMatch(
      /was changed, so it is newer than version 2.*a start takes the file in\./,
    )
    expect(await app.reload()).toMatchObject({ ok: true })
    expect(await inForce()).toBe(disk.text)
    expect(await besideProposed(store, file)).toBeUndefined()
  })

  it('agree once the file has what was proposed', async () => {
    const { ask, vote, inForce, store } = await open()
    await vote(await ask(give))
    expect(await besideProposed(store, (await inForce()) ?? '')).toBeUndefined()
  })

  it('a reload that takes a proposal back says so on its card', async () => {
    const { ask, vote } = await open()
    await vote(await ask(give))
    expect(JSON.stringify((await ask('policy reload')).preview)).toMatch(
      /This takes back what proposal \S+ of Fay Finance brought/,
    )
  })
})
