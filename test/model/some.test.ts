import { expect, test } from 'vitest'
import { countWords, firstOf, someWhere } from '../../src/lib/some.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const counted = (there: number, most = 100) => countWords(firstOf(numbers(there), most))

test('a number is told where it is known, and else that there are more', () => {
  expect([0, 1, 7, 100, 101, 5_000].map((there) => counted(there))).toEqual([
    ...['0', '1', '7', '100', 'more than 100', 'more than 100'],
  ])
  expect(counted(5_001, 5_000)).toBe('more than 5,000')
})

test('of those that are left when others are taken out, no more is said than is known', () => {
  const isEven = (one: number) => one % 2 === 0
  expect(countWords(someWhere(firstOf(numbers(101), 100), isEven))).toBe('more than 50')
  expect(countWords(someWhere(firstOf(numbers(101), 100), (one) => !isEven(one)))).toBe('at least 50')
  expect(countWords(someWhere(firstOf(numbers(100), 100), isEven))).toBe('50')
  expect(countWords(firstOf(numbers(7), 100, true))).toBe('at least 7')
  expect(countWords(firstOf(numbers(5_000), 100), 6)).toBe('more than 94')
})
