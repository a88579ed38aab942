import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toTextFile } from '../../src/kernel/command/line/text-file.ts'
import { CsvError, csvLine, plainCell, readCsv } from '../../src/lib/codecs/csv.ts'
import { anyText } from '../harness/any-text.ts'

const rowsOf = (text: string): string[][] => [...readCsv(text)].map(({ cells }) => cells)
const sentenceOf = (text: string): string => {
  try {
    rowsOf(text)
  } catch (error) {
    if (error instanceof CsvError) return error.message
    throw error
  }
  throw new Error('it was read')
}

/** As a sheet cuts it that takes no quotes but those around a whole cell. */
const looselyCut = (text: string, separator: string): string[] => [
  ...text.split(/\r\n|\r|\n/).flatMap((line) => line.split(separator).map((one) => one.replace(/^"+/, ''))),
  ...(closesItsQuotes(text, separator) ? rowsOf(`sep=${separator}\n${text}`).flat() : []),
]

const closesItsQuotes = (text: string, separator: string): boolean => {
  try {
    return rowsOf(`sep=${separator}\n${text}`).length > 0
  } catch {
    return false
  }
}

describe('a CSV file', () => {
  it.each<[string, string, string[][]]>([
    [
      'commas',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b\n1,5;2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a separator line', 'sep=;\na;b', [['a', 'b']]],
    [
      'Windows lines',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'old Mac lines',
      'a,b\r1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quotes',
      '"a ""b""","c,d"\n"e\nf",g',
      [
        ['a "b"', 'c,d'],
        ['e\nf', 'g'],
      ],
    ],
    ['quotes that end early', '"a"b,c', [['ab', 'c']]],
    [
      'empty lines',
      '\n\na,b\n\n\n1,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['lines of different lengths', 'a,b,c\n1\n1,2,3,4', [['a', 'b', 'c'], ['1'], ['1', '2', '3', '4']]],
    [
      'separators inside quotes of its first line',
      '"a;b;c;d",e\n1,2',
      [
        ['a;b;c;d', 'e'],
        ['1', '2'],
      ],
    ],
    ['one column', 'email\na@b.io', [['email'], ['a@b.io']]],
  ])('may have %s', (_, text, rows) => {
    expect(rowsOf(text)).toEqual(rows)
  })

  it('knows its line numbers, also after values that go over several', () => {
    expect([...readCsv('a\n"b\nc"\n\nd')].map(({ line }) => line)).toEqual([1, 2, 5])
  })

  it.each([
    ['a million columns', 'x,'.repeat(1_000_000), 'Line 1 has more than 200 columns.'],
    [
      'a value without end',
      `a,b\n1,${'x'.repeat(20_000)}`,
      'Line 2 has a value of more than 10,000 characters.',
    ],
    [
      'a quoted value without end',
      `a\n"${'x""'.repeat(8_000)}"`,
      'Line 2 has a value of more than 10,000 characters.',
    ],
    ['a quote that never closes', 'a,b\n"1,2\n3,4', 'A quote that opens on line 2 is never closed.'],
  ])('with %s gets a sentence', (_, text, sentence) => {
    expect(sentenceOf(text)).toBe(sentence)
  })

  it('is read in no time, whatever is in it', () => {
    const before = process.threadCpuUsage()
    for (const hostile of [
      '"'.repeat(200_001),
      ','.repeat(200),
      '\n'.repeat(1_000_000),
      '""'.repeat(4_000),
    ]) {
      try {
        rowsOf(hostile)
      } catch (error) {
        expect(error).toBeInstanceOf(CsvError)
      }
    }
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(5_000)
  })

  it('that was written is read again as it was, and holds no formula with whichever separator it is opened', () => {
    const cell = fc.oneof(
      anyText(),
      fc.string({ unit: fc.constantFrom(...'ab=+-@,;|\t\r\n" \'＝') }),
      fc.constantFrom('=1', 'a"b', 'a,b', 'a;=1+1', 'a\r\n-1', '@x', 'x";"=1'),
    )
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (rows) => {
        const text = `${csvLine(['h', 'i'])}${rows.map((row) => csvLine(row)).join('')}`
        const plain = (all: string[][]) => all.map((row) => row.map(plainCell))
        expect(plain(rowsOf(`sep=,\n${text}`).slice(1))).toEqual(plain(rows))
        for (const separator of [',', ';', '\t', '|']) {
          const cells = looselyCut(text, separator)
          expect(cells.filter((one) => /^ *[=+\-@\t＝＋－＠]/.test(one))).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })

  it('keeps numbers numbers', () => {
    expect(csvLine([-5, 'a', null, true, '-5'])).toBe("-5,a,,true,'-5\r\n")
  })
})

describe('an attached file', () => {
  const read = (bytes: Uint8Array, name = 'x.csv') => toTextFile({ name, bytes }, 'file')

  it.each([
    ['UTF-8', Buffer.from('email\nåsa@example.com')],
    ['UTF-8 with a mark', Buffer.from('\uFEFFemail\nåsa@example.com')],
    ['UTF-16', Buffer.from('\uFEFFemail\nåsa@example.com', 'utf16le')],
    ['UTF-16 the other way round', Buffer.from('\uFEFFemail\nåsa@example.com', 'utf16le').swap16()],
  ])('may be in %s', (_, bytes) => {
    expect(read(bytes)).toEqual({ ok: true, value: { name: 'x.csv', text: 'email\nåsa@example.com' } })
  })

  it.each([
    ['a zip bomb', Buffer.from('PK\x03\x04aaaa'), 'a zip archive or a spreadsheet, not text'],
    ['something compressed', Buffer.from([0x1f, 0x8b, 8, 0]), 'compressed, not text'],
    ['an old spreadsheet', Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'an old spreadsheet, not text'],
    ['a PDF', Buffer.from('%PDF-1.7'), 'a PDF, not text'],
    ['NUL bytes', Buffer.from('email\n\0'), 'contains NUL bytes'],
    ['another encoding', Buffer.from([0x65, 0xe5, 0x0a]), 'is not text in UTF-8'],
    ['nothing', Buffer.from(' \n'), 'is empty'],
    ['too much', Buffer.alloc(26 * 1024 * 1024, 'a'), 'is larger than 25 MB'],
  ])('with %s gets a sentence', (_, bytes, sentence) => {
    const read1 = read(bytes)
    expect(!read1.ok && read1.refusal).toMatchObject({
      code: 'bad_file',
      message: expect.stringContaining(sentence),
    })
  })
})
