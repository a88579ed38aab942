import { expect, it } from 'vitest'
import { absolute, distance, due, money, names, pageWords, when, yesNo } from '../../src/lib/view/format.ts'

const now = Date.UTC(2026, 10, 15, 9, 30)

it('dates are instants with exact words, and what is no date is shown as it came', () => {
  const at = Date.UTC(2026, 10, 12, 9, 30)
  expect(when('2026-11-12T09:30:00Z')).toEqual({ at, text: '12 Nov 2026, 09:30 UTC' })
  expect(due(at)).toEqual({ at, text: '12 Nov 2026, 09:30 UTC', isAhead: true })
  expect([when('someday'), due('someday')]).toEqual(['someday', 'someday'])
  expect([when(''), when(undefined)]).toEqual([undefined, undefined])
  expect(absolute(Date.UTC(2026, 0, 1))).toBe('1 Jan 2026, 00:00 UTC')
})

it('a day without a clock stays that day for every reader, and a year that no platform shows stays text', () => {
  expect(when('2026-11-12')).toBe('12 Nov 2026')
  expect(when('1969-07-20T20:17:00Z')).toBe('20 Jul 1969, 20:17 UTC')
})

it('the distance from now is in words', () => {
  expect(distance(now - 3 * 86_400_000, now)).toBe('3 days ago')
  expect(distance(now + 7_200_000, now)).toBe('in 2 hours')
  expect(distance(now, now)).toBe('just now')
})

it.each([
  [120, {}, '120'],
  [1234.5, { code: 'USD' }, '1,234.50 USD'],
  [20, { symbol: '$' }, '$20'],
  [20, { code: 'USD', symbol: '$' }, '20 USD'],
  [20, { code: null }, '20'],
])('money %d %j is %s', (amount, currency, text) => {
  expect(money(amount, currency)).toBe(text)
})

it('a number that no calendar has is no date', () => {
  for (const value of [1e308, -8.65e15, Number.NaN]) expect(when(value)).toBeUndefined()
})

it('lists, answers and pages read as words', () => {
  expect(names(['vip', 'beta'])).toBe('vip, beta')
  expect(names([])).toBe('none')
  expect([yesNo(true), yesNo(false), yesNo(null)]).toEqual(['yes', 'no', undefined])
  expect(pageWords(2, 25, 250, 'subscriber')).toBe('Page 2 of 25, 250 subscribers')
  expect(pageWords(1, 0, 1, 'subscriber')).toBe('Page 1 of 1, 1 subscriber')
})
