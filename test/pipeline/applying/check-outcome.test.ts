import { beforeEach, describe, expect, test } from 'vitest'
import { cardOf } from '../../../src/kernel/cards/card.ts'
import { checkOutcome, nextCheckAt } from '../../../src/kernel/change/applying/check-outcome.ts'
import type { ChangeCommand } from '../../../src/kernel/command/define.ts'
import type { Core } from '../../../src/kernel/core.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { ServiceError } from '../../../src/lib/services/errors.ts'
import { textOfView } from '../../../src/lib/view/text.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { openTestApp } from '../../harness/app.ts'
import { until } from '../../harness/until.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
roles:
  support: { run: [refund, upgrade, "subscriber *", "transaction *", "list *", "license *"] }
  finance: { run: ["*"], approve: ["*"] }
policies: [{ name: money, commands: [refund, "transaction delete"], require: { approvals: 1, from: [finance] } }]
`
const bot = await openTestApp({
  policy,
  timings: { checksMs: [20, 30, 40] },
  settings: { breaker: { failures: 1_000, openMs: 1 } },
})
beforeEach(() => bot.sandbox.reset())

const ask = async (line: string): Promise<Change> => {
  const reply = await bot.say(line, 'sam')
  if (reply.kind !== 'change') throw new Error(JSON.stringify(reply))
  return reply.change
}
const stored = async ({ id }: Pick<Change, 'id'>): Promise<Change> => {
  const change = await bot.store.changes.get(id)
  if (change === null) throw new Error('gone')
  return change
}
const lost = async (
  line: string,
  row: 'refundPayment',
  kind: 'drop_after' | 'drop_before',
): Promise<Change> => {
  const change = await ask(line)
  bot.sandbox.fault({ service: 'billing', row, kind })
  await bot.press('approve', change.id, 'fay')
  return stored(change)
}
const looked = (change: Change, n: number): Promise<Change> =>
  until(async () => {
    const now = await stored(change)
    expect(now.checked?.n ?? 0).toBeGreaterThanOrEqual(n)
    return now
  })

describe('a refund whose answer was lost', () => {
  test('is found in the service, shown on the card, and settled by a person with one click', async () => {
    const change = await lost('refund pay_1001 120 --customer cus_1001', 'refundPayment', 'drop_after')
    expect(change.state).toBe('unknown')
    const found = await looked(change, 1)
    expect(found.checked).toMatchObject({
      happened: true,
      message: {
        parts: [
          'A refund of 120 USD is there since ',
          expect.anything(),
          expect.stringMatching(/^, ref_\d+\.$/),
        ],
      },
    })
    expect(textOfView(cardOf(found, Date.now()).view)).toContain('A refund of 120 USD is there since')
    expect(await bot.press('did_not', change.id, 'fay')).toMatchObject({ kind: 'reason' })
    const reply = await bot.press('happened', change.id, 'fay')
    expect(reply).toMatchObject({
      change: {
        state: 'applied',
        ended: { by: { person: 'fay' }, reason: plainWords(found.checked?.message ?? '') },
      },
    })
    expect(bot.sandbox.wire.filter(({ row }) => row === 'refundPayment')).toHaveLength(1)
  })
  test('is looked for a few times and then no more, and the card says that none has appeared', async () => {
    const change = await ask('refund pay_1001 120 --customer cus_1001')
    bot.sandbox.fault({ service: 'billing', row: 'refundPayment', kind: 'status', status: 502 })
    await bot.press('approve', change.id, 'fay')
    const after = await looked(change, 3)
    expect(after.checked).toMatchObject({
      happened: false,
      message: 'No such refund of payment pay_1001 has appeared.',
    })
    await bot.app.drain()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect((await stored(change)).checked?.n).toBe(3)
    expect(await bot.press('happened', change.id, 'fay')).toMatchObject({ kind: 'reason' })
    // Blanks are no reason: whoever agrees with what was found gives that.
    expect(await bot.press('did_not', change.id, 'fay', ' ')).toMatchObject({
      change: { state: 'not_applied', ended: { reason: after.checked?.message } },
    })
  })
  test('is looked for once, however many processes look', async () => {
    const change = await lost('refund pay_1003 120 --customer cus_1002', 'refundPayment', 'drop_after')
    const { checked: _, ...first } = await stored(change)
    await Promise.all(Array.from({ length: 5 }, () => checkOutcome(bot.app.core, first)))
    expect((await stored(change)).checked?.n).toBe(1)
  })
  test('says that it could not tell where the service does not show refunds', async () => {
    const change = await ask('refund pay_1003 120 --customer cus_1002')
    bot.sandbox.fault({ service: 'billing', row: 'refundPayment', kind: 'drop_after' })
    await bot.press('approve', change.id, 'fay')
    bot.sandbox.fault({ service: 'billing', row: 'findTransactions', kind: 'status', status: 405, times: 99 })
    const after = await looked(change, 1)
    expect(after.checked?.happened).toBeNull()
    for (const verb of ['happened', 'did_not'] as const)
      expect(await bot.press(verb, change.id, 'fay')).toMatchObject({ kind: 'reason' })
  })
  test('can be looked up by whoever sees the button', async () => {
    const change = await lost('refund pay_1003 120 --customer cus_1002', 'refundPayment', 'drop_after')
    expect(await bot.press('look_up', change.id, 'sam')).toMatchObject({
      kind: 'change',
      change: { checked: { happened: true } },
    })
    // Who knows it from elsewhere says so, and that is what is recorded.
    expect(await bot.press('happened', change.id, 'fay', 'The customer wrote')).toMatchObject({
      change: { state: 'applied', ended: { reason: 'The customer wrote' } },
    })
    // Settled is settled, whatever was found.
    expect(await bot.press('happened', change.id, 'finn')).toMatchObject({
      refusal: { code: 'not_pending' },
    })
  })
})

describe('other changes that a read can tell', () => {
  test('an update of a subscriber', async () => {
    const change = await ask('subscriber update ada@example.com --lead-score 91')
    bot.sandbox.fault({ service: 'email', row: 'updateSubscriber', kind: 'drop_after', times: 9 })
    await bot.press('confirm', change.id, 'sam')
    expect((await looked(change, 1)).checked).toMatchObject({ happened: true })
  })
  test('a deleted transaction, whose customer is known', async () => {
    await bot.say('transaction find cus_1007', 'sam')
    const change = await ask('transaction delete pay_1009')
    bot.sandbox.fault({ service: 'billing', row: 'deleteTransaction', kind: 'drop_after' })
    await bot.press('approve', change.id, 'fay')
    expect((await looked(change, 1)).checked).toMatchObject({ happened: true })
  })

  test.each([
    ['list add ada@example.com --list-ids lst_vip', 'addToList'],
    ['list remove ada@example.com --list-ids lst_newsletter', 'removeFromLists'],
    ['list move ada@example.com lst_newsletter lst_vip', 'moveToList'],
    ['subscriber delete ada@example.com', 'deleteSubscribers'],
    ['license delete-code prod_desk lic_502 HG-502-2', 'deleteLicenseCode'],
  ] as const)('%s, whether it arrived or not', async (line, row) => {
    for (const [kind, happened] of [
      ['drop_after', true],
      ['drop_before', false],
    ] as const) {
      bot.sandbox.reset()
      const change = await ask(line)
      bot.sandbox.fault({ row, kind, times: 9 })
      const verb = change.clauses.some((one) => one.kind === 'approvals') ? 'approve' : 'confirm'
      await bot.press(verb, change.id, verb === 'approve' ? 'fay' : 'sam')
      expect((await looked(change, 1)).checked, kind).toMatchObject({ happened })
    }
  })
})

/** The bot, with another way to look for what became of a refund. */
const lookingBy = (check: NonNullable<ChangeCommand['checkOutcome']>): Core => {
  const { core } = bot.app
  const refund = core.registry.get('refund')
  if (refund?.kind !== 'change') throw new Error('refund is no change')
  const other = { ...refund, checkOutcome: check }
  return {
    ...core,
    registry: { ...core.registry, get: (name) => (name === 'refund' ? other : core.registry.get(name)) },
  }
}
/** An unknown refund that nobody looks for. */
const unknown = async (): Promise<Change> => {
  const change = await ask('refund pay_1001 120 --customer cus_1001')
  const next: Change = { ...change, state: 'unknown', version: change.version + 1 }
  expect(await bot.store.changes.swap(next)).toBe(true)
  bot.sandbox.wire.length = 0
  return next
}

test.each<[what: string, over: Partial<Change>]>([
  ['was settled meanwhile', { state: 'not_applied' }],
  ['has a plan of another shape', { plan: { old: 'shape' } }],
  ['has a command that is gone', { command: 'refund anew' }],
])('a change that %s is not looked for', async (_, over) => {
  const change = { ...(await unknown()), ...over }
  expect(await checkOutcome(bot.app.core, change)).toBe(change)
  expect(bot.sandbox.wire).toEqual([])
})

test('a service that cannot be asked leaves it open, in its own words; what broke here is told as what it is', async () => {
  const change = await unknown()
  const away = {
    kind: 'unavailable',
    outcome: 'not_done',
    service: 'billing',
    row: 'findTransactions',
  } as const
  const open = await checkOutcome(
    lookingBy(() => Promise.reject(new ServiceError(away))),
    change,
  )
  const checked = { n: 1, happened: null, message: 'The billing service does not answer.' }
  expect(open).toMatchObject({ state: 'unknown', checked })
  const broken = lookingBy(() => Promise.reject(new TypeError('x is not a function')))
  await expect(checkOutcome(broken, open)).rejects.toThrow('x is not a function')
  expect((await stored(change)).checked).toMatchObject(checked)
  const found = { happened: false, message: 'There is none.' }
  const next = await checkOutcome(
    lookingBy(async () => found),
    open,
  )
  expect(next.checked).toMatchObject({ ...found, n: 2 })
})

test('what no read can tell is not looked for again and again', async () => {
  const change = await ask('upgrade sub_301 plan_team --payment-mode offline')
  bot.sandbox.fault({ service: 'billing', row: 'changePlan', kind: 'drop_after' })
  await bot.press('approve', change.id, 'fay')
  expect(await stored(change)).toMatchObject({ state: 'unknown' })
  await expect.poll(() => bot.store.tasks.pending()).not.toHaveProperty('check_outcome')
  expect((await stored(change)).checked).toBeUndefined()
})

test.each<[Change['state'], Partial<Change['checked']>, next: number | undefined]>([
  ['unknown', undefined, undefined],
  ['unknown', { n: 2, happened: false }, 1_040],
  ['unknown', { n: 1, happened: null }, 1_030],
  ['unknown', { n: 1, happened: true }, undefined],
  ['unknown', { n: 3, happened: false }, undefined],
  ['applied', { n: 1, happened: false }, undefined],
  ['not_applied', { n: 1, happened: null }, undefined],
])('what is %s after %j is looked for at %s', (state, checked, next) => {
  const change = { state, checked } as Change
  expect(nextCheckAt({ timings: bot.app.core.timings, now: () => 1_000 }, change)).toBe(next)
})
