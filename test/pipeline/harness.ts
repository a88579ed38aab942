import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change, Platform } from '../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import type { WireEntry } from '../../src/lib/sandbox/server/wire.ts'
import { pairOf } from '../../src/lib/things/link.ts'
import type { Refusal } from '../../src/lib/view/refusals.ts'
import { fromOf, openTestApp, type TestApp, type TestAppOptions } from '../harness/app.ts'
import { policy } from './policy.ts'

export type Harness = TestApp & {
  /** The change that a line asks for. */
  ask(line: string, person?: string): Promise<Change>
  /** The change after a button was pressed on the card as it is now. */
  click(
    verb: 'confirm' | 'cancel' | 'approve' | 'reject' | 'happened' | 'did_not',
    change: Change,
    person?: string,
    reason?: string,
  ): Promise<Change>
  /** Why a button was refused. */
  refusedClick(
    verb: 'confirm' | 'cancel' | 'approve' | 'reject' | 'happened' | 'did_not' | 'change',
    change: Change,
    person?: string,
    reason?: string,
  ): Promise<Refusal>
  stored(change: Pick<Change, 'id'>): Promise<Change>
  /** The id of a new payment of ten thousand. Two of one amount look like one that was charged twice. */
  payment(amount?: number): string
  /** What reached the services and could have changed something there. */
  effects(row?: string): WireEntry[]
}

/** Somebody has looked at the payments that its tests make, so that their requesters may confirm small refunds. */
export const openHarness = async (options: TestAppOptions = {}): Promise<Harness> => {
  const harness = await openUnseenHarness(options)
  await learnPayers(harness)
  return harness
}

/** Nobody has looked at any payment. */
export const openUnseenHarness = async (options: TestAppOptions = {}): Promise<Harness> => {
  const opened = await openTestApp({ policy, ...options })
  const pressed: Harness['press'] = (verb, id, person = 'sam', reason) =>
    opened.press(verb, id, person, reason)
  return {
    ...opened,
    say: (line, person = 'sam') => opened.say(line, person),
    press: pressed,
    ask: async (line, person = 'sam') => changeOf(await opened.say(line, person)),
    click: async (verb, change, person, reason) =>
      changeOf(await pressed(verb, buttonOf(change), person, reason)),
    refusedClick: async (verb, change, person, reason) =>
      refusalOf(await pressed(verb, buttonOf(change), person, reason)),
    stored: async ({ id }) => {
      const change = await opened.store.changes.get(id)
      if (change === null) throw new Error(`there is no change ${id}`)
      return change
    },
    payment: (amount) => paymentIn(opened.sandbox, amount),
    effects: (row) =>
      opened.sandbox.wire.filter((entry) => (row === undefined ? entry.method !== 'GET' : entry.row === row)),
  }
}

const learnPayers = async ({ sandbox, store }: Pick<TestApp, 'sandbox' | 'store'>): Promise<void> => {
  const { transactions } = sandbox.state.billing
  const made = Array.from({ length: maxMade }, (_, at) => ({
    id: `pay_t${transactions.length + at}`,
    customer_id: transactions[0]?.customer_id ?? '',
  }))
  await store.links.learn(
    made.flatMap(({ id, customer_id }) => {
      const pair = pairOf({ kind: 'payment', id }, { kind: 'customer', id: customer_id })
      return pair === undefined ? [] : [{ pair, source: 'billing.findTransactions' }]
    }),
  )
}

const maxMade = 200

export const paymentIn = ({ state }: Sandbox, amount = 10_000): string => {
  const { transactions } = state.billing
  const [some] = transactions
  if (some === undefined) throw new Error('the sandbox has no payments')
  const id = `pay_t${transactions.length}`
  transactions.push({ ...some, id, amount, refunded_amount: 0, status: 'paid' })
  return id
}

/** What the buttons of a card carry. */
export const buttonOf = (change: Change): string => buttonIdOf(change)

export const changeOf = (reply: Reply): Change => {
  if (reply.kind !== 'change') throw new Error(`no change: ${JSON.stringify(reply)}`)
  return reply.change
}

export const refusalOf = (reply: Reply): Refusal => {
  if (reply.kind !== 'refused') throw new Error(`not refused: ${JSON.stringify(reply)}`)
  return reply.refusal
}

/** A messenger that says who is in which of its groups, and shows nothing. */
export const joinGroups = (
  { join }: Pick<TestApp['app'], 'join'>,
  platform: Platform,
  groupsOf: (account: string) => readonly string[],
): void =>
  join({
    platform,
    post: async () => 'nowhere',
    edit: async () => undefined,
    direct: async () => 'nowhere',
    membership: async (id) => groupsOf(id),
  })

/** An account on a messenger, with the groups that it says. */
export const account = (platform: Platform, id: string, groups: string[] = []) => ({
  ...fromOf(id, platform),
  groups,
})
