import { expect, it } from 'vitest'
import {
  compareTerms,
  type RuleTerms,
  termsAmong,
  termsOfRules,
  wordsOfTerms,
} from '../../src/kernel/policy/rule-terms.ts'

const minute = 60_000
const all: RuleTerms = {
  holdMs: 5 * minute,
  canary: 0.125,
  notify: 'direct',
  remindMs: [10 * minute, 30 * minute],
  evidence: 'required',
  reason: 'required',
}

it('the terms of a decision are kept and told, and nothing else of it', () => {
  expect(termsAmong({ ...all, rule: 'refund' } as RuleTerms)).toEqual(all)
  expect(termsAmong({})).toEqual({})
  expect(wordsOfTerms({ ...all, rule: 'refund' })).toEqual([
    ['hold', '5 m'],
    ['canary', '12.5%'],
    ['notify', 'direct'],
    ['remind', '10 m, 30 m'],
    ['evidence', 'required'],
    ['reason', 'required'],
  ])
  expect(wordsOfTerms({})).toEqual([])
  expect(termsOfRules([])).toEqual({})
})

it.each<[Record<string, unknown>, RuleTerms, ReturnType<typeof compareTerms>]>([
  [
    { holdMs: minute },
    { holdMs: 2 * minute },
    [{ key: 'hold', direction: 'stricter', words: 'hold: 2 m instead of 1 m' }],
  ],
  [{ holdMs: minute }, {}, [{ key: 'hold', direction: 'looser', words: 'hold: none instead of 1 m' }]],
  [{ holdMs: minute }, { holdMs: minute }, []],
  [
    { canary: 0.5 },
    { canary: 0.1 },
    [{ key: 'canary', direction: 'stricter', words: 'canary: 10% instead of 50%' }],
  ],
  [{}, { canary: 0.5 }, [{ key: 'canary', direction: 'stricter', words: 'canary: 50% instead of none' }]],
  [{ canary: 0.5 }, {}, [{ key: 'canary', direction: 'looser', words: 'canary: none instead of 50%' }]],
  [
    {},
    { reason: 'required' },
    [{ key: 'reason', direction: 'stricter', words: 'reason: required instead of none' }],
  ],
  [
    { evidence: 'required' },
    {},
    [{ key: 'evidence', direction: 'looser', words: 'evidence: none instead of required' }],
  ],
  [{ notify: 'direct', remindMs: [minute] }, {}, []],
  // As a record of another version may have it.
  [{ holdMs: '5 m' }, { holdMs: minute }, []],
])('from %o to %o', (before, after, expected) => {
  expect(compareTerms(before, after)).toEqual(expected)
})
