import type { Store } from '../storage/store.ts'
import { canonicalJson } from './canonical.ts'

/**
 * The log as JSON lines, in order and without gaps, from the first entry since then. Without its `hash`, a line is the text
 * that the hash was taken of, so anyone can check an export without Bellhop.
 */
export const exportLines = async function* (
  { audit }: Pick<Store, 'audit'>,
  filter: { since?: number | undefined } = {},
): AsyncGenerator<string> {
  for await (const entry of audit.stream(filter)) yield `${canonicalJson(entry)}\n`
}
