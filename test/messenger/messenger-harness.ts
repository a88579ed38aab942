import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Messenger } from '../../src/kernel/messenger/messenger.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import type { Database } from '../../src/lib/sql/database.ts'
import { approvalsPlaces, peopleOf } from '../harness/team-policy.ts'

export const everybody = ['sam', 'fay', 'finn', 'wes'] as const
export type Who = (typeof everybody)[number]

/** A message as one person sees it: its words without any markup, and the labels of its buttons. */
export type Seen = { id: string; words: string; buttons: string[] }

/** What decides nothing any more: the receipt, and asking again for what was not done. */
const decidesNothing = new Set(['Receipt', 'Ask again'])
export const isDeciding = (label: string): boolean => !decidesNothing.has(label)

/** A messenger with people in it, whichever it is. All of them are in one channel, and each may talk to the bot alone. */
export type MessengerHarness = {
  messenger: Messenger
  store: Store
  /** As the bot itself has it. */
  db: Database
  sandbox: Sandbox
  /** Where views for everybody are posted. */
  channel: string
  /** A message shows each reader the buttons that are theirs. */
  drawsForReader?: true
  accountOf(who: Who): string
  says(who: Who, line: string): Promise<void>
  /** Everything this person can read anywhere, the oldest first. */
  sees(who: Who): Seen[]
  presses(who: Who, message: Seen, label: string): Promise<void>
  /** Completes the form that the last press opened. */
  explains(who: Who, reason: string): Promise<void>
  /** What the platform would have refused. */
  refused(): unknown[]
}

/** One person, one account on each messenger. Wes decides nothing, and may know what is asked for. */
export const messengerPolicy = `
version: 1
people:
${peopleOf({ sam: 'support', fay: 'finance', finn: 'finance', wes: 'reader' })}
roles:
  reader: { run: ["approval list", "subscriber *", "list *"] }
  support: { run: ["person *", "subscriber *", "list *", refund, "approval *"] }
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
${approvalsPlaces}
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
  - { name: mailing, commands: [campaign send], require: confirm, canary: 1% }
  - { name: slow list, commands: [list create], require: { approvals: 1, from: [finance] }, hold: 10m }
bulk: { chunk: 5, concurrency: 1, rate: 5 }
links: { customer: billing_id, customersWrite: [] }
unseen: pass
`
