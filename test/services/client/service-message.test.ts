import { expect, test } from 'vitest'
import { serviceMessageOf, toShortText } from '../../../src/lib/services/client/service-message.ts'

test.each<[body: unknown, words: string | undefined]>([
  [
    { message: 'Validation failed', errors: [{ field: 'email', message: 'is taken' }] },
    'Validation failed: email: is taken',
  ],
  [
    { message: 'Bad request.', errors: { price: ['must be whole', 'must be positive'] } },
    'Bad request: price: must be whole; price: must be positive',
  ],
  [{ errors: ['one', 'two'] }, 'one; two'],
  [{ error: { message: 'No such plan', details: 'plan_x' } }, 'No such plan'],
  [{ message: 'email is taken', errors: ['email is taken'] }, 'email is taken'],
  [{ message: 'No', errors: null }, 'No'],
  [{ message: 'No', errors: { name: ' ', email: 'is taken' } }, 'No: email: is taken'],
  [{ message: 'No', errors: [{ path: '/a/b', field: 'email', message: 'is taken' }] }, 'No: email: is taken'],
  [
    { message: 'No', errors: ['1st', '2nd', '3rd', '4th'], details: ['5th', '6th'] },
    'No: 1st; 2nd; 3rd; 4th; 5th',
  ],
  [{ errors: ['1st', '2nd', '3rd', '4th', '5th', '6th'] }, '1st; 2nd; 3rd; 4th; 5th'],
  [{ message: 'No', errors: ['1st', '1st'], details: ['2nd'] }, 'No: 1st; 2nd'],
  [
    { message: 'No', errors: { a: 'x', b: 'x', c: 'x', d: 'x', e: 'x', f: 'x' } },
    'No: a: x; b: x; c: x; d: x; e: x',
  ],
  [{ message: 'No', errors: [{ path: ['a', 'b'], message: 'x' }] }, 'No: a,b: x'],
  [{ message: 'No', errors: [{ field: 3, message: 'x' }] }, 'No: x'],
  [{ message: ' ', error: 'second' }, 'second'],
  ['down for repair', 'down for repair'],
  [{ code: 7 }, undefined],
])('%j is told as %s', (body, words) => {
  expect(serviceMessageOf(body)).toBe(words)
})

/** A complaint that far inside lists, or inside records. */
const inside = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
  levels === 0 ? 'deep' : wrap(inside(levels - 1, wrap))

test.each<[of: string, wrap: (inner: unknown) => unknown, told: string]>([
  ['lists', (inner) => [inner], 'No: deep'],
  ['fields', (inner) => ({ field_1: inner }), `No: ${'field_1: '.repeat(4)}deep`],
  ['complaints', (inner) => ({ message: inner }), 'No: deep'],
])('a complaint is looked for in four levels of %s, and no further', (_, wrap, told) => {
  expect(serviceMessageOf({ message: 'No', errors: inside(4, wrap) })).toBe(told)
  expect(serviceMessageOf({ message: 'No', errors: inside(5, wrap) })).toBe('No')
})

test('a long list of complaints is cut', () => {
  const errors = Array.from({ length: 50 }, (_, at) => ({ field: `field_${at}`, message: 'x'.repeat(200) }))
  expect(serviceMessageOf({ message: 'No', errors })?.length).toBeLessThanOrEqual(300)
})

test('words are cut at three hundred letters, never inside one', () => {
  const long = 'x'.repeat(300)
  expect(toShortText(long)).toBe(long)
  expect(toShortText(`${long}x`)).toBe(`${'x'.repeat(299)}…`)
  expect(toShortText(`${'x'.repeat(298)}😀x`)).toBe(`${'x'.repeat(298)}…`)
  expect(toShortText(' a\u0000\u200bb\ud800 ')).toBe('a b�')
  expect(toShortText('\u200b \n')).toBeUndefined()
})

test('what stands beside the words of a body is not gone through, however much it is', () => {
  const isGoneThrough = () => {
    throw new Error('gone through')
  }
  const body = new Proxy({ message: 'No', errors: ['1st'] }, { ownKeys: isGoneThrough })
  expect(serviceMessageOf(body)).toBe('No: 1st')
})
