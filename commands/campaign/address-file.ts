import { setImmediate as breathe } from 'node:timers/promises'
import type { TextFile } from '../../src/kernel/command/line/text-file.ts'
import { CsvError, type CsvRow, readCsv } from '../../src/lib/codecs/csv.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { emailAddress } from '../../src/lib/services/endpoints/request-fields.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'

/**
 * The addresses in a CSV or text file: from the column called email, from the column with addresses in it, or
 * one per line.
 */
export const addressesIn = async ({ name, text }: TextFile): Promise<Result<string[]>> => {
  try {
    const rows = readCsv(text)
    const first = rows.next()
    if (first.done) return no(refusal('bad_file', `${theirs(name)} has no lines.`))
    const { column, isHeader } = columnOf(first.value)
    if (column === undefined) {
      return no(
        refusal(
          'bad_file',
          `${theirs(name)} has no column called email, and no addresses in its first line.`,
          {
            next: 'Name the column email in the first line, or write one address per line.',
          },
        ),
      )
    }
    const addresses: string[] = []
    const take = ({ cells }: CsvRow) => {
      if (column === 'all') addresses.push(...cells.filter((cell) => cell.trim() !== ''))
      else addresses.push(cells[column] ?? '')
    }
    if (!isHeader) take(first.value)
    for (const row of rows) {
      take(row)
      if (row.line % 5_000 === 0) await breathe()
    }
    return addresses.length > 0
      ? ok(addresses)
      : no(refusal('bad_file', `${theirs(name)} has a header and nothing else.`))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return no(
      refusal('bad_file', `${theirs(name)}: ${error.message}`, {
        next: 'Correct that line, and attach the file again.',
      }),
    )
  }
}

const headers: ReadonlySet<string> = new Set(['email', 'emailaddress', 'mail', 'address', 'emails'])

const columnOf = ({ cells }: CsvRow): { column: number | 'all' | undefined; isHeader: boolean } => {
  const named = cells.findIndex((cell) => headers.has(cell.toLowerCase().replace(/[^a-z]/g, '')))
  if (named !== -1) return { column: named, isHeader: true }
  const holding = cells.flatMap((cell, at) => (emailAddress.safeParse(cell.trim()).success ? [at] : []))
  if (holding.length > 1) return { column: 'all', isHeader: false }
  if (holding.length === 1) return { column: holding[0], isHeader: false }
  // A single column without a known name: lines that are addresses are used, the others are reported.
  return { column: cells.length === 1 ? 0 : undefined, isHeader: false }
}
