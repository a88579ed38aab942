import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Der, der, derInteger, oidOf, readDer } from '../../../src/features/witnesses/der.ts'
import { WitnessError, whyAway } from '../../../src/features/witnesses/witness.ts'
import { notesIn } from '../../../src/kernel/model/checkpoint.ts'

describe('DER', () => {
  it.each([
    [0, '00'],
    [1, '01'],
    [127, '7f'],
    [128, '8180'],
    [255, '81ff'],
    [256, '820100'],
    [65_535, '82ffff'],
    [65_536, '83010000'],
  ])('a length of %i is written as %s, and read again', (length, head) => {
    const body = Buffer.alloc(length, 7)
    const bytes = der(0x04, body)
    expect(bytes.subarray(0, 1 + head.length / 2).toString('hex')).toBe(`04${head}`)
    expect(readDer(bytes)).toEqual([{ tag: 4, body, whole: bytes }])
    for (const cut of [bytes.subarray(0, -1), bytes.subarray(0, head.length / 2)])
      if (cut.length > 0 && length > 0) expect(() => readDer(cut)).toThrow(TypeError)
  })

  it('elements one after the other are read as they were written', () => {
    const element = fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 300, size: 'max' }))
    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), (elements) => {
        const read = readDer(Buffer.concat(elements.map(([tag, body]) => der(tag, Buffer.from(body)))))
        expect(read.map(({ tag, body }) => [tag, new Uint8Array(body)])).toEqual(elements)
      }),
    )
  })

  it.each(['04', '0480', '0485', '048400000001', '04820001', '0402ff', '0481', '05000403'])(
    '%s is cut off or none',
    (hex) => {
      expect(() => readDer(Buffer.from(hex, 'hex'))).toThrow(TypeError)
    },
  )

  it('a length of four bytes is the longest that is read', () => {
    expect(readDer(Buffer.from('048400000001ff', 'hex'))[0]?.body).toEqual(Buffer.of(255))
    expect(() => readDer(Buffer.from('04850000000001ff', 'hex'))).toThrow('this is not DER')
  })

  it.each([
    ['00', '020100'],
    ['0000', '020100'],
    ['', '020100'],
    ['01', '020101'],
    ['007f', '02017f'],
    ['80', '02020080'],
    ['00ff00', '020300ff00'],
  ])('the number %s is written as %s', (number, written) => {
    expect(derInteger(Buffer.from(number, 'hex')).toString('hex')).toBe(written)
  })

  it.each([
    ['2a864886f70d010702', '1.2.840.113549.1.7.2'],
    ['608648016503040201', '2.16.840.1.101.3.4.2.1'],
    ['00', '0.0'],
    ['27', '0.39'],
    ['28', '1.0'],
    ['4f', '1.39'],
    ['50', '2.0'],
    ['883703', '2.999.3'],
    ['2a818000', '1.2.16384'],
    ['', '0.0'],
  ])('%s names %s', (hex, name) => {
    expect(oidOf({ body: Buffer.from(hex, 'hex') } as Der)).toBe(name)
  })
})

describe('notes among other words', () => {
  const root = `${'A'.repeat(43)}=`
  const note = `bellhop/one\n7\n${root}\n\n\u2014 bellhop/one c2ln\n`
  it.each<[string, string, string[]]>([
    ['alone', note, [note]],
    [
      'behind words on its first line, and before others',
      `Bellhop APP  9:00\nkeeps bellhop/one\n7\n${root}\n\n\u2014 bellhop/one c2ln (edited)\nmore`,
      [note],
    ],
    [
      'with blanks around',
      note
        .split('\n')
        .map((line) => `  ${line} `)
        .join('\n'),
      [note],
    ],
    ['twice', `${note}\n${note.replace('\n7\n', '\n8\n')}`, [note, note.replace('\n7\n', '\n8\n')]],
    ['with nine blank lines', note.replace('\n\n', `${'\n'.repeat(10)}`), [note]],
    ['with ten blank lines', note.replace('\n\n', `${'\n'.repeat(11)}`), []],
    ['without a blank line', note.replace('\n\n', '\n'), []],
    ['without a size', note.replace('\n7\n', '\nseven\n'), []],
    ['without an origin', note.replace('bellhop/one\n7', '\n7'), []],
    ['that begins with its size', note.slice('bellhop/one\n'.length), []],
    ['that begins with its root', note.slice('bellhop/one\n7\n'.length), []],
    ['with a short root', note.replace('AA', 'A'), []],
    ['without a signature', note.replace('\u2014', '-'), []],
    ['with nothing behind it', `bellhop/one\n7\n${root}`, []],
  ])('%s', (_, text, found) => {
    expect(notesIn(text)).toEqual(found)
  })

  it.each<[unknown, string]>([
    [new WitnessError('it is full'), 'it is full'],
    [Object.assign(new Error('secret'), { code: 'EIO' }), 'EIO'],
    [Object.assign(new RangeError('secret'), { code: 5 }), 'RangeError'],
    [{}, 'error'],
  ])('why a witness is away is told without what others say', (error, words) => {
    expect(whyAway(error)).toBe(words)
  })
})
