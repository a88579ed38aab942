import { crc32 } from 'node:zlib'

/** A file of an archive. Its name holds no letters but ASCII. */
export type ZipFile = { name: string; content: string | Buffer }

/**
 * A zip archive, piece by piece, in which files are stored as they are and nothing depends on when or where it was made:
 * the same files in the same order are the same bytes.
 */
export const zipOf = async function* (files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let at = 0
  for await (const { name, content } of files) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    if (at + bytes.length > maxBytes || directory.length === maxFiles) {
      throw new RangeError('the archive is too large for this format')
    }
    const header = headerOf(name, bytes)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), header, entryTail(at), Buffer.from(name)]),
    )
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, Buffer.from(name)])
    yield local
    yield bytes
    at += local.length + bytes.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  yield listed
  yield end
}

const maxBytes = 2 ** 32 - 2 ** 24
const maxFiles = 65_535
/** The first day that the format knows. */
const day = (1 << 5) | 1

/** What both headers of a file share. */
const headerOf = (name: string, bytes: Buffer): Buffer => {
  const header = Buffer.alloc(26)
  header.writeUInt16LE(20, 0)
  header.writeUInt16LE(day, 8)
  header.writeUInt32LE(crc32(bytes), 10)
  header.writeUInt32LE(bytes.length, 14)
  header.writeUInt32LE(bytes.length, 18)
  header.writeUInt16LE(name.length, 22)
  return header
}

const entryTail = (at: number): Buffer => {
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(at, 10)
  return tail
}
