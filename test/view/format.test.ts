import { expect, it } from 'vitest'
import { absolute, ago, money, names, pageWords, when, yesNo } from '../../src/view/format.ts'

const now = Date.UTC(2026, 10, 15, 9, 30)

it('dates are relative and absolute, and what is no date is shown as it came', () => {
  expect(when('2026-11-12T09:30:00Z', now)).toBe('3 days ago (12 Nov 2026, 09:30 UTC)')
  expect(when(now + 7_200_000, now)).toBe('in 2 hours (15 Nov 2026, 11:30 UTC)')
  expect(when(now, now)).toBe('just now (15 Nov 2026, 09:30 UTC)')
  expect(when('someday', now)).toBe('someday')
  expect(when('', now)).toBeUndefined()
  expect(when(undefined, now)).toBeUndefined()
  expect(absolute(Date.UTC(2026, 0, 1))).toBe('1 Jan 2026, 00:00 UTC')
  expect(ago('2026-11-15T09:00:00Z', now)).toBe('30 minutes ago')
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
  for (const value of [1e308, -8.65e15, Number.NaN]) expect(when(value, Date.now())).toBeUndefined()
  expect(ago(1e308, Date.now())).toBe('1e+308')
})

it('lists, answers and pages read as words', () => {
  expect(names(['vip', 'beta'])).toBe('vip, beta')
  expect(names([])).toBe('none')
  expect([yesNo(true), yesNo(false), yesNo(null)]).toEqual(['yes', 'no', undefined])
  expect(pageWords(2, 25, 250, 'subscriber')).toBe('Page 2 of 25, 250 subscribers')
  expect(pageWords(1, 0, 1, 'subscriber')).toBe('Page 1 of 1, 1 subscriber')
})
