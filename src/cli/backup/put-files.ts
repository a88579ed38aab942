import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { keepKeys, keysAt, keysIn, nameOfSource } from '../../kernel/log/signer.ts'
import { BackupError, type BackupTexts } from './backup-file.ts'
import type { BackupPlace } from './place.ts'

/** What was put where, and what was there already and stayed. */
export type PutFiles = { written: string[]; kept: string[] }

/** Nothing that is there is written over: a second start of a restore that was interrupted finds its own files again. */
export const putFiles = (place: BackupPlace, texts: BackupTexts, pem: string | undefined): PutFiles => {
  const put: PutFiles = { written: [], kept: [] }
  if (pem !== undefined) putKey(place, pem, put)
  for (const [name, file] of Object.entries(place.files)) {
    const text = texts[name as keyof BackupTexts]
    if (text === undefined) continue
    const isThere = existsSync(file)
    const target = isThere ? `${file}.restored` : file
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    put.written.push(target)
    if (isThere) put.kept.push(file)
  }
  return put
}

const putKey = ({ logKey }: BackupPlace, pem: string, put: PutFiles): void => {
  const [keys, held] = [keysIn(pem), keysAt(logKey)]
  const place = nameOfSource(logKey)
  const missing = keys.filter((key) => !held.some((one) => one.equals(key)))
  if (missing.length === 0) return
  if (logKey.given !== undefined || logKey.file !== undefined)
    throw new BackupError(
      `${place} does not hold the key of this backup's log. Leave it out, and the key goes to DATA_DIR; or give that key there. Nothing was restored.`,
    )
  if (held.length > 0)
    throw new BackupError(`There is another key in ${place}. Move it away first: nothing was restored.`)
  keepKeys(logKey, keys)
  put.written.push(place)
}
