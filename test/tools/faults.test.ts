import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { afterEach, expect, test } from 'vitest'
import { faultsIn } from '../../tools/mutants/operators.ts'
import { planted as plantedIn, withSwitches } from '../../tools/mutants/switches.ts'

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
  ['const words = size.toString(16)', ['const words = size.toString(17)']],
  ['const names = { 1: one }', []],
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

const state = globalThis as { planted?: string; plantedAsked?: Set<string> }
afterEach(() => {
  delete state.planted
  delete state.plantedAsked
})

test('what a fault would not change there is not asked for', () => {
  const source = 'return isOpen && size > 1 ? "a" : name ?? nobody'
  const faults = faultsIn('sample.ts', source).map((fault, at) => ({ ...fault, id: at + 1 }))
  const run = new Function('isOpen', 'size', 'name', 'nobody', withSwitches(source, faults))
  const namesOf = (...values: unknown[]) => {
    state.plantedAsked = new Set()
    run(...values)
    return [...state.plantedAsked].map((id) => faults[Number(id) - 1]?.replacement).sort()
  }
  expect(namesOf(true, 3)).toEqual(['2', '>=', 'false'])
  expect(namesOf(true, 1)).toEqual(['2', '>=', 'isOpen', 'name', 'true'])
  expect(namesOf(false, 3, 'Ada')).toEqual(['nobody', 'size > 1', 'true'])
})

test('a switch that is on does what the planted fault does, and off what the text does', () => {
  const source = `const found = []
    found.push('a')
    if (list?.rows.filter((one) => one > 1).length > 1 && !isClosed) found.push('b')
    isClosed || found.push('c')
    return [...found, list?.rows.at(-1), list === undefined ? 0 : Math.max(2, list.rows.length - 1)]`
  const faults = faultsIn('sample.ts', source).map((fault, at) => ({ ...fault, id: at + 1 }))
  expect(faults.length).toBeGreaterThan(20)
  const outcomeOf = (text: string) =>
    [undefined, { rows: [1, 2, 3] }, { rows: [1] }].flatMap((list) =>
      [true, false].map((isClosed) => {
        try {
          return new Function('list', 'isClosed', text)(list, isClosed)
        } catch (error) {
          return String(error)
        }
      }),
    )
  const switched = withSwitches(source, faults)
  state.planted = '0'
  expect(outcomeOf(switched)).toEqual(outcomeOf(source))
  for (const fault of faults) {
    const { start, end } = fault.whole
    const alone = source.slice(0, start) + plantedIn(source, fault) + source.slice(end)
    state.planted = String(fault.id)
    expect(outcomeOf(switched), alone).toEqual(outcomeOf(alone))
  }
})

test('a file with a switch for each of its faults is still a program', () => {
  for (const file of globSync(['src/kernel/cards/*.ts', 'src/kernel/store/*.ts', 'verify.mjs'])) {
    const text = readFileSync(file, 'utf8')
    const faults = faultsIn(file, text).map((fault, at) => ({ ...fault, id: at }))
    expect([file, parseSync(file, withSwitches(text, faults)).errors]).toEqual([file, []])
  }
})
