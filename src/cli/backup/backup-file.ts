import { createHash, type Hash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, linkSync, rmSync } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { ownFileMode } from '../../lib/private-files.ts'
import type { Table } from './tables.ts'

/**
 * A backup is one file: lines of JSON, packed by gzip. The first says what it is; then come texts and tables, each with
 * its rows behind it; the last has the digest of each of them, so that a file that was cut or spoiled is known for one.
 */
export const backupHead = z.object({
  bellhop: z.literal('backup'),
  format: z.literal(1),
  /** The version of Bellhop that wrote it, and that of its database. */
  version: z.string(),
  schema: z.int(),
  /** The tables of features in it, by their names. */
  features: z.array(z.string()).default([]),
  at: z.int(),
})
export type BackupHead = z.infer<typeof backupHead>

/** Everything beside the database, by what it is called on a disk. */
export const textNames = ['bellhop.yml', 'bellhop.yml.sig', 'packs.lock', 'audit-key.pem.age'] as const
export type BackupTexts = Partial<Record<(typeof textNames)[number], string>>

type TableRows = { table: Table; pages: AsyncIterable<unknown[][]> }

const line = z.union([
  z.object({ text: z.enum(textNames), content: z.string() }),
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  z.object({ digests: z.record(z.string(), z.string()) }),
  z.array(z.union([z.string(), z.number(), z.null()])),
])

/** What is wrong with a file that is not what it should be, in a sentence. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Writes it beside its place, and puts it there when all of it is on the disk. Returns the digest of the file. */
export const writeBackup = async (
  file: string,
  head: BackupHead,
  texts: BackupTexts,
  tables: AsyncIterable<TableRows>,
): Promise<string> => {
  const part = `${file}.${randomUUID()}`
  const whole = createHash('sha256')
  const summed = new Transform({
    transform: (chunk: Buffer, _, done) => {
      whole.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await pipeline(
      Readable.from(linesOf(head, texts, tables)),
      createGzip(),
      summed,
      createWriteStream(part, { mode: ownFileMode, flags: 'wx', flush: true }),
    )
    // Over nothing that is there.
    linkSync(part, file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new BackupError(`${file} is there already: nothing is written over it.`)
    if (code !== undefined && /^E[A-Z]+$/.test(code))
      throw new BackupError(`${file} cannot be written: ${message}.`)
    throw error
  } finally {
    rmSync(part, { force: true })
  }
  return whole.digest('hex')
}

async function* linesOf(
  head: BackupHead,
  texts: BackupTexts,
  tables: AsyncIterable<TableRows>,
): AsyncGenerator<string> {
  const digests: Record<string, string> = {}
  const begin = (name: string): Hash => {
    const hash = createHash('sha256')
    ended = () => {
      digests[name] = hash.digest('hex')
    }
    return hash
  }
  let ended = (): void => undefined
  const written = (value: unknown): string => `${JSON.stringify(value)}\n`
  const first = written(head)
  begin('head').update(first)
  yield first
  ended()
  for (const [text, content] of Object.entries(texts)) {
    const one = written({ text, content })
    begin(text).update(one)
    yield one
    ended()
  }
  for await (const { table, pages } of tables) {
    const { name, columns } = table
    const hash = begin(`table ${name}`)
    const named = written({ table: name, columns })
    hash.update(named)
    yield named
    for await (const page of pages) {
      const rows = page.map(written).join('')
      hash.update(rows)
      yield rows
    }
    ended()
  }
  yield written({ digests })
}

/** What is in a backup, in its order. A table's rows follow it, one at a time. */
export type BackupItem =
  | { kind: 'head'; head: BackupHead }
  | { kind: 'text'; name: keyof BackupTexts; content: string }
  | { kind: 'table'; table: Table }
  | { kind: 'row'; values: (string | number | null)[] }

/** Reads a backup from its beginning; what is spoiled, cut or something else throws, at the latest at its end. */
export async function* readBackup(file: string): AsyncGenerator<BackupItem> {
  const found: Record<string, string> = {}
  let name = ''
  let hash = createHash('sha256')
  let isEnded = false
  const close = (next: string): void => {
    if (name !== '') found[name] = hash.digest('hex')
    name = next
    hash = createHash('sha256')
  }
  for await (const text of textLines(file)) {
    if (isEnded) throw new BackupError(`${file} goes on after its end.`)
    if (name === '') {
      const head = backupHead.safeParse(jsonIn(text))
      if (!head.success) throw new BackupError(notOurs(file, jsonIn(text)))
      close('head')
      hash.update(`${text}\n`)
      yield { kind: 'head', head: head.data }
      continue
    }
    const read = line.safeParse(jsonIn(text))
    if (!read.success) throw new BackupError(spoiled(file))
    const { data } = read
    if (!Array.isArray(data))
      close('text' in data ? data.text : 'table' in data ? `table ${data.table}` : 'end')
    hash.update(`${text}\n`)
    if (Array.isArray(data)) yield { kind: 'row', values: data }
    else if ('text' in data) yield { kind: 'text', name: data.text, content: data.content }
    else if ('table' in data) yield { kind: 'table', table: { name: data.table, columns: data.columns } }
    else {
      isEnded = true
      const names = new Set([...Object.keys(found), ...Object.keys(data.digests)])
      const wrong = [...names].find((one) => found[one] !== data.digests[one])
      if (wrong !== undefined)
        throw new BackupError(
          `${file} is spoiled: "${wrong}" in it does not fit its digest. Take another backup.`,
        )
    }
  }
  if (!isEnded) throw new BackupError(name === '' ? notOurs(file, undefined) : cut(file))
}

const spoiled = (file: string): string =>
  `${file} is spoiled: a line in it cannot be read. Take another backup.`
const cut = (file: string): string => `${file} was cut: its end is missing. Take another backup.`

const notOurs = (file: string, first: unknown): string =>
  z.object({ bellhop: z.literal('backup') }).safeParse(first).success
    ? `${file} was written by a newer Bellhop. Restore it with that one.`
    : `${file} is no backup of Bellhop.`

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function* textLines(file: string): AsyncGenerator<string> {
  const packed = createReadStream(file)
  const unpacked = packed.pipe(createGunzip())
  packed.on('error', (error) => unpacked.destroy(error))
  unpacked.setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of unpacked as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new BackupError(cut(file))
    if (code === 'Z_DATA_ERROR' && message.includes('header')) throw new BackupError(notOurs(file, undefined))
    if (code.startsWith('Z_')) throw new BackupError(spoiled(file))
    if (/^E[A-Z]+$/.test(code)) throw new BackupError(`${file} cannot be read: ${message}.`)
    throw error
  } finally {
    packed.destroy()
  }
  if (rest !== '') throw new BackupError(cut(file))
}
