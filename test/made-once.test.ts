import { expect, test } from 'vitest'
import { madeOnce } from '../src/lib/made-once.ts'

test.each([
  ['a map', new Map<object, object>()],
  ['a weak map', new WeakMap<object, object>()],
])('what is made for a key is kept in %s, and not made again', (_, made) => {
  const [one, other] = [{}, {}]
  const first = madeOnce(made, one, () => ({ n: 1 }))
  expect(madeOnce(made, one, () => ({ n: 2 }))).toBe(first)
  expect(madeOnce(made, other, () => ({ n: 3 }))).toEqual({ n: 3 })
})
