/** What is wrong with a file, as a sentence for people. */
export class CsvError extends Error {
  override name = 'CsvError'
}

export type CsvRow = { line: number; cells: string[] }

const maxColumns = 200
const maxCharacters = 10_000
const separators = [',', ';', '\t', '|'] as const

/**
 * Reads the rows of RFC 4180 and of the variants that spreadsheets write: semicolons, tabs, any line ending,
 * a `sep=` line, lines of different lengths. Empty lines are skipped. Limits are checked while reading, so a
 * hostile file is refused early.
 */
export const readCsv = function* (text: string): Generator<CsvRow> {
  const hint = /^sep=([,;\t|])\r?\n/i.exec(text)
  const separator = hint?.[1] ?? sniff(text)
  let at = hint?.[0].length ?? 0
  let line = hint === null ? 1 : 2
  while (at < text.length) {
    const cells: string[] = []
    const first = line
    for (let isRow = true; isRow; ) {
      const cell = text[at] === '"' ? quoted(text, at, first) : { value: '', end: at, lines: 0 }
      const end = endOfCell(text, cell.end, separator)
      const value = cell.value + text.slice(cell.end, end)
      if (value.length > maxCharacters) {
        throw new CsvError(`Line ${first} has a value of more than 10,000 characters.`)
      }
      if (cells.push(value) > maxColumns) throw new CsvError(`Line ${first} has more than 200 columns.`)
      line += cell.lines
      at = end + 1
      isRow = text[end] === separator
      if (text[end] === '\r' && text[at] === '\n') at++
    }
    line++
    if (cells.length > 1 || cells[0]?.trim() !== '') yield { line: first, cells }
  }
}

/** The separator that occurs most often in the first line, outside quotes. */
const sniff = (text: string): string => {
  const start = /^[\r\n]*([^\r\n]*)/.exec(text.slice(0, 100_000))?.[1] ?? ''
  const plain = start.replace(/"[^"]*"/g, '')
  const counts = separators.map((one) => ({ one, count: plain.split(one).length }))
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).one
}

/** Reads a quoted value: the value, where it ends, and how many lines it spans. */
const quoted = (text: string, at: number, line: number): { value: string; end: number; lines: number } => {
  let value = ''
  let from = at + 1
  for (;;) {
    const close = text.indexOf('"', from)
    if (close === -1) throw new CsvError(`A quote that opens on line ${line} is never closed.`)
    value += text.slice(from, close)
    if (text[close + 1] !== '"') {
      return { value, end: close + 1, lines: value.split(/\r\n|\r|\n/).length - 1 }
    }
    value += '"'
    from = close + 2
    if (value.length > maxCharacters) {
      throw new CsvError(`Line ${line} has a value of more than 10,000 characters.`)
    }
  }
}

const endOfCell = (text: string, from: number, separator: string): number => {
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === separator || char === '\n' || char === '\r') return at
  }
  return text.length
}

type Cell = string | number | boolean | null | undefined

/** One line of RFC 4180, safe to open in a spreadsheet. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`

const cellOf = (cell: Cell): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const safe = cell.replace(firstFormula, "$1'")
  if (!/[",\r\n;\t|]/.test(safe)) return safe
  return `"${safe.replace(formula, "$1'").replaceAll('"', '""')}"`
}

/** The value of a cell that came out of a spreadsheet: the apostrophe before a formula is no part of it. */
export const plainCell = (cell: string): string => cell.replace(defused, '$1').replace(firstDefused, '$1')

// A sheet that is read with another separator than it was written with is cut inside its cells, quotes or not. So
// what could begin a formula gets an apostrophe wherever a cell could begin.
const formula = /([,;\t|\r\n"][ \u00a0]*)(?=[=+\-@\t\r＝＋－＠])/g
const defused = /([,;\t|\r\n"][ \u00a0]*)'(?=[=+\-@\t\r＝＋－＠])/g
const firstFormula = /^([ \u00a0]*)(?=[=+\-@\t\r＝＋－＠])/
const firstDefused = /^([ \u00a0]*)'(?=[=+\-@\t\r＝＋－＠])/
