import { expect, it } from 'vitest'
import { digestOfTerms } from '../../../src/kernel/change/asking/prepare.ts'
import type { Clause } from '../../../src/kernel/model/change.ts'
import { digestOf } from '../../../src/lib/codecs/canonical-json.ts'

const approvals = { kind: 'approvals', count: 2, from: ['finance'] } as const
const terms = { plan: { amount: 20 }, rule: 'refunds', holdMs: 0, canary: 10 }
const digestFor = (...clauses: Clause[]) => digestOfTerms({ name: 'refund' }, { ...terms, clauses })

it.each<[string, Clause[], requirement: unknown]>([
  ['no clause', [], { kind: 'none' }],
  ['a confirmation', [{ kind: 'confirm' }], { kind: 'confirm' }],
  ['approvals, whoever may escalate', [{ ...approvals, escalate: [] } as unknown as Clause], approvals],
  [
    'several clauses',
    [{ kind: 'confirm' }, approvals as unknown as Clause],
    [{ kind: 'confirm' }, approvals],
  ],
])('a vote on %s is bound as it always was, so votes that wait stay good', (_, clauses, requirement) => {
  expect(digestFor(...clauses)).toBe(digestOf({ command: 'refund', ...terms, requirement }))
})
