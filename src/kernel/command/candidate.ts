import type { OpenRecord } from '../../lib/services/read-answer.ts'
import { type Thing, type ThingKind, thing } from '../../lib/view/thing.ts'
import type { Candidate } from './pack.ts'

/** The thing, with what helps to tell it from others; nothing where there is none. */
export const candidate = (of: Thing | undefined, beside?: string | null): Candidate[] =>
  of === undefined ? [] : [beside ? { ...of, beside } : of]

/** The records as things of a kind: by the first of these fields that has an id, a name, and what stands beside it. */
export const candidatesIn = (
  kind: ThingKind,
  records: readonly OpenRecord[],
  { ids, names = [], beside = [] }: { ids: string[]; names?: string[]; beside?: string[] },
): Candidate[] => {
  const found = new Map<string, Candidate>()
  for (const record of records) {
    const id = textIn(record, ids)
    if (found.has(id)) continue
    for (const one of candidate(thing(kind, id, { name: textIn(record, names) }), textIn(record, beside))) {
      found.set(id, one)
    }
  }
  return [...found.values()]
}

const textIn = (record: OpenRecord, keys: readonly string[]): string => {
  const found = keys
    .map((key) => record[key])
    .find((value) => typeof value === 'string' || typeof value === 'number')
  return found === undefined ? '' : String(found)
}
