import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/cli/start/app.ts'
import type { Inbound } from '../../src/kernel/messenger/inbound.ts'
import { MessengerError } from '../../src/kernel/messenger/messenger.ts'
import { allWarnings } from '../../src/kernel/model/warning.ts'
import { createLog } from '../../src/lib/log.ts'
import { fromOf, policyOf, textOf } from '../harness/app.ts'
import { account, buttonOf, changeOf, type Harness, joinGroups, openHarness, refusalOf } from './harness.ts'

const file = (rules: string, more = '') => `
version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: finn, name: Finn, slack: U0FINN, roles: [finance] }
  - { id: cleo, name: Cleo, slack: U0CLEO, roles: [cfo] }
  - { id: gus, name: Gus, slack: U0GUS }
groups:
  slack: { S0FIN: [finance], S0OTHER: [finance] }
roles:
  support: { run: [refund, upgrade, freeze, "campaign *", "subscriber update", "api *"] }
  finance: { run: ["*"], approve: ["*"] }
  cfo: { approve: [refund] }
  raw: { run: ["api *"], approve: ["api *"] }
${more}
policies:
${rules}
`
const refunds = (needs: string) => `  - { name: refunds, commands: [refund], require: ${needs} }`
const open = (rules: string, more = '') => openHarness({ policy: file(rules, more), tasks: false })

/** The same bot after a restart with another file. */
const restarted = (harness: Harness, text: string) => {
  const app = createApp({
    registry: harness.registry,
    policy: policyOf(text, harness.registry),
    services: harness.services,
    store: harness.store,
    log: createLog('silent'),
    tasks: false,
  })
  const handle = (from: Inbound['from'], intent: Inbound['intent']) =>
    app.handle({
      delivery: crypto.randomUUID(),
      from,
      place: { channel: null, handle: null, direct: true },
      forms: false,
      intent,
    })
  return { app, press: (id: string, person: string) => handle(fromOf(person), yes(id)) }
}
const yes = (id: string) => ({ kind: 'press', verb: 'approve', id }) as const

describe('all clauses hold', () => {
  it('those of a list, each by its own people, and the card shows who has satisfied which', async () => {
    const harness = await open(refunds('[{ approvals: 2, from: [finance] }, { approvals: 1, from: [cfo] }]'))
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.click('approve', change, 'fay')
    const reply = await harness.press('approve', buttonOf(change), 'finn')
    expect(changeOf(reply).state).toBe('pending')
    expect(textOf(reply)).toMatch(/Has 2 approvals from finance for .+: Fay, Finn\n/)
    expect(textOf(reply)).toMatch(/Needs 1 approval from cfo for .+\n/)
    expect(await harness.click('approve', change, 'cleo')).toMatchObject({ state: 'applied' })
  })

  it('a budget of two from finance does not take the place of one from cfo', async () => {
    const harness = await open(
      refunds('{ approvals: 1, from: [cfo] }'),
      `budgets:
  - { name: a day, commands: [refund], per: requester, window: 24h, limit: 50, then: { approvals: 2, from: [finance] } }`,
    )
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.click('approve', change, 'fay')
    expect(await harness.click('approve', change, 'finn')).toMatchObject({ state: 'pending' })
    expect(harness.effects()).toEqual([])
  })

  it('after a restart with a stricter policy: as many people, but others', async () => {
    const harness = await open(refunds('{ approvals: 1, from: [finance] }'))
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const { press } = restarted(harness, file(refunds('{ approvals: 1, from: [cfo] }')))
    const reply = await press(buttonOf(change), 'fay')
    expect(changeOf(reply)).toMatchObject({ state: 'pending', votes: [] })
    expect(textOf(reply)).toContain('The policy now also asks for 1 approval from cfo (rule "refunds").')
    const again = buttonOf(await harness.stored(change))
    expect(changeOf(await press(again, 'cleo')).state).toBe('pending')
    expect(changeOf(await press(again, 'fay')).state).toBe('applied')
  })

  it('a rule that became weaker does not weaken a request', async () => {
    const harness = await open(refunds('{ approvals: 2, from: [finance] }'))
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const { press } = restarted(harness, file(refunds('confirm')))
    expect(changeOf(await press(buttonOf(change), 'fay')).state).toBe('pending')
    expect(harness.effects()).toEqual([])
  })
})

