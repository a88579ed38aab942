import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Reply } from '../../src/messenger/inbound.ts'
import type { Change, Platform } from '../../src/model/change.ts'
import type { WireEntry } from '../../src/sandbox/server/wire.ts'
import type { Refusal } from '../../src/view/refusals.ts'
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
    verb: 'confirm' | 'cancel' | 'approve' | 'reject' | 'happened' | 'did_not',
    change: Change,
    person?: string,
    reason?: string,
  ): Promise<Refusal>
  stored(change: Pick<Change, 'id'>): Promise<Change>
  /** The id of a new payment of ten thousand. */
  payment(): string
  /** What reached the services and could have changed something there. */
  effects(row?: string): WireEntry[]
}

export const openHarness = async (options: TestAppOptions = {}): Promise<Harness> => {
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
    payment: () => paymentIn(opened.sandbox),
    effects: (row) =>
      opened.sandbox.wire.filter((entry) => (row === undefined ? entry.method !== 'GET' : entry.row === row)),
  }
}

export const paymentIn = ({ state }: Sandbox): string => {
  const { transactions } = state.billing
  const [some] = transactions
  if (some === undefined) throw new Error('the sandbox has no payments')
  const id = `pay_t${transactions.length}`
  transactions.push({ ...some, id, amount: 10_000, refunded_amount: 0, status: 'paid' })
  return id
}

/** What the buttons of a card carry. */
export const buttonOf = ({ id, digest }: Change): string => `${id}.${digest.slice(0, 10)}`

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
