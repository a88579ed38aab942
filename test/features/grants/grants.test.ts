import { describe, expect, it } from 'vitest'
import { isCoverable } from '../../../src/features/grants/section.ts'
import { createGrants } from '../../../src/features/grants/store.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { fromOf, textOf } from '../../harness/app.ts'
import { changeOf, type Harness, openHarness, openUnseenHarness, refusalOf } from '../../pipeline/harness.ts'
import { grantsPolicy } from './policy.ts'

const open = (options: Parameters<typeof openHarness>[0] = {}) =>
  openHarness({ policy: grantsPolicy, tasks: false, ...options })

const given = async (harness: Harness, line: string, by: string, approver = 'finn'): Promise<Change> => {
  const asked = await harness.ask(line, by)
  expect(asked).toMatchObject({ state: 'pending' })
  const done = await harness.click('approve', asked, approver)
  expect(done).toMatchObject({ state: 'applied' })
  return done
}

const look = 'grant create sam --run "audit find" --until "in 2h" --reason "the audit of today"'
const small = 'grant create sam --approve refund --up-to "20 USD" --times 3 --until "in 2d"'

it('a right to run is asked for, given by whom the file names, and ends when somebody ends it', async () => {
  const harness = await open()
  expect(refusalOf(await harness.say('audit find')).code).toBe('may_not_run')
  const asked = await harness.ask(look)
  expect(asked).toMatchObject({ state: 'pending', rule: 'grants "a look"' })
  expect(await harness.refusedClick('approve', asked, 'sam')).toMatchObject({ code: 'own_request' })
  expect(await harness.refusedClick('approve', asked, 'lee')).toMatchObject({ code: 'may_not_approve' })
  const { id } = await harness.click('approve', asked, 'fay')
  expect((await harness.say('audit find')).kind).toBe('answer')
  expect(textOf(await harness.say('grant list'))).toContain('Sam Support may run audit find')
  expect(refusalOf(await harness.say('audit export')).code).toBe('may_not_run')
  expect(refusalOf(await harness.say('audit find', 'vic')).code).toBe('may_not_run')
  expect(changeOf(await harness.say(`grant end ${id}`, 'kim'))).toMatchObject({ state: 'applied' })
  expect(refusalOf(await harness.say('audit find')).code).toBe('may_not_run')
})

it('what was approved in advance needs nobody, and its card says whose yes it was and what is left', async () => {
  const harness = await open()
  await given(harness, small, 'fay')
  const done = await harness.ask(`refund ${harness.payment()} 20`)
  expect(done).toMatchObject({
    state: 'applied',
    votes: [{ by: { person: 'fay' }, inAdvance: { left: '2 of 3 left' } }],
  })
  expect(harness.effects('refundPayment')).toHaveLength(1)
  expect(await harness.ask(`refund ${harness.payment()} 21`)).toMatchObject({ state: 'pending', votes: [] })
  expect(await harness.ask(`refund ${harness.payment()} 20`, 'kim')).toMatchObject({
    state: 'pending',
    votes: [],
  })
})

it('with Ask for it, a card asks those who may give it, and nobody else is asked', async () => {
  const harness = await open()
  const refused = refusalOf(await harness.say('audit find'))
  expect(refused.actions).toEqual([{ verb: 'ask_grant', id: 'audit find' }])
  const asked = changeOf(await harness.press('ask_grant', 'audit find'))
  expect(asked).toMatchObject({ command: 'grant create', requester: { person: 'sam' }, state: 'pending' })
  await harness.click('approve', asked, 'fay')
  expect((await harness.say('audit find')).kind).toBe('answer')
  const { actions } = refusalOf(await harness.say('policy show'))
  expect(actions).toEqual([{ verb: 'ask_access', id: 'policy show' }])
  expect(refusalOf(await harness.say('audit find', 'vic')).actions).toEqual([
    { verb: 'ask_access', id: 'audit find' },
  ])
})

