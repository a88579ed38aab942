import { expect, test } from 'vitest'
import { serviceMessageOf } from '../../../src/services/client/service-message.ts'

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
  ['down for repair', 'down for repair'],
  [{ code: 7 }, undefined],
])('%j is told as %s', (body, words) => {
  expect(serviceMessageOf(body)).toBe(words)
})

test('a long list of complaints is cut', () => {
  const errors = Array.from({ length: 50 }, (_, at) => ({ field: `field_${at}`, message: 'x'.repeat(200) }))
  expect(serviceMessageOf({ message: 'No', errors })?.length).toBeLessThanOrEqual(300)
})
