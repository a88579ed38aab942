import { expect, it } from 'vitest'
import { isAnyMatch, isMatch } from '../../src/kernel/policy/pattern.ts'

it.each<[string, string, boolean]>([
  ['campaign send', 'campaign send', true],
  ['campaign send', 'campaign find', false],
  ['campaign *', 'campaign send', true],
  ['campaign *', 'campaigns send', false],
  ['*', 'campaign send', true],
  ['refund', 'refund', true],
  ['refund *', 'refund', true],
  ['refund', 'refund all', false],
  ['campaign', 'campaign send', false],
  ['c*', 'campaign send', false],
  ['campaign s*', 'campaign send', false],
])('the pattern "%s" on "%s": %s', (pattern, name, expected) => {
  expect(isMatch(pattern, name)).toBe(expected)
})

it('one of several names is enough', () => {
  expect(isAnyMatch(['refund'], ['api call', 'refund'])).toBe(true)
  expect(isAnyMatch(['refund'], ['api call'])).toBe(false)
  expect(isAnyMatch([], ['refund'])).toBe(false)
})
