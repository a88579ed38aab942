import { isDeepStrictEqual } from 'node:util'
import { parseBounded } from '../../lib/codecs/bounded-json.ts'
import { defined } from '../../lib/defined.ts'
import type { CallInput } from '../../lib/services/client/request.ts'
import type { FieldWords } from '../../lib/services/endpoints/field-words.ts'
import { isRecord } from '../../lib/services/read-answer.ts'
import { money, names } from '../../lib/view/format.ts'
import { formatNumber } from '../../lib/view/format-number.ts'
import { fieldLabelOf } from '../../lib/view/record-facts.ts'
import { type Block, type Fact, type FactRole, facts, type View } from '../../lib/view/view.ts'
import { plainWords } from '../../lib/view/words.ts'

type About = {
  /** Fields that nobody decides by; every other one changes money, recipients, numbers or times, and stands on the card. */
  details?: readonly string[] | undefined
  /** The reason that the card quotes. */
  quote?: string | undefined
  /** How people read fields whose values are words of the service. */
  words?: Readonly<Record<string, FieldWords>>
}

/**
 * The preview with every value of the request on it: what it does not say in its own words stands there by the field's name.
 * Facts that say what is decided, and stand nowhere else on the card, have a role that brings them there.
 */
export const withSentFacts = (
  view: View,
  { params, query, body }: CallInput,
  { details = [], quote = '', words = {} }: About = {},
): View => {
  const fields = Object.entries({ ...recordOf(params), ...recordOf(query), ...recordOf(body) }).filter(
    ([, value]) => value !== undefined,
  )
  const cells = cellsOf(view)
  const unsaid = fields.filter(([key, value]) => !isSaid([key], value, cells, words))
  const added = facts(
    Object.fromEntries(
      unsaid.map(([key, value]) => [
        words[key]?.label ?? fieldLabelOf(key),
        words[key]?.values[String(value)] ?? wordsOf(value),
      ]),
    ),
  )
  const blocks = unsaid.length === 0 ? view.blocks : [...view.blocks, { ...added, isSent: true as const }]
  const shown = toCells(blocks.filter(({ kind }) => isLaidOut.has(kind)).flatMap(cellsIn))
  // Whoever asks writes these, and may write in one what is sent in another.
  const written = [
    quote,
    ...blocks
      .filter(({ kind }) => isWritten.has(kind))
      .flatMap(cellsIn)
      .map(({ text }) => text),
  ]
  const roles = new Map<Fact, FactRole>()
  const all = blocks.flatMap((block) => (block.kind === 'facts' ? block.facts : []))
  for (const [key, value] of fields) {
    const role = details.includes(key) ? 'detail' : 'subject'
    for (const [path, leaf] of leavesOf([key], value)) {
      if (isSaid(path, leaf, shown, words) || written.includes(String(leaf))) continue
      const says = all.filter((fact) => isSaid(path, leaf, toCells(factCells([fact])), words))
      const saying = says.find(({ label }) => isKin(path, partsOf(label))) ?? says[0]
      if (saying !== undefined && roles.get(saying) !== 'subject') roles.set(saying, role)
    }
  }
  return {
    ...view,
    blocks: blocks.map((block) =>
      block.kind === 'facts'
        ? {
            ...block,
            facts: block.facts.map((fact) => ({
              ...fact,
              ...defined({ role: fact.role ?? roles.get(fact) }),
            })),
          }
        : block,
    ),
  }
}

const isLaidOut: ReadonlySet<Block['kind']> = new Set(['diff', 'table', 'list'])
const isWritten: ReadonlySet<Block['kind']> = new Set(['code', 'text', 'quote'])

/** The single values of a field, each with the names that lead to it. */
const leavesOf = (path: readonly string[], value: unknown): [string[], unknown][] => {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((one) => leavesOf(path, one))
  if (isRecord(value)) return Object.entries(value).flatMap(([key, one]) => leavesOf([...path, key], one))
  const inside = typeof value === 'string' ? partsIn(value) : undefined
  return inside === undefined ? [[[...path], value]] : leavesOf(path, inside)
}

type Cell = { label: readonly string[]; text: string }

const cellsOf = ({ title, blocks, footer = '' }: View): Cell[] =>
  toCells([{ label: '', text: title }, ...blocks.flatMap(cellsIn), { label: '', text: plainWords(footer) }])

