import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterWords, type Spent, usedWords, useOf } from '../../src/kernel/policy/budget.ts'
import { evaluate } from '../../src/kernel/policy/evaluate.ts'
import type { Budget } from '../../src/kernel/policy/policy.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { exampleFile, policyOf } from './example.ts'

const day: Budget = {
  name: 'refunds a day',
  commands: ['refund'],
  per: 'requester',
  windowMs: 24 * 3_600_000,
  limit: 200,
  // biome-ignore lint/suspicious/noThenProperty: nothing awaits a budget
  then: [{ kind: 'approvals', count: 2, from: ['finance'] }],
}
const rated: Budget = { ...day, rates: { day: '2026-11-01', to: 'USD', of: { EUR: 1.1, JPY: 0.0065 } } }

const eur = (sum: number) => ({ currency: 'EUR', sum })
const usd = (sum: number) => ({ currency: 'USD', sum })
const jpy = (sum: number) => ({ currency: 'JPY', sum })
const unknown = (sum: number) => ({ currency: null, sum })

describe('a budget', () => {
  const byRates = ', by the rates of 1 Nov 2026 in bellhop.yml'

  it.each<[string, Budget, Spent, number | null, string | null, string, string, boolean]>([
    ['adds no euros to dollars', day, [eur(180)], 29, 'USD', '0 of 200 USD', 'this would make 29 USD', false],
    [
      'adds what is in one currency',
      day,
      [eur(180)],
      29,
      'EUR',
      '180 of 200 EUR',
      'this would make 209 EUR',
      true,
    ],
    [
      'counts what nobody knows in each',
      day,
      [unknown(180)],
      29,
      'EUR',
      '180 of 200 EUR',
      'this would make 209 EUR',
      true,
    ],
    [
      'counts for whatever it could be',
      day,
      [usd(20), eur(180)],
      29,
      null,
      '180 of 200 EUR',
      'this would make 209 EUR',
      true,
    ],
    [
      'adds all by the rates of the file',
      rated,
      [eur(100), jpy(2_000)],
      50,
      'USD',
      '123 of 200 USD',
      'this would make 173 USD',
      false,
    ],
    [
      'counts what nobody knows at the highest rate',
      rated,
      [unknown(100)],
      10,
      null,
      '110 of 200 USD',
      'this would make 121 USD',
      false,
    ],
    [
      'is past its limit without a rate',
      rated,
      [],
      1,
      'GBP',
      '0 of 200 USD',
      'this one is in GBP, for which bellhop.yml has no rate',
      true,
    ],
    [
      'is past its limit for an unknown amount',
      day,
      [],
      null,
      'USD',
      '0 of 200 USD',
      'the amount of this one is not known',
      true,
    ],
  ])('%s', (_, budget, spent, amount, currency, used, after, isOver) => {
    const use = useOf(budget, spent, { amount, currency })
    const words = `${used} used in the last 24 h${budget === rated ? byRates : ''}`
    expect([usedWords(use), afterWords(use, { amount, currency }), use.isOver]).toEqual([
      words,
      after,
      isOver,
    ])
  })

  const currencies = fc.constantFrom('USD', 'EUR', 'JPY', 'GBP', null)
  const spending = fc.array(fc.record({ currency: currencies, sum: fc.nat(300) }), { maxLength: 6 })

  it('never has more room for more that was spent, whatever the currency of any of it', () => {
    fc.assert(
      fc.property(fc.constantFrom(day, rated), spending, currencies, fc.nat(300), spending, (...given) => {
        const [budget, spent, currency, amount, more] = given
        const before = useOf(budget, spent, { amount, currency })
        const after = useOf(budget, [...spent, ...more], { amount, currency })
        expect(after.isOver || !before.isOver).toBe(true)
        if (currency !== null) expect(after.used).toBeGreaterThanOrEqual(before.used)
      }),
    )
  })

  it('has its sum, currency, window and limit in every warning', () => {
    const policy = { ...policyOf(exampleFile), budgets: [day, rated] }
    fc.assert(
      fc.property(spending, fc.constantFrom('USD', 'EUR', 'GBP'), fc.nat(300), (spent, currency, amount) => {
        const asked = {
          names: ['refund'],
          area: 'billing',
          movesMoney: true,
          duplicates: 0,
          amount,
          currency,
        }
        for (const { words } of evaluate(policy, { ...asked, spent: () => spent }).warnings)
          expect(plainWords(words)).toMatch(/^Refunds a day: [\d,.]+ of 200 [A-Z]{3} used in the last 24 h/)
      }),
    )
  })
})
