import { type LawEvent, step } from '../../src/kernel/law/law.ts'
import type { Change, ChangeState, Clause, Party } from '../../src/kernel/model/change.ts'

export const party = (person: string, over: Partial<Party> = {}): Party => ({
  person,
  name: person.charAt(0).toUpperCase() + person.slice(1),
  platform: 'slack',
  account: `U-${person}`,
  roles: ['finance'],
  ...over,
})

/** A clause that the rule of the sample asks for. */
export const approvals = (
  count: number,
  from: string[] = ['finance'],
  because = 'rule "refund"',
): Clause => ({
  kind: 'approvals',
  count,
  from,
  because,
})

/** The votes as they are, each still worth what it was. */
export const asStored = ({ votes }: Pick<Change, 'votes'>) => ({ votes, lapsed: [] })

/** A refund of twenty that ann asked for. */
export const changeIn = (state: ChangeState, over: Partial<Change> = {}): Change => ({
  id: 'c1',
  version: 3,
  state,
  command: 'refund',
  names: ['refund'],
  area: 'billing',
  line: 'refund pay_1 20',
  input: { paymentId: 'pay_1', amount: 20 },
  plan: { paymentId: 'pay_1', amount: 20 },
  digest: '0123456789abcdef',
  intent: 'refund pay_1',
  preview: {
    title: 'Refund 20 of payment pay_1',
    tone: 'warn',
    blocks: [{ kind: 'facts', facts: [{ label: 'Amount', value: '20', role: 'amount' }] }],
  },
  amount: 20,
  currency: null,
  requester: party('ann', { roles: ['support'] }),
  origin: { platform: 'slack', channel: 'C1', handle: null, direct: false },
  rule: 'refund',
  clauses: [approvals(1)],
  warnings: [],
  votes: [],
  createdAt: 1_000,
  expiresAt: 100_000,
  updatedAt: 1_000,
  drift: null,
  claimedBy: state === 'applying' ? 'process-1' : null,
  ended: null,
  outcome: null,
  lookUps: ['audit find --command refund'],
  ...over,
})

export const outcome = (message: string): NonNullable<Change['outcome']> => ({
  at: 2_000,
  message,
  warning: null,
  view: null,
})

/** What a step makes of a change, or the code of the refusal. */
export const stepped = (change: Change, event: LawEvent): Change | string => {
  const result = step(change, event)
  return result.ok ? result.value : result.refusal.code
}