const toCells = (labelled: readonly { label: string; text: string }[]): Cell[] =>
  labelled.flatMap(({ label, text }) => [
    { label: partsOf(label), text: plain(text) },
    // A name may stand in the label: "Attribute city".
    ...(label === '' ? [] : [{ label: [], text: plain(label) }]),
  ])

const factCells = (all: readonly Fact[]) =>
  all.map(({ label, value }) => ({ label, text: plainWords(value) }))

const cellsIn = (block: Block): { label: string; text: string }[] => {
  switch (block.kind) {
    case 'facts':
      return factCells(block.facts)
    case 'diff':
      return block.changes.map(({ label, before, after }) => ({
        label,
        text: plainWords(after ?? (before === null ? '' : nothing)),
      }))
    case 'table':
      return block.rows.flatMap((row) =>
        row.map((text, at) => ({ label: block.columns[at]?.label ?? '', text })),
      )
    case 'list':
      return block.items.map((text) => ({ label: '', text: plainWords(text) }))
    case 'text':
    case 'note':
    case 'quote':
    case 'code':
      return [{ label: '', text: plainWords(block.text) }]
    default:
      return []
  }
}

/** Every value in it is said; a number, a flag or a very short word only where the label is that of its field. */
const isSaid = (
  path: readonly string[],
  value: unknown,
  cells: readonly Cell[],
  words: Readonly<Record<string, FieldWords>>,
): boolean => {
  const kin = cells.filter(({ label }) => isKin(path, label))
  if (value === undefined) return true
  if (value === null || value === '') return kin.some(({ text }) => text === nothing || text === '')
  if (Array.isArray(value)) {
    if (value.length === 0) return kin.some(({ text }) => text === nothing || text === '')
    return value.every((one) => isSaid(path, one, cells, words))
  }
  if (isRecord(value))
    return Object.entries(value).every(([key, one]) => isSaid([...path, key], one, cells, words))
  if (typeof value === 'boolean') return kin.some(({ text }) => text === (value ? 'yes' : 'no'))
  const text = String(value)
  if (isNumeric(text)) {
    return [text, money(Number(text)), formatNumber(Number(text))].some((figure) => isIn(figure, kin))
  }
  if (isIn(text, text.length < shortest ? kin : cells)) return true
  if (isSaidInWords(words[path[0] ?? ''], text, cells)) return true
  const inside = partsIn(text)
  return inside !== undefined && isSaid(path, inside, cells, words)
}

/** What people read for it stands where its field does. */
const isSaidInWords = (field: FieldWords | undefined, value: string, cells: readonly Cell[]): boolean => {
  const said = field?.values[value]
  return (
    field !== undefined &&
    said !== undefined &&
    isIn(
      said,
      cells.filter(({ label }) => isDeepStrictEqual(label, partsOf(field.label))),
    )
  )
}

const shortest = 3
const nothing = 'none'

/** Text that holds more than one value: JSON, or words joined by commas. */
const partsIn = (text: string): unknown => {
  if (/^\s*[[{]/.test(text)) {
    try {
      return parseBounded(text)
    } catch {
      return undefined
    }
  }
  return text.includes(',') ? text.split(',') : undefined
}

const isIn = (wanted: string, cells: readonly Cell[]): boolean => {
  const text = plain(wanted)
  return cells.some(({ text: cell }) => {
    for (let at = cell.indexOf(text); at !== -1; at = cell.indexOf(text, at + 1)) {
      if (!isWordAt(cell, at - 1) && !isWordAt(cell, at + text.length)) return true
    }
    return false
  })
}

const isWordAt = (text: string, at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at))

const isKin = (path: readonly string[], label: readonly string[]): boolean =>
  path.flatMap(partsOf).some((part) => label.some((word) => word.slice(0, 3) === part.slice(0, 3)))

/** "billing_period_num" and "Billing period" have words in common; an id is an id of anything. */
const partsOf = (name: string): string[] =>
  fieldLabelOf(name.replaceAll('-', ''))
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length > 1 && part !== 'id')

const plain = (text: string) => text.replaceAll('_', ' ')

const isNumeric = (text: string) => /^-?\d+(\.\d+)?$/.test(text)

const recordOf = (value: unknown) => (isRecord(value) ? value : {})

const wordsOf = (value: unknown): string => {
  if (value === null || value === '') return nothing
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return names(value, nothing)
  return JSON.stringify(value)
}
