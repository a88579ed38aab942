import { allFeatures, type Returned } from '../../kernel/feature.ts'
import { plural } from '../../lib/view/button-labels.ts'

/**
 * What a restore does with each table. Whatever gives somebody a right may have been taken from them since the backup, which
 * cannot know: it ends, and the report says so. What denies one, and what only tells, stays.
 */
const ownReturns: Readonly<Record<string, Returned>> = {
  absences: {
    sql: 'DELETE FROM absences',
    said: (n) =>
      `${plural(n, 'person was', 'people were')} away, with whoever stood in for them, and may be back: nobody is away now`,
  },
  answers: { sql: 'DELETE FROM answers', said: () => 'Answers of look-ups are gone: look things up again' },
  audit_checkpoints: { stays: 'the record' },
  audit_head: { stays: 'the record' },
  audit_log: { stays: 'the record' },
  audit_nodes: { stays: 'the record' },
  audit_tree: { stays: 'the record' },
  audit_verified: { stays: 'the record' },
  bulk_chunks: { stays: 'what was sent of long sends, which are stopped' },
  bulk_jobs: { settled: 'stopped' },
  card_refusals: { stays: 'channels that take no cards' },
  cards: { stays: 'where cards are that have to show what is true' },
  change_names: { stays: 'names of changes' },
  changes: { settled: 'void, unknown or over; an emergency counts as reviewed' },
  deliveries: { stays: 'what was taken in does not count again' },
  drafts: { sql: 'DELETE FROM drafts', said: () => 'Forms that were half filled in are gone' },
  emergencies: { settled: 'counts as reviewed' },
  freezes: { settled: 'everything is frozen' },
  installations: { stays: 'sealed tokens, which the platform itself ends when the app is removed' },
  leases: { sql: 'DELETE FROM leases', said: () => undefined },
  // Who wrote an id into a field, and what was cut, only deny.
  links: {
    sql: "DELETE FROM links WHERE is_off = 0 AND via <> 'field'",
    said: (n) =>
      `${plural(n, 'link')} between ids of services may have been cut or forgotten since: forgotten now. Answers of services teach them again, and what somebody approved is approved again`,
  },
  passkey_challenges: { sql: 'DELETE FROM passkey_challenges', said: () => undefined },
  passkeys: {
    sql: 'DELETE FROM passkeys',
    said: (n) =>
      `${plural(n, 'passkey')} may have been removed since: none counts now. Their people make new ones: bellhop passkey`,
  },
  policy_texts: { stays: 'the record' },
  policy_versions: { stays: 'the record' },
  sign_ins: {
    sql: 'DELETE FROM sign_ins',
    said: () => 'People who were signed in to the console sign in again',
  },
  shown: { sql: 'DELETE FROM shown', said: () => undefined },
  tasks: { stays: 'work that follows from what stays' },
  witness_gaps: { stays: 'the record' },
}

/** Those of all features as well. */
export const allReturns = (): Readonly<Record<string, Returned>> =>
  Object.assign({}, ownReturns, ...allFeatures().map(({ returns }) => returns))
