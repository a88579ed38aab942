import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { decompress } from '../../../src/lib/services/client/decompress.ts'

const plain = Buffer.from(JSON.stringify({ message: 'x'.repeat(500) }))
const packers = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  ' GZIP ': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
}

it.each(Object.entries(packers))(
  '%s is unpacked up to the limit, and what is no such packing stays as it came',
  (name, pack) => {
    const packed = pack(plain)
    expect(decompress(packed, name, plain.length)).toEqual(plain)
    expect(decompress(packed, name, plain.length - 1)).toBe('too large')
    expect(decompress(plain, name, plain.length)).toBe(plain)
    const torn = packed.subarray(0, -4)
    expect(decompress(torn, name, plain.length)).toBe(torn)
  },
)

it.each([undefined, '', 'identity', 'zstd', ['gzip', 'br']])('%j is not unpacked', (name) => {
  const packed = gzipSync(plain)
  expect(decompress(packed, name, plain.length)).toBe(packed)
})
