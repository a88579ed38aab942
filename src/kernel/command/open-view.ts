import { isRecord, type OpenRecord } from '../../lib/services/read-answer.ts'
import { fieldLabelOf, openFacts, openText } from '../../lib/view/record-facts.ts'
import { facts, table, text, type View } from '../../lib/view/view.ts'

const maxColumns = 5
const maxRows = 50

/** An answer of a shape that nobody has drawn: its record as facts, or its records as a table. */
export const openView = (title: string, data: unknown): View => {
  const records = listedIn(data)
  if (records !== undefined) return { title, tone: 'plain', blocks: [listed(records)] }
  const record = recordOf(data)
  if (record !== undefined && typeof record.text === 'string' && Object.keys(record).length === 1)
    return { title, tone: 'plain', blocks: [text(record.text)] }
  const known = record === undefined ? {} : wordsIn(record)
  const isEmpty = Object.keys(known).length === 0
  return { title, tone: 'plain', blocks: [isEmpty ? text('The service said nothing more.') : facts(known)] }
}

/** The list in an answer: the answer itself, or beside nothing that has an id. */
const listedIn = (data: unknown): OpenRecord[] | undefined => {
  if (Array.isArray(data)) return data.filter(isRecord)
  if (!isRecord(data) || 'id' in data) return undefined
  const list = Object.values(data).find((value) => Array.isArray(value) && value.every(isRecord))
  return list as OpenRecord[] | undefined
}

/** The record in an answer: alone in a wrapper, or the answer itself. */
const recordOf = (data: unknown): OpenRecord | undefined => {
  if (!isRecord(data)) return undefined
  const [only, ...others] = Object.values(data)
  return others.length === 0 && isRecord(only) ? only : data
}

const listed = (records: readonly OpenRecord[]) => {
  if (records.length === 0) return text('There are none.')
  const wholes = records.map(wordsIn)
  const labels = [...new Set(wholes.flatMap((whole) => Object.keys(whole)))].slice(0, maxColumns)
  return table(
    labels,
    wholes.slice(0, maxRows).map((whole) => labels.map((label) => whole[label] ?? '')),
  )
}

/** Its plain values: the id first, then the sums. */
const wordsIn = (record: OpenRecord): Record<string, string> => {
  const { Id, ...others } = openFacts(record)
  return { ...(Id === undefined ? {} : { Id }), ...moneyIn(record), ...others }
}

/** `{ amount: 1000, currency: 'USD' }` inside it, in words. */
const moneyIn = (record: OpenRecord): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      if (!isRecord(value) || typeof value.currency !== 'string' || typeof value.amount !== 'number')
        return []
      const { value: amount, currency } = fromMinorUnits({ amount: value.amount, currency: value.currency })
      return [[fieldLabelOf(key), `${openText(amount)} ${currency}`]]
    }),
  )

/** How many digits a currency has behind the point: 2 for USD, none for JPY. */
const digitsOf = (currency: string): number => {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    return 2
  }
}

/** 12.5 USD as services count it: 1250 of the smallest unit. */
export const toMinorUnits = (amount: number, currency: string): { amount: number; currency: string } => ({
  amount: Math.round(amount * 10 ** digitsOf(currency)),
  currency,
})

export const fromMinorUnits = ({
  amount,
  currency,
}: {
  amount: number
  currency: string
}): { value: number; currency: string } => ({ value: amount / 10 ** digitsOf(currency), currency })
