import { z } from 'zod'
import { no, ok, type Result } from '../../../lib/result.ts'
import { type Refusal, refusal } from '../../../lib/view/refusals.ts'

/** An attached file as a command receives it. */
export const textFile = z.object({ name: z.string(), text: z.string() })
export type TextFile = z.infer<typeof textFile>

/** Adapters check the size before and while they read a file. */
export const maxFileBytes = 25 * 1024 * 1024

/** The text of a file, or a refusal that says what it is instead. */
export const toTextFile = (
  { name, bytes }: { name: string; bytes: Uint8Array },
  field: string,
): Result<TextFile> => {
  const refused = (message: string, next: string): { ok: false; refusal: Refusal } =>
    no(refusal('bad_file', message, { field, next }))
  const shown = name.slice(0, 80)
  if (bytes.length > maxFileBytes) {
    return refused(`${shown} is larger than 25 MB.`, 'Split it, and send the parts one after the other.')
  }
  const known = magic.find(({ starts }) => starts.every((byte, at) => bytes[at] === byte))
  if (known !== undefined) return refused(`${shown} is ${known.what}, not text.`, known.next)
  const text = decode(bytes)
  if (text === undefined) {
    return refused(`${shown} is not text in UTF-8.`, 'Save it as CSV in UTF-8, and attach it again.')
  }
  if (text.includes('\0')) {
    return refused(`${shown} contains NUL bytes, so it is not text.`, 'Save it as CSV, and attach it again.')
  }
  return text.trim() === ''
    ? refused(`${shown} is empty.`, 'Attach another file.')
    : ok({ name: shown, text })
}

const asCsv = 'Open it in a spreadsheet, save it as CSV, and attach that.'
const magic: readonly { starts: readonly number[]; what: string; next: string }[] = [
  { starts: [0x50, 0x4b, 0x03, 0x04], what: 'a zip archive or a spreadsheet', next: asCsv },
  { starts: [0x50, 0x4b, 0x05, 0x06], what: 'an empty zip archive', next: asCsv },
  { starts: [0xd0, 0xcf, 0x11, 0xe0], what: 'an old spreadsheet', next: asCsv },
  { starts: [0x1f, 0x8b], what: 'compressed', next: 'Unpack it, and attach what is inside.' },
  { starts: [0x25, 0x50, 0x44, 0x46], what: 'a PDF', next: 'Attach a CSV or text file.' },
]

/** UTF-8, or UTF-16 with a byte order mark; the mark itself is removed. */
const decode = (bytes: Uint8Array): string | undefined => {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
