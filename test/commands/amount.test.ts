import { describe, expect, test } from 'vitest'
import { readAmount } from '../../commands/billing/amount.ts'

describe('an amount as people write it', () => {
  test.each([
    ['20', 20, null],
    [' $20', 20, '$'],
    ['20$', 20, '$'],
    ['€ 20', 20, '€'],
    ['US$20', 20, 'US$'],
    ['20 USD', 20, 'USD'],
    ['usd 20', 20, 'USD'],
    ['20eur', 20, 'EUR'],
    ['1,200', 1200, null],
    ['1 200 SEK', 1200, 'SEK'],
    ['12.00', 12, null],
    ['1,200.00 USD', 1200, 'USD'],
    ['+5', 5, null],
  ])('%j is understood', (written, value, currency) => {
    expect(readAmount(written)).toEqual({ value, currency })
  })
  test.each(['12.50', '$12.50', '12,50', '0.99', '1,200.5 USD'])(
    '%j is refused because the service takes whole numbers',
    (written) => {
      expect(readAmount(written)).toMatch(/takes whole numbers only/)
    },
  )
  test.each([
    '',
    'lots',
    '20 USD EUR',
    '$20 USD',
    'dollars 20',
    '1.200.300',
    '1.000',
    '1,20,0',
    '--5',
    '5-',
    '1e3',
    '9'.repeat(30),
    '٣',
  ])('%j is refused', (written) => {
    expect(readAmount(written)).toMatch(/whole number/)
  })
  test.each(['0', '-5', '$-5', '−5', '0.00'])('%j is refused because it is not above nothing', (written) => {
    expect(readAmount(written)).toMatch(/at least 1/)
  })
})