describe('votes are worth what the voter may do now', () => {
  it('somebody who lost the role counts no more, and the card says so', async () => {
    const harness = await open(refunds('{ approvals: 2, from: [finance] }'))
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.click('approve', change, 'fay')
    // Some other group still gives the role that Fay had.
    const { press } = restarted(
      harness,
      file(refunds('{ approvals: 2, from: [finance] }')).replace(/.*id: fay.*\n/, ''),
    )
    const reply = await press(buttonOf(change), 'finn')
    expect(changeOf(reply)).toMatchObject({ state: 'pending', votes: [{ by: { person: 'finn' } }] })
    expect(textOf(reply)).toContain('The vote of Fay no longer counts: bellhop.yml does not list both')
    expect(harness.effects()).toEqual([])
  })

  const gus = account('slack', 'U0GUS', ['S0FIN'])

  it('somebody who left the group counts no more at the claim', async () => {
    const harness = await open(refunds('{ approvals: 2, from: [finance] }'))
    const groups = new Map([['U0GUS', ['S0FIN']]])
    joinGroups(harness.app, 'slack', (id) => groups.get(id) ?? [])
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.handle({ from: gus, intent: yes(buttonOf(change)) })
    groups.clear()
    expect(await harness.click('approve', change, 'fay')).toMatchObject({
      state: 'pending',
      votes: [{ by: { person: 'fay' } }],
      lapsed: [{ person: 'gus' }],
    })
    expect(harness.effects()).toEqual([])
    expect(await harness.click('approve', change, 'finn')).toMatchObject({ state: 'applied' })
  })

  it('a messenger that cannot be asked makes the change wait, its card says for what, and then it runs', async () => {
    const harness = await open(refunds('{ approvals: 1, from: [finance] }'))
    let isDown = true
    joinGroups(harness.app, 'slack', () => {
      if (isDown) throw new MessengerError('later', 'Slack is down')
      return ['S0FIN']
    })
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const reply = await harness.handle({ from: gus, intent: yes(buttonOf(change)) })
    expect(changeOf(reply).state).toBe('approved')
    expect(textOf(reply)).toContain('It waits for slack to say which groups Gus is in.')
    expect(harness.effects()).toEqual([])
    isDown = false
    await harness.store.tasks.put({ kind: 'apply', key: 'apply:now', doc: { id: change.id }, dueAt: 0 })
    await harness.app.drain()
    expect(await harness.stored(change)).toMatchObject({ state: 'applied' })
  })

  it('what waits names those alone whose messenger could not be asked', async () => {
    const harness = await open(refunds('{ approvals: 2, from: [finance] }'))
    joinGroups(harness.app, 'slack', (id) => {
      if (id === 'U0GUS') throw new MessengerError('later', 'Slack is down')
      return []
    })
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.handle({ from: account('slack', 'U0FAY'), intent: yes(buttonOf(change)) })
    const reply = await harness.handle({ from: gus, intent: yes(buttonOf(change)) })
    expect(changeOf(reply).waiting).toBe('It waits for slack to say which groups Gus is in.')
  })

  it('a confirmation from an account that is no longer the requester’s does not count', async () => {
    const linked = file(refunds('confirm'), 'duplicates: { window: 2h }').replace(
      'slack: U0SAM',
      'slack: U0SAM, discord: "400000000000000001"',
    )
    const harness = await openHarness({ policy: linked, tasks: false })
    const change = await harness.ask('subscriber update ada@example.com --company Acme')
    const stored = await harness.stored(change)
    const by = { ...stored.requester, platform: 'discord' as const, account: '400000000000000001' }
    const vote = { by, at: stored.createdAt, digest: stored.digest }
    await harness.store.changes.swap({
      ...stored,
      state: 'approved',
      votes: [vote],
      version: stored.version + 1,
    })
    const { app } = restarted(harness, linked.replace(/, discord: "4\d+"/, ''))
    await harness.store.tasks.put({ kind: 'apply', key: 'apply:now', doc: { id: change.id }, dueAt: 0 })
    await app.drain()
    expect(await harness.stored(change)).toMatchObject({ state: 'pending', votes: [] })
    expect(harness.effects()).toEqual([])
  })

  it('somebody whose roles stand in the file needs no messenger', async () => {
    const harness = await open(refunds('{ approvals: 1, from: [finance] }'))
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const fay = account('slack', 'U0FAY')
    expect(changeOf(await harness.handle({ from: fay, intent: yes(buttonOf(change)) })).state).toBe('applied')
  })
})

