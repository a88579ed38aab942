import { describe, expect, it } from 'vitest'
import type { Inbound } from '../../src/kernel/messenger/inbound.ts'
import { policyOf, textOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { account, buttonOf, changeOf, joinGroups, openHarness, refusalOf } from './harness.ts'

/** Lee is listed with Slack only; the Discord account 900 is Lee's too, and has the role of finance there by group. */
const file = (rules: string, people = '') => `version: 1
people:
  - { id: lee, name: Lee, slack: U0LEE, roles: [finance] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance, keeper] }
  - { id: finn, name: Finn, slack: U0FINN, roles: [finance] }
${people}
groups: { slack: { S0FIN: [finance] }, discord: { "500": [finance] } }
roles:
  finance: { run: [refund, "approval *", "list *"], approve: ["*"], delegate: true }
  keeper: { run: ["policy *"] }
policies:
${rules}
`
const oneApproval = '  - { name: refunds, commands: [refund], require: { approvals: 1, from: [finance] } }'
const confirmed = '  - { name: refunds, commands: [refund], require: confirm }'
const unlisted = account('discord', '900', ['500'])
const lee = account('slack', 'U0LEE')
const fay = account('slack', 'U0FAY')
const listedNow = '  - { id: gil, name: Gil, discord: "900" }'

eachEngine('where one decides about what another asks, both are listed:', (engine) => {
  const open = async (rules = oneApproval) => {
    const harness = await openHarness({ engine, policy: file(rules), tasks: false })
    joinGroups(harness.app, 'slack', () => [])
    joinGroups(harness.app, 'discord', (id) => (id === '900' ? ['500'] : []))
    const say = (from: Inbound['from'], line: string) =>
      harness.handle({ from, intent: { kind: 'line', line } })
    const press = (
      from: Inbound['from'],
      verb: 'approve' | 'reject' | 'happened' | 'did_not' | 'confirm' | 'cancel',
      id: string,
    ) => harness.handle({ from, intent: { kind: 'press', verb, id, reason: 'looked' } })
    /** The file is edited while requests wait. */
    const use = (text: string) => {
      harness.app.core.policy = policyOf(text, harness.registry)
    }
    return { ...harness, say, press, use }
  }

  it('an account that is not listed is refused before anybody is asked, and is told who can list it', async () => {
    const bot = await open()
    const refused = refusalOf(await bot.say(unlisted, `refund ${bot.payment()} 480`))
    expect(refused).toMatchObject({
      code: 'unlisted',
      message: expect.stringContaining('the discord account 900'),
      next: expect.stringContaining('Fay can add it'),
    })
    expect(await bot.store.changes.list({ limit: 10 })).toEqual([])
    const entries = await bot.store.audit.find({ who: 'discord:900', limit: 2 })
    expect(entries).toMatchObject([{ kind: 'refused', doc: { code: 'unlisted' } }])
  })

  it('its approval, rejection and word about an unknown outcome count for nothing', async () => {
    const bot = await open()
    const change = changeOf(await bot.say(lee, `refund ${bot.payment()} 480`))
    for (const verb of ['approve', 'reject'] as const) {
      expect(refusalOf(await bot.press(unlisted, verb, buttonOf(change))).code).toBe('unlisted')
    }
    // What only the requester does has nothing to do with a list.
    expect(refusalOf(await bot.press(unlisted, 'cancel', change.id)).code).toBe('not_requester')
    const line = await bot.say(unlisted, `approval approve ${change.id}`)
    expect(refusalOf(line).code).toBe('unlisted')
    const stored = await bot.stored(change)
    expect(stored).toMatchObject({ state: 'pending', votes: [] })
    await bot.store.changes.swap({ ...stored, state: 'unknown', version: stored.version + 1 })
    for (const verb of ['happened', 'did_not'] as const) {
      expect(refusalOf(await bot.press(unlisted, verb, change.id)).code).toBe('unlisted')
    }
    expect(bot.effects()).toEqual([])
  })

  it('what it confirms alone stays possible, and nobody but two listed people settles what became of it', async () => {
    const bot = await open(confirmed)
    const asked = changeOf(await bot.say(unlisted, `refund ${bot.payment()} 5`))
    const done = changeOf(await bot.press(unlisted, 'confirm', buttonOf(asked)))
    expect(done.state).toBe('applied')
    const stored = await bot.stored(done)
    await bot.store.changes.swap({ ...stored, state: 'unknown', version: stored.version + 1 })
    const refused = refusalOf(await bot.press(lee, 'did_not', done.id))
    expect(refused).toMatchObject({
      code: 'unlisted',
      message: expect.stringContaining('somebody else asked'),
    })
    bot.use(file(confirmed, listedNow))
    expect(changeOf(await bot.press(fay, 'happened', buttonOf(done))).state).toBe('applied')
  })

  it('a policy that comes to ask for more while it waits asks nobody, and runs nothing', async () => {
    const bot = await open(confirmed)
    const asked = changeOf(await bot.say(unlisted, `refund ${bot.payment()} 5`))
    bot.use(file(oneApproval))
    expect(refusalOf(await bot.press(unlisted, 'confirm', buttonOf(asked))).code).toBe('unlisted')
    expect(changeOf(await bot.press(unlisted, 'cancel', buttonOf(asked))).state).toBe('cancelled')
    expect(bot.effects()).toEqual([])
  })

  it('whoever is taken from the list meanwhile no longer faces an approval: at a vote, and at the claim', async () => {
    const bot = await open()
    bot.use(file(oneApproval, listedNow))
    const change = changeOf(await bot.say(unlisted, `refund ${bot.payment()} 480`))
    bot.use(file(oneApproval))
    expect(refusalOf(await bot.press(fay, 'approve', buttonOf(change))).code).toBe('unlisted')
    const stored = await bot.stored(change)
    const by = { ...stored.requester, ...fay, person: 'fay', name: 'Fay', roles: ['finance'] }
    const vote = { by, at: stored.createdAt, digest: stored.digest }
    await bot.store.changes.swap({ ...stored, state: 'approved', votes: [vote], version: stored.version + 1 })
    await bot.store.tasks.put({ kind: 'apply', key: 'apply:now', doc: { id: change.id }, dueAt: 0 })
    await bot.app.drain()
    expect(await bot.stored(change)).toMatchObject({
      state: 'failed',
      outcome: { message: expect.stringContaining('does not list') },
    })
    expect(bot.effects()).toEqual([])
  })

  it('who goes by another id in the file meanwhile decides about what they asked no more than before', async () => {
    const bot = await open()
    const change = changeOf(await bot.say(fay, `refund ${bot.payment()} 480`))
    bot.use(file(oneApproval).replace('id: fay,', 'id: fay2,'))
    for (const verb of ['approve', 'reject'] as const)
      expect(refusalOf(await bot.press(fay, verb, buttonOf(change))).code).toBe('may_not_approve')
    expect(await bot.stored(change)).toMatchObject({ state: 'pending', votes: [] })
  })

  it('a vote that was stored when its voter was listed lapses with the listing', async () => {
    const bot = await open(oneApproval.replace('approvals: 1', 'approvals: 2'))
    bot.use(file(oneApproval.replace('approvals: 1', 'approvals: 2'), listedNow))
    const change = changeOf(await bot.say(lee, `refund ${bot.payment()} 480`))
    expect(changeOf(await bot.press(unlisted, 'approve', buttonOf(change))).votes).toHaveLength(1)
    bot.use(file(oneApproval.replace('approvals: 1', 'approvals: 2')))
    const after = changeOf(await bot.press(fay, 'approve', buttonOf(change)))
    expect(after).toMatchObject({
      state: 'pending',
      votes: [{ by: { person: 'fay' } }],
      lapsed: [{ why: 'bellhop.yml does not list both who asked and who voted' }],
    })
  })
})

describe('policy explain', () => {
  it('says that nobody could be asked', async () => {
    const bot = await openHarness({ policy: `${file(oneApproval)}everyone: { run: ["policy explain"] }\n` })
    const line = 'policy explain "refund pay_1 480"'
    const reply = await bot.handle({ from: unlisted, intent: { kind: 'line', line } })
    expect(textOf(reply)).toContain('bellhop.yml does not list the discord account 900')
  })
})
