import { parseBounded } from '../model/bounded-json.ts'
import type { CallInput } from '../services/client/request.ts'
import { isRecord } from '../services/read-answer.ts'
import { money, names } from '../view/format.ts'
import { formatNumber } from '../view/format-number.ts'
import { fieldLabelOf } from '../view/record-facts.ts'
import { type Block, facts, type View } from '../view/view.ts'
import { plainWords } from '../view/words.ts'

/** The preview with every value of the request on it: what it does not say in its own words stands there by the field's name. */
export const withSentFacts = (view: View, { params, query, body }: CallInput): View => {
  const cells = cellsOf(view)
  const fields = Object.entries({ ...recordOf(params), ...recordOf(query), ...recordOf(body) })
  const unsaid = fields.filter(([key, value]) => value !== undefined && !isSaid([key], value, cells))
  if (unsaid.length === 0) return view
  const added = facts(Object.fromEntries(unsaid.map(([key, value]) => [fieldLabelOf(key), wordsOf(value)])))
  return { ...view, blocks: [...view.blocks, { ...added, isSent: true } as Block] }
}

type Cell = { label: readonly string[]; text: string }

const cellsOf = ({ title, blocks, footer = '' }: View): Cell[] =>
  [{ label: '', text: title }, ...blocks.flatMap(cellsIn), { label: '', text: plainWords(footer) }].flatMap(
    ({ label, text }) => [
      { label: partsOf(label), text: plain(text) },
      // A name may stand in the label: "Attribute city".
      ...(label === '' ? [] : [{ label: [], text: plain(label) }]),
    ],
  )

const cellsIn = (block: Block): { label: string; text: string }[] => {
  switch (block.kind) {
    case 'facts':
      return block.facts.map(({ label, value }) => ({ label, text: plainWords(value) }))
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
const isSaid = (path: readonly string[], value: unknown, cells: readonly Cell[]): boolean => {
  const kin = cells.filter(({ label }) => isKin(path, label))
  if (value === undefined) return true
  if (value === null || value === '') return kin.some(({ text }) => text === nothing || text === '')
  if (Array.isArray(value)) {
    if (value.length === 0) return kin.some(({ text }) => text === nothing || text === '')
    return value.every((one) => isSaid(path, one, cells))
  }
  if (isRecord(value)) return Object.entries(value).every(([key, one]) => isSaid([...path, key], one, cells))
  if (typeof value === 'boolean') return kin.some(({ text }) => text === (value ? 'yes' : 'no'))
  const text = String(value)
  if (isNumeric(text)) {
    return [text, money(Number(text)), formatNumber(Number(text))].some((figure) => isIn(figure, kin))
  }
  if (isIn(text, text.length < shortest ? kin : cells)) return true
  const inside = partsIn(text)
  return inside !== undefined && isSaid(path, inside, cells)
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
