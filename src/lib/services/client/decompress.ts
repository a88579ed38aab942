import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** Nobody asked for it, but a proxy in between may still pack an answer; one that does not unpack stays as it came. */
export function decompress(body: Buffer, encoding: string | string[] | undefined, maxBytes: number) {
  const unpack =
    unpackers[
      String(encoding ?? '')
        .trim()
        .toLowerCase()
    ]
  if (unpack === undefined) return body
  try {
    return unpack(body, { maxOutputLength: maxBytes })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : body
  }
}

type Unpack = (body: Buffer, limits: { maxOutputLength: number }) => Buffer

const unpackers: Record<string, Unpack | undefined> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}
