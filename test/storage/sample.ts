import type { AuditInput } from '../../src/kernel/model/audit-entry.ts'
import type { Change } from '../../src/kernel/model/change.ts'

const ada: Change['requester'] = {
  person: 'p1',
  name: 'Ada',
  platform: 'slack',
  account: 'U1',
  roles: ['support'],
}

/** A refund that waits for its approval, unless told otherwise. */
export const sampleChange = (over: Partial<Change> = {}): Change => ({
  id: 'c1',
  version: 1,
  state: 'pending',
  command: 'refund',
  names: ['refund'],
  area: 'billing',
  line: 'refund pay_1 20',
  input: { 'payment-id': 'pay_1', amount: 20 },
  plan: { paymentId: 'pay_1', amount: 20, note: 'naïve 🛎️' },
  digest: 'd1',
  intent: 'refund pay_1',
  preview: { title: 'Refund pay_1', tone: 'warn', blocks: [] },
  amount: 20,
  currency: null,
  requester: ada,
  origin: { platform: 'slack', channel: 'C1', handle: null, direct: false },
  rule: 'refund',
  clauses: [{ kind: 'approvals', count: 1, from: ['finance'], because: 'rule "refund"' }],
  warnings: [],
  votes: [],
  createdAt: 1_000,
  expiresAt: 100_000,
  updatedAt: 1_000,
  drift: null,
  claimedBy: null,
  ended: null,
  outcome: null,
  lookUps: [],
  ...over,
})

export const partyOf = (person: string): Change['requester'] => ({ ...ada, person })

/** The next version of a change. */
export const nextOf = (change: Change, over: Partial<Change> = {}): Change => ({
  ...change,
  ...over,
  version: change.version + 1,
})

export const sampleEntry = (over: Partial<AuditInput> = {}): AuditInput => ({
  kind: 'asked',
  who: 'p1',
  name: 'Ada',
  platform: 'slack',
  command: 'refund',
  changeId: 'c1',
  doc: { line: 'refund pay_1 20' },
  ...over,
})
