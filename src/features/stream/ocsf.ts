import { z } from 'zod'
import { auditEntrySchema, deedWords, isLook } from '../../kernel/model/audit-entry.ts'
import { unsettledStates } from '../../kernel/model/change.ts'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'

/**
 * The class of every line: API Activity (6003) of the Open Cybersecurity Schema Framework, in this version. Commands are
 * the operations; the steps of a change are activities of the kind Other, with the name that the log gives them.
 */
const ocsfVersion = '1.8.0'
const category = { category_uid: 6, category_name: 'Application Activity' }
const classUid = 6003
const className = 'API Activity'

/** A row of the log as it is stored; `leaf` is its hash in the tree, empty in the older chain, where `hash` is. */
const rowSchema = auditEntrySchema.extend({
  seq: z.number(),
  doc: z.string(),
  leaf: z.string(),
  hash: z.string().nullable(),
})

/** One line for an entry of the log, and its number. */
export const ocsfLine = (
  stored: Record<string, unknown>,
  about: { origin: string; product: string; addresses: boolean },
): { seq: number; line: string } => {
  const { seq, id, at, kind, who, name, platform, command, changeId, doc, leaf, hash } =
    rowSchema.parse(stored)
  const told = about.addresses ? (JSON.parse(doc) as unknown) : withoutCustomers(JSON.parse(doc))
  const { code } = Object(told) as { code?: unknown }
  const isRead = isLook(kind)
  const activity = isRead ? { id: 2, name: 'Read' } : { id: 99, name: kind }
  const status = failed.has(kind) ? failure : unclearKinds.has(kind) ? unclear : success
  const event = {
    activity_id: activity.id,
    activity_name: activity.name,
    ...category,
    class_uid: classUid,
    class_name: className,
    type_uid: classUid * 100 + activity.id,
    type_name: `${className}: ${isRead ? 'Read' : 'Other'}`,
    time: at,
    ...(alarming.has(kind) ? medium : informational),
    ...status,
    ...(typeof code === 'string' ? { status_code: code } : {}),
    message: `${command}: ${deedWords({ kind, name, changeId })}`,
    actor: { user: { uid: who, name, type_id: who === 'bellhop' ? 3 : 1 } },
    api: {
      operation: command,
      service: { name: 'Bellhop' },
      request: { uid: changeId ?? id },
    },
    src_endpoint: { svc_name: platform, name: platform },
    metadata: {
      version: ocsfVersion,
      product: { name: 'Bellhop', vendor_name: 'Bellhop', version: about.product },
      log_name: about.origin,
      sequence: seq,
      uid: id,
      ...(changeId === null ? {} : { correlation_uid: changeId }),
    },
    unmapped: { hash: leaf || hash, kind, doc: told },
  }
  return { seq, line: `${canonicalJson(event)}\n` }
}

const success = { status_id: 1, status: 'Success' }
const failure = { status_id: 2, status: 'Failure' }
const unclear = { status_id: 0, status: 'Unknown' }
const informational = { severity_id: 1, severity: 'Informational' }
const medium = { severity_id: 3, severity: 'Medium' }

const failed = new Set([
  'refused',
  'failed',
  'rejected',
  'expired',
  'voided',
  'not_applied',
  'reversed',
  'undelivered',
])
const unclearKinds = new Set<string>(unsettledStates)
/** What somebody who watches should look at. */
const alarming = new Set([
  'unknown',
  'reversed',
  'late',
  'undelivered',
  'witness away',
  'stream away',
  'emergency',
  'policy in force',
  'key',
])

/** What takes the place of everything that could name a customer, or was written by somebody. */
const leftOut = '[left out]'

/**
 * The fields of entries that hold nothing but words, names and numbers of the bot's own: states, digests, rules, sums, times,
 * who decided. What is not listed here is left out, whatever its form, so a field that comes later is left out until it is
 * listed. Nothing inside a request, a plan or an answer is listed: its fields may be named by anybody.
 */
const ownFields: ReadonlySet<string> = new Set([
  ...[
    'state',
    'digest',
    'rule',
    'policy',
    'names',
    'area',
    'roles',
    'clauses',
    'lapsed',
    'step',
    'process',
    'code',
    'verb',
  ],
  ...[
    'amount',
    'currency',
    'askedAt',
    'neededApproval',
    'signed',
    'shown',
    'session',
    'ended',
    'contradicts',
  ],
  ...['account', 'agent', 'owner', 'person', 'name', 'for', 'approvedBy', 'publicKey', 'fingerprint'],
  ...[
    'version',
    'n',
    'before',
    'after',
    'seq',
    'size',
    'hash',
    'root',
    'witness',
    'entries',
    'since',
    'until',
    'at',
  ],
])
/** Of whom and what a step was, in fields of which some are its own. */
const aboutFields: ReadonlySet<string> = new Set(['of'])

const withoutCustomers = (doc: unknown): unknown => {
  if (typeof doc !== 'object' || doc === null || Array.isArray(doc)) return doc === null ? null : leftOut
  return Object.fromEntries(
    Object.entries(doc).map(([field, value]) => [
      field,
      ownFields.has(field) || value === null || typeof value === 'boolean'
        ? value
        : aboutFields.has(field)
          ? withoutCustomers(value)
          : leftOut,
    ]),
  )
}
