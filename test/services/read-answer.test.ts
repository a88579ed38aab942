import { expect, test } from 'vitest'
import { ServiceError, type ServiceErrorKind } from '../../src/lib/services/errors.ts'
import { ifKnown, ifReadable, recordIn, recordsIn } from '../../src/lib/services/read-answer.ts'

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

const failure = (kind: ServiceErrorKind, status?: number) =>
  Promise.reject(new ServiceError({ kind, status, outcome: 'not_done', service: 'email', row: 'findLists' }))

test.each([
  ['not_found', 404],
  ['rejected', 405],
  ['malformed', 200],
  ['unauthorized', 403],
  ['unavailable', 501],
] as const)('an undocumented read that ends %s with %i is nothing to stumble over', async (kind, status) => {
  expect(await ifReadable(failure(kind, status))).toBeUndefined()
})

test.each([
  ['unavailable', 503],
  ['unavailable', undefined],
  ['unauthorized', 401],
  ['rate_limited', 429],
] as const)('a read that ends %s with %s is still a failure', async (kind, status) => {
  await expect(ifReadable(failure(kind, status))).rejects.toBeInstanceOf(ServiceError)
})

test('only an unknown thing is unknown', async () => {
  expect(await ifKnown(failure('not_found', 404))).toBeUndefined()
  await expect(ifKnown(failure('rejected', 400))).rejects.toBeInstanceOf(ServiceError)
})
