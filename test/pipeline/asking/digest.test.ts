import { expect, it } from 'vitest'
import { digestOf } from '../../../src/model/canonical-json.ts'
import type { Clause } from '../../../src/model/change.ts'
import { digestOfTerms } from '../../../src/pipeline/asking/prepare.ts'

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
