import { type AuditEntry, entryKindWords } from './audit-entry.ts'
import type { Change } from './change.ts'

/** "asked to refund 49 USD to Ada": what somebody did, behind their name; the id and the hash stand elsewhere. */
export const deedSentence = (
  entry: Pick<AuditEntry, 'kind' | 'command' | 'changeId' | 'doc'>,
  change: Pick<Change, 'preview'> | undefined,
): string => {
  const { line } = entry.doc
  const isRequest = entry.changeId !== null
  const what = change?.preview.title ?? (typeof line === 'string' && line !== '' ? line : entry.command)
  const deed = isRequest ? deeds[entry.kind] : undefined
  if (deed !== undefined && change !== undefined) return `${deed} ${lowerFirst(what)}`
  const alone = isRequest ? undefined : byItself[entry.kind]
  return alone ?? `${asides[entry.kind] ?? entryKindWords(entry)} ${what}`
}

/** A title begins with what would be done. */
const deeds: Record<string, string> = {
  asked: 'asked to',
  approved: 'agreed to',
  voted: 'agreed to',
  confirmed: 'confirmed to',
  rejected: 'rejected the request to',
  cancelled: 'withdrew the request to',
  claimed: 'began to',
  applied: 'did it:',
  failed: 'could not',
  expired: 'let expire the request to',
  unknown: 'does not know whether it did it:',
  held: 'has it held by the service:',
  accepted: 'has it accepted by the service:',
  reversed: 'had it taken back by the service:',
  voided: 'gave up the request to',
  refused: 'was refused on the request to',
}

const asides: Record<string, string> = { ran: 'looked up', refused: 'was refused', shared: 'shared' }

/** What the bot does for nobody's request. */
const byItself: Record<string, string> = {
  'policy in force': 'put the policy file into force',
  'log signed by': 'signed the log',
}

const lowerFirst = (words: string): string =>
  /^\p{Lu}\p{Ll}/u.test(words) ? `${words.charAt(0).toLowerCase()}${words.slice(1)}` : words
