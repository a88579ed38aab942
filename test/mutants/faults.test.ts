import { expect, test } from 'vitest'
import { faultsIn } from './operators.ts'

/** Each line of a source with all that may be planted in it. */
const planted: [source: string, results: string[]][] = [
  [
    'if (size < 3) stop()',
    [
      'if (size <= 3) stop()',
      'if (size < 4) stop()',
      'if (true) stop()',
      'if (false) stop()',
      'if (size < 3) ;',
    ],
  ],
  ['const may = named && present', ['const may = named', 'const may = present']],
  ['const open = !closed', ['const open = closed']],
  ['const left = paid - refunded', ['const left = paid + refunded']],
  ['const newest = votes.at(-1)', ['const newest = votes.at(0)', 'const newest = votes.at(-2)']],
  ['const all = clauses.every(isMet)', ['const all = clauses.some(isMet)']],
  ['const mine = votes.filter(isMine)', ['const mine = votes']],
  ['await store.release(id)', [';']],
  ["log.info('done')", []],
  ['type Size = 3 | 4', []],
  ["import { one } from './one.ts'", []],
  [
    "const sql = 'DELETE FROM leases WHERE name = $1 AND owner = $2'",
    [
      "const sql = 'DELETE FROM leases WHERE name = $1 '",
      "const sql = 'DELETE FROM leases WHERE name <> $1 AND owner = $2'",
      "const sql = 'DELETE FROM leases WHERE name = $1 AND owner <> $2'",
    ],
  ],
  ["const sql = 'UPDATE a SET b = $1 WHERE c > $2'", ["const sql = 'UPDATE a SET b = $1 WHERE c >= $2'"]],
  ["const words = 'one = two'", []],
]

test.each(planted)('%s', (source, results) => {
  const texts = faultsIn('sample.ts', source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  )
  expect(texts.sort()).toEqual(results.sort())
})

test('an offset counts letters, whatever stands before it', () => {
  const source = "const sign = '✅ 😀'\nconst left = paid - refunded"
  const fault = faultsIn('sample.ts', source).at(-1)
  expect(source.slice(fault?.start, fault?.end)).toBe('-')
})