describe('one request, one policy, whichever way it is typed', () => {
  const mailing = `  - { name: raw, commands: ["api *"], require: confirm }
  - { name: mail, commands: ["campaign *"], require: { approvals: 1, from: [finance] } }
  - { name: people, commands: ["subscriber *"], require: { approvals: 2, from: [finance] } }
${refunds('{ approvals: 1, from: [cfo] }')}`

  it.each([
    ['POST /campaigns/send-to-list', 'email', 'mail', { count: 1, from: ['finance'] }],
    ['DELETE /subscribers', 'email', 'people', { count: 2, from: ['finance'] }],
  ])(
    '%s follows the rule of its noun, though one for api call stands first',
    async (path, service, rule, clause) => {
      const harness = await open(mailing)
      const change = await harness.ask(`api call ${service} ${path} --body '{"id": "1"}'`, 'fay')
      expect(change).toMatchObject({ rule: `raw and ${rule}`, clauses: [clause] })
    },
  )

  it('the rule for api call never weakens that for refund', async () => {
    const harness = await open(mailing)
    const line = `api call billing POST /transaction/refund/${harness.payment()} --body '{"amount": 60}'`
    const change = await harness.ask(line, 'fay')
    expect(change.clauses).toMatchObject([{ kind: 'approvals', count: 1, from: ['cfo'] }])
    expect(await harness.click('approve', change, 'cleo')).toMatchObject({ state: 'applied' })
  })

  it('the right to call any endpoint is no right to what the endpoint does, neither to ask nor to decide', async () => {
    const people = '  - { id: ray, name: Ray, roles: [raw] }\n'
    const harness = await openHarness({
      policy: file(refunds('{ approvals: 1 }')).replace('people:\n', `people:\n${people}`),
      tasks: false,
    })
    for (const line of [
      `api call billing POST /transaction/refund/${harness.payment()}`,
      'api call email DELETE /subscribers',
      'api call email GET /subscribers',
    ]) {
      expect(refusalOf(await harness.say(line, 'ray')).code).toBe('may_not_run')
    }
    expect(await harness.say('api call email GET /campaigns', 'sam')).toMatchObject({ kind: 'answer' })
    const change = await harness.ask(`api call billing POST /transaction/refund/${harness.payment()}`, 'fay')
    expect((await harness.refusedClick('approve', change, 'ray')).code).toBe('may_not_approve')
    expect(await harness.click('approve', change, 'finn')).toMatchObject({ state: 'applied' })
  })

  it('what was asked for through api call counts in the budget of its noun', async () => {
    const harness = await open(
      mailing,
      `budgets:
  - { name: mails, commands: ["campaign *"], per: everyone, window: 24h, limit: 1, then: { approvals: 2, from: [finance] } }`,
    )
    const change = await harness.ask(
      `api call email POST /campaigns/send-to-list --body '{"id": "1"}'`,
      'fay',
    )
    expect(allWarnings(change)).toEqual([expect.stringContaining('Mails: 0 of 1 (currency unknown) used')])
    expect(change.clauses).toMatchObject([{ count: 2, from: ['finance'] }])
  })
})

it.each([
  '--price 0 --quantity 1000',
  '--price 5',
  '--quantity 5',
  '--price 5 --quantity 5 --addons addon_1:2',
  '--price 5 --quantity 5',
  '--price 0.01 --quantity 1000',
])('a plan change with %s is of an unknown amount', async (flags) => {
  const rules = `  - { name: small, commands: [upgrade], amount: { upTo: 50 }, require: confirm }
  - { name: other, commands: [upgrade], require: { approvals: 1, from: [finance] } }`
  const harness = await open(rules)
  const upgrade = (more: string) => harness.ask(`upgrade sub_301 plan_team --payment-mode offline ${more}`)
  expect(await upgrade(flags)).toMatchObject({ amount: null, rule: 'other' })
})

it('a freeze is never slowed down because it was asked for before', async () => {
  const harness = await open(refunds('confirm'), 'duplicates: { window: 2h }')
  await harness.ask('freeze billing')
  await harness.store.freezes.clear('billing')
  const again = await harness.ask('freeze billing')
  expect(again).toMatchObject({ clauses: [], warnings: [], state: 'applied' })
})

describe('an account is a workspace and a user', () => {
  it('a listed user id from another workspace is a stranger, also as a voter', async () => {
    const harness = await open(refunds('{ approvals: 1, from: [finance] }'))
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const foreign = { ...account('slack', 'U0FAY', ['S0FIN']), workspace: 'T0OTHER', name: 'Fay' }
    const asked = await harness.handle({
      from: foreign,
      intent: { kind: 'line', line: `refund ${harness.payment()} 5` },
    })
    expect(refusalOf(asked).code).toBe('stranger')
    const press = await harness.handle({ from: foreign, intent: yes(buttonOf(change)) })
    expect(refusalOf(press).code).toBe('may_not_approve')
    const [entry] = await harness.store.audit.find({ changeId: change.id, limit: 1 })
    expect(entry).toMatchObject({ who: 'slack:T0OTHER:U0FAY', name: 'Fay (U0FAY of T0OTHER)' })
  })

  it('somebody who is not listed is shown with their account, so that nobody passes for another', async () => {
    const harness = await open(refunds('confirm'))
    const evil = { ...account('slack', 'U0EVIL', ['S0FIN']), name: 'Fay' }
    const line = `refund ${harness.payment()} 60`
    const reply = await harness.handle({ from: evil, intent: { kind: 'line', line } })
    expect(textOf(reply)).toContain('Fay (U0EVIL)')
  })
})
