import { canonicalJson } from '../model/canonical-json.ts'
import type { Store } from '../storage/store.ts'

export type ExportFilter = {
  since?: number | undefined
  who?: string | undefined
  /** A command, or a noun for all of its commands. */
  command?: string | undefined
}

/**
 * The log as JSON Lines, in order, starting with the first entry since the given time, and without gaps
 * unless it is filtered by person or command. A line without its `hash` field is exactly the text that was
 * hashed, so an export can be checked without Bellhop.
 */
export const exportLines = async function* (
  { audit }: Pick<Store, 'audit'>,
  { since, who, command }: ExportFilter = {},
): AsyncGenerator<string> {
  const wanted = command?.replace(/ \*$/, '').trim()
  for await (const entry of audit.stream({ since })) {
    if (who !== undefined && entry.who !== who) continue
    if (wanted !== undefined && !isOf(entry.command, wanted)) continue
    yield `${canonicalJson(entry)}\n`
  }
}

/** A single word is a noun and matches all of its commands. */
const isOf = (command: string, wanted: string): boolean =>
  command === wanted || (!wanted.includes(' ') && command.startsWith(`${wanted} `))
