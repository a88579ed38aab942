import { expect, it } from 'vitest'
import { textOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { openHarness, refusalOf } from '../pipeline/harness.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: kit, name: Kit, slack: U0KIT, roles: [keeper] }
roles:
  support: { run: ["list *"] }
  keeper: { run: ["policy *"], approve: ["policy *"] }
everyone: { run: ["bellhop *"] }
`

eachEngine('sessions in the console', (engine) => {
  const open = async () => {
    let file = policy
    const harness = await openHarness({ engine, policy, reads: () => file })
    const at = Date.now()
    const add = async (person: string, id: string, kind: 'link' | 'session') => {
      const about = { at, endsAt: at + 3_600_000 }
      await harness.store.sessions.offer({ id, digest: `link ${id}`, person, via: 'slack', ...about })
      if (kind === 'session') await harness.store.sessions.use(`link ${id}`, { ...about, digest: id })
    }
    await add('sam', 'one', 'session')
    await add('sam', 'two', 'session')
    await add('sam', 'three', 'link')
    await add('kit', 'four', 'session')
    const edit = (text: string) => {
      file = text
    }
    return { ...harness, edit }
  }

  it('of somebody else are listed and ended by an administrator, by nobody else, and it is recorded', async () => {
    const { say, store } = await open()
    const refused = refusalOf(await say('bellhop sessions --end all --of kit', 'sam'))
    expect(refused).toMatchObject({ code: 'may_not_run', next: 'Kit can end them.' })
    expect(await store.sessions.of('kit')).toHaveLength(1)
    expect(textOf(await say('bellhop sessions --of Sam', 'kit'))).toContain('2 sessions of sam')
    expect(textOf(await say('bellhop sessions --end one --of sam', 'kit'))).toContain('"one" was ended')
    expect((await store.sessions.of('sam')).map(({ id }) => id)).toEqual(['two'])
    await say('bellhop sessions --end all --of sam', 'kit')
    expect(await store.sessions.of('sam')).toEqual([])
    expect(await store.sessions.use('link three', { digest: 'x', endsAt: Date.now() + 1 })).toBe(false)
    expect(await store.sessions.of('kit')).toHaveLength(1)
    const ended = (await store.audit.find({ limit: 20 })).filter(({ kind }) => kind === 'sessions ended')
    expect(ended).toMatchObject([
      { who: 'kit', doc: { of: 'sam', session: 'all', ended: 2 } },
      { who: 'kit', doc: { of: 'sam', session: 'one', ended: 1 } },
    ])
  })

  it('are for the administrators whom the file names, and for nobody else once it names any', async () => {
    const { say, app, edit } = await open()
    edit(`${policy}administrators: [sam]\n`)
    await app.reload()
    const refused = refusalOf(await say('bellhop sessions --end all --of sam', 'kit'))
    expect(refused).toMatchObject({ code: 'may_not_run', next: 'Sam can end them.' })
    expect(textOf(await say('bellhop sessions --of kit', 'sam'))).toContain('session of kit')
  })

  it('end with the listing of their person, and do not come back with it', async () => {
    const { app, store, edit } = await open()
    edit(policy.replace(/.*id: sam.*\n/, ''))
    await app.reload()
    expect(await store.sessions.find('one')).toBeUndefined()
    expect(await store.sessions.people()).toEqual(['kit'])
    edit(policy)
    await app.reload()
    expect(await store.sessions.of('sam')).toEqual([])
    const ended = (await store.audit.find({ limit: 20 })).find(({ kind }) => kind === 'sessions ended')
    expect(ended).toMatchObject({ who: 'bellhop', doc: { of: 'sam', session: 'all', ended: 3 } })
  })
})

it('policy reload is approved by somebody else, unless a rule says otherwise', async () => {
  const ruled = `${policy}policies:\n  - { name: alone, commands: [policy reload], require: confirm }\n`
  for (const [text, rule, clause] of [
    [policy, 'default for changes of the rules', { kind: 'approvals', count: 1, from: [] }],
    [ruled, 'alone', { kind: 'confirm' }],
  ] as const) {
    const { ask } = await openHarness({ policy: text, reads: () => `${text}# edited\n` })
    expect(await ask('policy reload', 'kit')).toMatchObject({ rule, clauses: [clause] })
  }
})
