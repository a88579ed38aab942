import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { RawFile } from '../../kernel/command/line/coerce.ts'
import { maxFileBytes } from '../../kernel/command/line/text-file.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'

/**
 * `--file path` reads a local file. Only the terminal allows this, because its user can read the file anyway.
 */
export const takeFile = (line: string): Result<{ line: string; file?: RawFile }> => {
  const found = /(?:^|\s)--file(?:=|\s+)("([^"]*)"|'([^']*)'|\S+)/.exec(line)
  if (found === null) return ok({ line })
  const path = found[2] ?? found[3] ?? (found[1] as string)
  const rest = `${line.slice(0, found.index)} ${line.slice(found.index + found[0].length)}`.trim()
  try {
    const { size } = statSync(path)
    if (size > maxFileBytes) return no(refusal('bad_file', `${path} is larger than 25 MB.`))
    return ok({ line: rest, file: { name: basename(path), bytes: readFileSync(path) } })
  } catch {
    return no(refusal('bad_file', `${path} cannot be read.`, { next: 'Check the path.' }))
  }
}
