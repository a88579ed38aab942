import { setImmediate as breathe } from 'node:timers/promises'
import type { TextFile } from '../../src/kernel/command/line/text-file.ts'
import { isConsistent } from '../../src/kernel/command/tags.ts'
import { CsvError, type CsvRow, plainCell, readCsv } from '../../src/lib/codecs/csv.ts'
import { type NumberRead, readNumber } from '../../src/lib/codecs/read-number.ts'
import { defined } from '../../src/lib/defined.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { emailAddress } from '../../src/lib/services/endpoints/request-fields.ts'
import { asTyped, theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import type { Wording } from '../../src/lib/view/wording.ts'
import type { Values } from './changes.ts'

export type ImportRow = { email: string; values: Values }

/** The rows of a file by address in lower case, and how many could not be used. */
export type Imported = {
  rows: Map<string, ImportRow>
  invalid: number
  /** "line 7: the lead score is not a whole number" */
  problems: string[]
  duplicates: number
  ignored: string[]
}

const maxRows = 250_000

/** Header names, compared by their letters only. */
const columns: Readonly<Record<string, keyof Values | 'email'>> = {
  email: 'email',
  emailaddress: 'email',
  mail: 'email',
  firstname: 'firstName',
  givenname: 'firstName',
  lastname: 'lastName',
  surname: 'lastName',
  familyname: 'lastName',
  leadscore: 'leadScore',
  score: 'leadScore',
  status: 'status',
  tags: 'tagsToAdd',
  tagstoadd: 'tagsToAdd',
  addtags: 'tagsToAdd',
  tagstoremove: 'tagsToRemove',
  removetags: 'tagsToRemove',
  company: 'company',
  position: 'position',
  jobtitle: 'position',
}

const columnNames =
  'email, first name, last name, lead score, status, tags to add, tags to remove, company, position'

export const importedFrom = async (
  { name, text }: TextFile,
  { ignoreUnknown }: { ignoreUnknown: boolean },
): Promise<Result<Imported>> => {
  const bad = (message: string, next: Wording = `The columns are: ${columnNames}.`) =>
    no(refusal('bad_file', `${theirs(name)}: ${message}`, { next }))
  try {
    const lines = readCsv(text)
    const first = lines.next()
    if (first.done) return bad('there are no lines in it.')
    const fields = first.value.cells.map((cell) => columns[cell.toLowerCase().replace(/[^a-z]/g, '')])
    const named = fields.flatMap((field) => field ?? [])
    if (!named.includes('email')) return bad('the first line has no column called email.')
    const twice = named.find((field, at) => named.indexOf(field) !== at)
    if (twice !== undefined) return bad(`two columns are both ${theirs(twice)}.`)
    const ignored = first.value.cells
      .filter((_, at) => fields[at] === undefined)
      .map((cell) => cell.slice(0, 40))
    if (ignored.length > 0 && !ignoreUnknown) {
      return bad(
        `unknown ${ignored.length === 1 ? 'column' : 'columns'}: ${ignored.slice(0, 5).join(', ')}.`,
        (as) => `The columns are: ${columnNames}. Add ${as.flag('ignoreUnknown')} to leave the others out.`,
      )
    }
    return await collect(lines, fields, ignored, bad)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return bad(error.message, 'Correct that line, and attach the file again.')
  }
}

const collect = async (
  lines: Iterable<CsvRow>,
  fields: readonly (keyof Values | 'email' | undefined)[],
  ignored: string[],
  bad: (message: string, next?: string) => Result<never>,
): Promise<Result<Imported>> => {
  const found: Imported = { rows: new Map(), invalid: 0, problems: [], duplicates: 0, ignored }
  for (const row of lines) {
    if (row.line % 2_000 === 0) await breathe()
    const read = rowOf(row, fields)
    if (typeof read === 'string') {
      found.invalid++
      if (found.problems.length < 5) found.problems.push(`line ${row.line}: ${read}`)
      continue
    }
    const key = read.email.toLowerCase()
    if (found.rows.has(key)) found.duplicates++
    else found.rows.set(key, read)
    if (found.rows.size > maxRows) return bad('it has more than 250,000 rows.', 'Split it.')
  }
  return ok(found)
}

/** A row, or what is wrong with it. An empty cell leaves the field unchanged. */
const rowOf = (
  { cells }: CsvRow,
  fields: readonly (keyof Values | 'email' | undefined)[],
): ImportRow | string => {
  const given: Partial<Record<keyof Values | 'email', string>> = {}
  for (const [at, field] of fields.entries()) {
    const cell = plainCell(cells[at] ?? '').trim()
    if (field !== undefined && cell !== '') given[field] = cell
  }
  const { email = '', leadScore, status, tagsToAdd, tagsToRemove, ...rest } = given
  if (!emailAddress.safeParse(email).success) return `${asTyped(email.slice(0, 40))} is not an email address`
  const score = leadScore === undefined ? undefined : readNumber(leadScore)
  if (score !== undefined && !isWhole(score)) {
    return (score.ok ? undefined : score.why) ?? 'the lead score is not a whole number'
  }
  const values: Values = {
    ...rest,
    ...(score?.ok ? { leadScore: score.value } : {}),
    ...defined({ status: status?.toLowerCase() }),
    ...(tagsToAdd === undefined ? {} : { tagsToAdd: namesIn(tagsToAdd) }),
    ...(tagsToRemove === undefined ? {} : { tagsToRemove: namesIn(tagsToRemove) }),
  }
  return isConsistent(values) ? { email, values } : 'a tag is both added and removed'
}

const isWhole = (read: NumberRead): boolean => read.ok && read.unit === null && Number.isInteger(read.value)

const namesIn = (cell: string): string[] =>
  cell
    .split(/[,;|]/)
    .map((name) => name.trim())
    .filter(Boolean)
