import { expect, test } from 'vitest'
import { recordIn, recordsIn } from '../../src/services/found.ts'

const one = { id: 'a', name: 'A' }

test.each([
  ['a bare list', [one]],
  ['a list under its name', { total: 1, tags: ['x'], lists: [one] }],
  ['a list under another name', { total: 1, items: [one] }],
  ['a list inside another record', { result: { page: 1, rows: [one] } }],
  ['a list next to words', { notes: ['x'], items: [one] }],
  ['a list with odd members', [null, one, 3]],
])('records are found in %s', (_, data) => {
  expect(recordsIn(data, 'lists')).toEqual([one])
})

test('bare words in a list are names', () => {
  expect(recordsIn(['A', 'B'])).toEqual([{ name: 'A' }, { name: 'B' }])
})

test.each([[undefined], [null], ['words'], [7], [{}], [{ lists: [] }]])('nothing is found in %j', (data) => {
  expect(recordsIn(data, 'lists')).toEqual([])
})

test.each([
  ['itself', one],
  ['its name', { list: one }],
  ['its name, with company', { list: one, message: 'found' }],
  ['a wrapper of another name', { result: one }],
  ['two wrappers', { data: { list: one } }],
  ['a list of one', [one]],
])('one record is found under %s', (_, data) => {
  expect(recordIn(data, 'list')).toEqual(one)
})

test.each([[undefined], [null], ['words'], [[]]])('no record is found in %j', (data) => {
  expect(recordIn(data, 'list')).toBeUndefined()
})
