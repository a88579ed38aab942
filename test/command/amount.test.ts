import { describe, expect, test } from 'vitest'
import { amountText, isAmount, readAmount } from '../../src/kernel/command/amount.ts'

const refused = (written: string | number) => {
  const read = readAmount(written)
  if (isAmount(read)) throw new Error(`${written} is read as ${read.value}`)
  return read
}

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
    ['20 euros', 20, '€'],
    ['20 Dollars', 20, '$'],
    ['1 200 SEK', 1200, 'SEK'],
    ['12.00', 12, null],
    ['12,00 €', 12, '€'],
    ['1,200.00 USD', 1200, 'USD'],
    ['1.200,00 EUR', 1200, 'EUR'],
    ['1,200,000', 1_200_000, null],
    ['1.200.300', 1_200_300, null],
    ['1’200 CHF', 1200, 'CHF'],
    ['+5', 5, null],
  ])('%j is understood', (written, value, currency) => {
    expect(readAmount(written)).toEqual({ value, currency })
  })
  test('is the same as a number and as text', () => {
    expect(readAmount(20)).toEqual(readAmount('20'))
    expect(refused(12.5).would).toEqual(['12', '13'])
    expect(refused('0.50 EUR').would).toEqual(['1 EUR'])
    expect(readAmount('20 dollars')).toEqual(readAmount('$20'))
    expect(amountText({ value: 20, currency: 'USD' })).toBe('20 USD')
  })
  test.each(['12.50', '$12.50', '12,50', '0.99', '0,50', '1,200.5 USD', 12.5, 1.234])(
    '%j is refused because the service takes whole numbers',
    (written) => {
      expect(refused(written).why).toMatch(/takes whole numbers only/)
    },
  )
  test.each([
    ['1,000', '1000 and as 1'],
    ['1.000', '1000 and as 1'],
    ['$1,200', '1200 and as 1.2'],
    ['12,345 EUR', '12345 and as 12.345'],
  ])('%j is asked about, with both readings', (written, both) => {
    expect(refused(written)).toEqual({
      why: `“${written}” can be read as ${both}.`,
      would: both.split(' and as '),
    })
  })
  test.each(['5²', '５', '٣', '½', '१०', '5⁰'])('%j is refused: its digits are other ones', (written) => {
    expect(refused(written).why).toMatch(/is not one of the digits 0 to 9/)
  })
  test.each([
    '',
    'lots',
    'twenty',
    '20 USD EUR',
    '$20 USD',
    '20 cents',
    '20%',
    '5k',
    '1,20,0',
    '1.2.3',
    '1,2.3,4',
    '--5',
    '5-',
    '5.',
    '1e3',
    '1٬000',
    '0x10',
    'Infinity',
    '9'.repeat(30),
    '1'.repeat(5_000),
    1e21,
    Number.NaN,
  ])('%j is refused', (written) => {
    expect(refused(written).why).toMatch(/whole number/)
  })
  test.each(['0', '-5', '$-5', '-$5', '−5', '0.00', 0, -5])(
    '%j is refused because it is not above nothing',
    (written) => {
      expect(refused(written).why).toMatch(/at least 1/)
    },
  )
})
