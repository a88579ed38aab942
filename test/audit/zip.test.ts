import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ZipFile, zipOf } from '../../src/lib/codecs/zip.ts'
import { gather } from '../storage/store.ts'

const piecesOf = (files: ZipFile[]) =>
  zipOf(
    (async function* () {
      yield* files
    })(),
  )
const packed = async (...files: ZipFile[]) => Buffer.concat(await gather(piecesOf(files)))

it('an archive is the same bytes wherever it is made, and what other programs read', async () => {
  const bytes = await packed(
    { name: 'a.txt', content: 'grüße' },
    { name: 'b/c.bin', content: Buffer.of(0, 255) },
  )
  expect(bytes.toString('hex').match(/.{1,64}/g)).toMatchInlineSnapshot(`
    [
      "504b030414000000000000002100ed496e34070000000700000005000000612e",
      "7478746772c3bcc39f65504b03041400000000000000210072fddb6c02000000",
      "0200000007000000622f632e62696e00ff504b01021400140000000000000021",
      "00ed496e34070000000700000005000000000000000000000000000000000061",
      "2e747874504b010214001400000000000000210072fddb6c0200000002000000",
      "07000000000000000000000000002a000000622f632e62696e504b0506000000",
      "000200020068000000510000000000",
    ]
  `)
  const file = join(mkdtempSync(join(tmpdir(), 'bellhop-zip-')), 'a.zip')
  writeFileSync(file, bytes)
  const script =
    'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print([(i.filename,i.date_time,z.read(i)) for i in z.infolist()])'
  expect(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }).trim()).toBe(
    "[('a.txt', (1980, 1, 1, 0, 0, 0), b'gr\\xc3\\xbc\\xc3\\x9fe'), ('b/c.bin', (1980, 1, 1, 0, 0, 0), b'\\x00\\xff')]",
  )
})

it('as many files as the format can number, and not one more', async () => {
  const files = Array.from({ length: 65_536 }, (_, n) => ({ name: `${n}`, content: '' }))
  const end = (await packed(...files.slice(1))).subarray(-22)
  expect([end.readUInt16LE(8), end.readUInt16LE(10)]).toEqual([65_535, 65_535])
  await expect(packed(...files)).rejects.toThrow('too large for this format')
})

it('all that the format can find again, short of 4 GiB, and not a byte more', async () => {
  const [maxBytes, header] = [2 ** 32 - 2 ** 24, 30 + 'a'.length]
  const first = { name: 'a', content: 'x' }
  const second = { name: 'b', content: Buffer.alloc(maxBytes - header) }
  await expect(gather(piecesOf([first, second]))).rejects.toThrow('too large for this format')
})
