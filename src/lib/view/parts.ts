import type { Block, View } from './view.ts'

/**
 * A view in parts that each fit, in order and with nothing left out: whole blocks, and the lines of those that list something.
 * What does not fit alone is a part of its own. Words that stand before lines head them in every part.
 */
export const partsThatFit = (view: View, fits: (part: View) => boolean): View[] => {
  if (fits(view)) return [view]
  const units = unitsOf(view.blocks)
  const parts: View[] = []
  for (let from = 0; from < units.length; ) {
    const start = from
    const part = (count: number): View => ({ ...view, blocks: blocksOf(units.slice(start, start + count)) })
    const count = mostThatFit(units.length - start, (some) => fits(part(some)))
    parts.push(part(count))
    from += count
  }
  return parts.length === 0 ? [view] : parts
}

/** The largest count that fits, at least one: by steps that double, and then by halves. */
const mostThatFit = (all: number, fits: (count: number) => boolean): number => {
  let fitting = 1
  let tooMany = all + 1
  for (let next = 2; fitting + 1 < tooMany; ) {
    const tried = Math.min(next, all)
    if (fits(tried)) fitting = tried
    else tooMany = tried
    next = tooMany > all ? fitting * 2 : Math.floor((fitting + tooMany) / 2)
  }
  return fitting
}

/** A block, or a line of it with the words that head it. */
type Unit = { block: Block; heading?: Block | undefined; line?: number }

const unitsOf = (blocks: readonly Block[]): Unit[] =>
  blocks.flatMap((block, at): Unit[] => {
    const before = blocks[at - 1]
    const lines = linesIn(block)
    if (lines > 0) {
      const heading = before?.kind === 'text' ? before : undefined
      return Array.from({ length: lines }, (_, line) => ({ block, heading, line }))
    }
    const next = blocks[at + 1]
    return block.kind === 'text' && next !== undefined && linesIn(next) > 0 ? [] : [{ block }]
  })

const blocksOf = (units: readonly Unit[]): Block[] =>
  [...Map.groupBy(units, ({ block }) => block)].flatMap(([block, some]) => {
    const [first] = some
    if (first?.line === undefined) return [block]
    return [...(first.heading === undefined ? [] : [first.heading]), linesOf(block, first.line, some.length)]
  })

const linesIn = (block: Block): number => {
  switch (block.kind) {
    case 'requests':
      return block.requests.length
    case 'table':
      return block.rows.length
    case 'list':
      return block.items.length
    case 'diff':
      return block.changes.length
    case 'facts':
      return block.isLead ? 0 : block.facts.length
    case 'code':
      return block.text.split('\n').length
    default:
      return 0
  }
}

const linesOf = (block: Block, from: number, count: number): Block => {
  const some = <T>(all: readonly T[]): T[] => all.slice(from, from + count)
  switch (block.kind) {
    case 'requests':
      return { ...block, requests: some(block.requests) }
    case 'table':
      return {
        ...block,
        columns: block.columns.map(({ times, ...column }) =>
          times === undefined ? column : { ...column, times: some(times) },
        ),
        rows: some(block.rows),
        ...(block.things === undefined ? {} : { things: some(block.things) }),
      }
    case 'list':
      return { ...block, items: some(block.items) }
    case 'diff':
      return { ...block, changes: some(block.changes) }
    case 'facts':
      return { ...block, facts: some(block.facts) }
    case 'code':
      return { ...block, text: some(block.text.split('\n')).join('\n') }
    default:
      return block
  }
}
