import type { Fault } from './operators.ts'

type Around = { start: number; end: number; rank: number; draw: (inner: string) => string }

/**
 * The text of a file with all its faults in it, each behind a switch: `globalThis.planted` names the one that is on. So a
 * process that has loaded the sources once can try one fault after the other.
 */
export const withSwitches = (text: string, faults: (Fault & { id: number })[]): string => {
  const byRange = Map.groupBy(faults, ({ whole, kind }) =>
    [whole.start, whole.end, kind === 'statement left out'].join(' '),
  )
  const choices = [...byRange.values()].map((same): Around => {
    const { start, end } = (same[0] as Fault).whole
    if (same[0]?.kind === 'statement left out')
      return {
        start,
        end,
        rank: 1,
        draw: (inner) => `{ if (!(${same.map(isOn).join(' || ')})) { ${inner} } }`,
      }
    const others = same.map((fault) => `${isOn(fault)} ? (${planted(text, fault)}) : `).join('')
    return { start, end, rank: 2, draw: (inner) => `(${others}(${inner}))` }
  })
  // A line that begins with a parenthesis would go on with the line before it.
  const blocks = faults.flatMap(({ statement }): Around[] =>
    statement ? [{ ...statement, rank: 0, draw: (inner) => `{ ${inner} }` }] : [],
  )
  const all = [
    ...choices,
    ...new Map(blocks.map((each) => [each.start, each])).values(),
    ...looksAtValues(faults),
  ]
  return drawn(text, 0, text.length, all.sort(outerFirst))
}

/** The file as it is with one fault alone. */
export const planted = (text: string, { start, end, replacement, whole }: Fault): string =>
  text.slice(whole.start, start) + replacement + text.slice(end, whole.end)

/** Where a value tells whether a fault would change anything, it is looked at while something asks for that. */
const looksAtValues = (faults: (Fault & { id: number })[]): Around[] => {
  const told = faults.flatMap(({ id, differs }) => (differs ? { id, ...differs } : []))
  return [...Map.groupBy(told, ({ start, end }) => `${start} ${end}`).values()].map((same) => {
    const { start, end } = same[0] as (typeof told)[number]
    const notes = same.map(({ id, when }) => `(${when}) && globalThis.plantedAsked.add('${id}')`).join(', ')
    const draw = (inner: string) => `((value => (globalThis.plantedAsked && (${notes}), value))((${inner})))`
    return { start, end, rank: 1.5, draw }
  })
}

/**
 * Notes that it was asked, where nothing else tells whether that makes a difference: what is asked only while the sources are
 * loaded needs a process of its own, and a test that never asks when nothing is planted cannot notice.
 */
const isOn = ({ id, differs }: Fault & { id: number }): string =>
  `((globalThis.planted ??= process.env.PLANTED ?? '0') === '${id}' ? (globalThis.plantedRan = true) : ${
    differs ? 'false' : `globalThis.plantedAsked?.add('${id}') === null`
  })`

const outerFirst = (one: Around, other: Around): number =>
  one.start - other.start || other.end - one.end || one.rank - other.rank

/** `around` is sorted, and of two ranges that touch the later lies inside the earlier. */
const drawn = (text: string, start: number, end: number, around: Around[]): string => {
  let result = ''
  let at = start
  for (let next = 0; next < around.length; ) {
    const outer = around[next] as Around
    let after = next + 1
    while ((around[after]?.start ?? Number.POSITIVE_INFINITY) < outer.end) after += 1
    const inner = drawn(text, outer.start, outer.end, around.slice(next + 1, after))
    result += text.slice(at, outer.start) + outer.draw(inner)
    at = outer.end
    next = after
  }
  return result + text.slice(at, end)
}
