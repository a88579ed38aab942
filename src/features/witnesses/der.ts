/** One element of DER: what kind it is, what it holds, and all its bytes. */
export type Der = { tag: number; body: Buffer; whole: Buffer }

/** The elements that stand one after the other in these bytes. It throws where they are not DER. */
export const readDer = (bytes: Buffer): Der[] => {
  const elements: Der[] = []
  for (let at = 0; at < bytes.length; ) {
    const { length, start } = lengthAt(bytes, at + 1)
    const end = start + length
    if (end > bytes.length) throw new TypeError('the DER is cut off')
    elements.push({
      tag: bytes[at] as number,
      body: bytes.subarray(start, end),
      whole: bytes.subarray(at, end),
    })
    at = end
  }
  return elements
}

/** An element of this kind that holds these parts. */
export const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(body.length), body])
}

/** A number as DER writes it: without needless zeros, and with one where the first bit would say that it is negative. */
export const derInteger = (bytes: Buffer): Buffer => {
  const from = bytes.findIndex((byte) => byte !== 0)
  const short = from === -1 ? Buffer.of(0) : bytes.subarray(from)
  return der(tags.integer, (short[0] as number) >= 0x80 ? Buffer.concat([Buffer.of(0), short]) : short)
}

/** An object identifier in its dotted form. */
export const oidOf = ({ body }: Pick<Der, 'body'>): string => {
  const numbers: number[] = []
  let number = 0
  for (const byte of body) {
    number = number * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      numbers.push(number)
      number = 0
    }
  }
  const [first = 0, ...rest] = numbers
  const top = Math.min(2, Math.floor(first / 40))
  return [top, first - top * 40, ...rest].join('.')
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
} as const

const lengthAt = (bytes: Buffer, at: number): { length: number; start: number } => {
  const first = bytes[at]
  if (first === undefined || first === 0x80 || first > 0x84) throw new TypeError('this is not DER')
  if (first < 0x80) return { length: first, start: at + 1 }
  const count = first - 0x80
  if (at + 1 + count > bytes.length) throw new TypeError('the DER is cut off')
  return { length: bytes.readUIntBE(at + 1, count), start: at + 1 + count }
}

const lengthOf = (length: number): Buffer => {
  if (length < 0x80) return Buffer.of(length)
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.of(0x80 + bytes.length), bytes])
}
