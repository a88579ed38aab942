import fc from 'fast-check'

const halves = { from: 0xd800, count: 0x800 }

/** As `unit: 'binary'` of the library, which makes a table of all 1,112,064 of them in each process first. */
const anyCharacter = fc.nat(0x10ffff - halves.count).map(
  (at) => String.fromCodePoint(at < halves.from ? at : at + halves.count),
  (character) => {
    const point = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1
    if (point < 0 || String.fromCodePoint(point) !== character) throw new Error('not one whole character')
    return point < halves.from ? point : point - halves.count
  },
)

export const anyText = (length: { maxLength?: number } = {}) => fc.string({ ...length, unit: anyCharacter })