describe('is given to nobody', async () => {
  const { ask, say } = await open()
  const line = (rest: string) => `grant create sam ${rest} --until "in 2h"`
  it.each([
    ['that no rule names', 'sam', line('--run "webhook list"'), 'not_granted'],
    ['about grants', 'sam', line('--run "grant create"'), 'not_granted'],
    ['about the policy', 'sam', line('--run "policy reload"'), 'not_granted'],
    ['about the brake', 'sam', line('--run freeze'), 'not_granted'],
    ['about keys', 'sam', line('--run "bellhop passkeys"'), 'not_granted'],
    ['about people', 'sam', line('--run "person link"'), 'not_granted'],
    ['to decide', 'sam', line('--run "approval approve"'), 'not_granted'],
    ['to call anything', 'sam', line('--run "api call"'), 'not_granted'],
    ['that there is not', 'sam', line('--run "audit everything"'), 'bad_value'],
    ['whose roles no rule names', 'vic', 'grant create vic --run "audit find"', 'not_granted'],
    ['whom nobody knows', 'sam', 'grant create nobody --run "audit find"', 'bad_value'],
    [
      'for longer than the rule says',
      'sam',
      'grant create sam --run "audit find" --until "in 25h"',
      'not_granted',
    ],
    ['that they have', 'sam', line('--run refund'), 'nothing_to_change'],
    ['both to run and to approve', 'fay', line('--run "audit find" --approve refund'), 'bad_value'],
    ['of nothing', 'fay', 'grant create sam', 'bad_value'],
    ['with bounds, to run', 'fay', line('--run "audit find" --times 3'), 'bad_value'],
    [
      'in advance by who may not approve it',
      'sam',
      'grant create kim --approve refund --up-to "5 USD" --times 1',
      'may_not_approve',
    ],
    [
      'in advance for themselves',
      'fay',
      'grant create fay --approve refund --up-to "5 USD" --times 1',
      'own_request',
    ],
    ['in advance without a count', 'fay', line('--approve refund --up-to "5 USD"'), 'bad_value'],
    ['in advance without a sum', 'fay', line('--approve refund --times 1'), 'bad_value'],
    [
      'in advance past the sum of the rule',
      'fay',
      line('--approve refund --up-to "51 USD" --times 1'),
      'not_granted',
    ],
    [
      'in advance past the count of the rule',
      'fay',
      line('--approve refund --up-to "1 USD" --times 41'),
      'not_granted',
    ],
    [
      'in advance past the sum of all',
      'fay',
      line('--approve refund --up-to "38 USD" --times 40'),
      'not_granted',
    ],
    [
      'in advance in another currency',
      'fay',
      line('--approve refund --up-to "5 EUR" --times 1'),
      'not_granted',
    ],
    ['in advance, of a look-up', 'fay', line('--approve "audit find" --times 1'), 'bad_value'],
    ['in advance, of which nobody knows the sum', 'fay', line('--approve upgrade --times 1'), 'not_granted'],
  ])('%s', async (_, by, said, code) => {
    expect(refusalOf(await say(said, by))).toMatchObject({ code })
  })

  it('and the bounds themselves are allowed', async () => {
    for (const said of [
      'grant create sam --run "audit find" --until "in 24h"',
      line('--approve refund --up-to "50 USD" --times 30'),
      line('--approve refund --up-to "37 USD" --times 40'),
      line('--approve refund --up-to "50 USD" --in-all "1500 USD" --times 40'),
    ])
      expect(await ask(said, 'fay')).toMatchObject({ state: 'pending' })
  })

  it('where the file has no grants', async () => {
    const harness = await openHarness({ tasks: false })
    expect(refusalOf(await harness.say(line('--run "audit find"'), 'fay')).code).toBe('not_granted')
  })
})

it.each([
  [19, 'applied'],
  [20, 'applied'],
  [21, 'pending'],
])('of up to 20, %i is %s', async (amount, state) => {
  const harness = await open()
  await given(harness, small, 'fay')
  expect(await harness.ask(`refund ${harness.payment()} ${amount}`)).toMatchObject({ state })
})

it('a sum in all is met exactly, and not passed', async () => {
  const harness = await open()
  const all =
    'grant create sam --approve refund --up-to "20 USD" --in-all "30 USD" --times 10 --until "in 2d"'
  await given(harness, all, 'fay')
  const states = []
  for (const amount of [20, 11, 10, 1])
    states.push((await harness.ask(`refund ${harness.payment()} ${amount}`)).state)
  expect(states).toEqual(['applied', 'pending', 'applied', 'pending'])
})

