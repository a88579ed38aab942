import type { Store } from '../../kernel/store/store.ts'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'

export type ExportFilter = {
  since?: number | undefined
  /** Without that moment. */
  until?: number | undefined
  who?: string | undefined
  /** A command, or all those of a noun. */
  command?: string | undefined
}

/**
 * The log as JSON lines, in order and, but for who and command, without gaps, from the first entry since then. Without its
 * `seq`, a line is a leaf of the tree, so anyone can check an export against a checkpoint without Bellhop.
 */
export const exportLines = async function* (
  { audit }: Pick<Store, 'audit'>,
  { since, until, who, command }: ExportFilter = {},
): AsyncGenerator<string> {
  const wanted = command?.replace(/ \*$/, '').trim()
  for await (const entry of audit.stream({ since, until })) {
    if (who !== undefined && entry.who !== who) continue
    if (wanted !== undefined && !isOf(entry.command, wanted)) continue
    yield `${canonicalJson(entry)}\n`
  }
}

/** One word is a noun, and stands for all of its commands. */
const isOf = (command: string, wanted: string): boolean =>
  command === wanted || (!wanted.includes(' ') && command.startsWith(`${wanted} `))