it('what is bound to a customer covers no other', async () => {
  const harness = await open()
  const customer = harness.sandbox.state.billing.transactions[0]?.customer_id ?? ''
  await given(harness, `${small} --customer cus_other`, 'fay')
  expect(await harness.ask(`refund ${harness.payment()} 5`)).toMatchObject({ state: 'pending' })
  await given(harness, `${small} --customer ${customer}`, 'fay')
  expect(await harness.ask(`refund ${harness.payment()} 6`)).toMatchObject({ state: 'applied' })
})

it('of forty requests at once thirty pass where thirty are left, and each use counts once', async () => {
  const harness = await open()
  const thirty = 'grant create sam --approve refund --up-to "20 USD" --times 30 --until "in 2d"'
  const { id } = await given(harness, thirty, 'fay')
  const payments = Array.from({ length: 40 }, () => harness.payment())
  const changes = await Promise.all(payments.map((payment) => harness.ask(`refund ${payment} 3`)))
  const stored = await Promise.all(changes.map(harness.stored))
  expect(stored.filter(({ state }) => state === 'applied')).toHaveLength(30)
  expect(stored.filter(({ state, votes }) => state === 'pending' && votes.length === 0)).toHaveLength(10)
  expect(harness.effects('refundPayment')).toHaveLength(30)
  expect(await harness.store.of(createGrants).uses(id)).toHaveLength(30)
})

it('a budget that is past, a repetition and what nobody has looked at are approved by people alone', async () => {
  const budgets =
    'budgets:\n  - { name: a day, commands: [refund], per: requester, window: 24h, limit: 20, then: { approvals: 1, from: [finance, lead] } }\n'
  const harness = await open({ policy: grantsPolicy.replace('duplicates:', `${budgets}duplicates:`) })
  await given(harness, small, 'fay')
  const payment = harness.payment()
  expect(await harness.ask(`refund ${payment} 9`)).toMatchObject({ state: 'applied' })
  expect(await harness.ask(`refund ${payment} 9`)).toMatchObject({ state: 'pending' })
  expect(await harness.ask(`refund ${harness.payment()} 12`)).toMatchObject({ state: 'pending' })
  expect(await harness.ask(`refund ${harness.payment()} 11`)).toMatchObject({ state: 'applied' })
  const unseen = await openUnseenHarness({
    policy: grantsPolicy.replace('version: 1', 'version: 1\nunseen: pass'),
    tasks: false,
  })
  await given(unseen, small, 'fay')
  expect(await unseen.ask('refund pay_unseen 9')).toMatchObject({ state: 'pending', votes: [] })
})

it('what an agent asks is covered where it was approved for that agent, and its owner covers nothing of it', async () => {
  const harness = await open()
  const asAgent = async (line: string) =>
    changeOf(await harness.handle({ from: fromOf('helper', 'mcp'), intent: { kind: 'line', line } }))
  await given(harness, small, 'fay')
  expect(await asAgent(`refund ${harness.payment()} 5`)).toMatchObject({ state: 'pending', votes: [] })
  await given(harness, small.replace('create sam', 'create helper'), 'fay')
  expect(await asAgent(`refund ${harness.payment()} 6`)).toMatchObject({ state: 'applied' })
  const own = harness.say(small.replace('create sam', 'create helper'), 'sam')
  expect(refusalOf(await own).code).toBe('own_request')
})

it('no command of the bot that decides, or gives rights, keys or people, is covered by any grant', async () => {
  const { registry } = await open()
  const never = registry.all.filter(
    ({ name, ...command }) =>
      command.kind === 'decision' ||
      command.kind === 'switch' ||
      ('guarded' in command && command.guarded === true) ||
      ('urgent' in command && command.urgent === true) ||
      /^(grant|policy|freeze|unfreeze|person|bellhop|away|approval) ?/.test(name),
  )
  expect(never.length).toBeGreaterThan(25)
  expect(never.filter(({ name }) => isCoverable(name)).map(({ name }) => name)).toEqual([])
})
