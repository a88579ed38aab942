import type { Database } from '../../../lib/sql/database.ts'
import { fieldsWritten } from './fields-written.ts'

/** `run` follows the statements, for what SQL alone cannot say. */
export type Migration = {
  id: number
  name: string
  sql: readonly string[]
  run?: (db: Database) => Promise<void>
  /** The way back, where it does not follow from the statements. The newest migration has one, or needs none. */
  back?: readonly string[]
}

/**
 * What a feature brings: `<name of the feature>/1`, then `/2` and so on. Each later one only adds, so that the version before
 * it goes on beside it, and nothing of it need be taken back. A number is that of a migration that made the table before
 * features brought their own; its name is missing where the kernel has the rest of it.
 */
export type FeatureTables = {
  readonly id: `${string}/${number}` | number
  readonly name?: string
  readonly sql: readonly string[]
}

let brought: readonly FeatureTables[] | undefined

/** From here on these are made as well, in this order. */
export const useTables = (tables: readonly FeatureTables[]): void => {
  brought = tables
}

/** A database that was brought up to date before it is known which features there are would lack their tables for good. */
const broughtTables = (): readonly FeatureTables[] => {
  if (brought === undefined) throw new Error('nobody has said which features there are')
  return brought
}

/** Those with a number: the kernel's, with what features have of them. */
export const allMigrations = (): readonly Migration[] => {
  const parts = broughtTables().flatMap(({ id, name = '', sql }) =>
    typeof id === 'number' ? { id, name, sql } : [],
  )
  const whole = own.map((one) => ({
    ...one,
    sql: [...one.sql, ...parts.flatMap(({ id, sql }) => (id === one.id ? sql : []))],
  }))
  return [...whole, ...parts.filter(({ id }) => own.every((one) => one.id !== id))].toSorted(
    (one, other) => one.id - other.id,
  )
}

/** Those with a name. */
export const namedTables = (): readonly { id: string; sql: readonly string[] }[] =>
  broughtTables().flatMap(({ id, sql }) => (typeof id === 'string' ? { id, sql } : []))

/** A released migration is never edited; a new one is added below it. */
const own: readonly Migration[] = [
  {
    id: 1,
    name: 'base',
    sql: [
      `CREATE TABLE changes (
         id TEXT PRIMARY KEY,
         version BIGINT NOT NULL,
         state TEXT NOT NULL,
         requester TEXT NOT NULL,
         intent TEXT NOT NULL,
         amount DOUBLE PRECISION,
         expires_at BIGINT NOT NULL,
         updated_at BIGINT NOT NULL,
         doc TEXT NOT NULL)`,
      'CREATE INDEX changes_newest ON changes (updated_at, id)',
      'CREATE INDEX changes_by_state ON changes (state, updated_at, id)',
      'CREATE INDEX changes_by_requester ON changes (requester, updated_at, id)',
      'CREATE INDEX changes_by_requester_and_state ON changes (requester, state, updated_at, id)',
      'CREATE INDEX changes_by_intent ON changes (intent, updated_at)',
      `CREATE TABLE change_names (
         change_id TEXT NOT NULL REFERENCES changes (id),
         name TEXT NOT NULL,
         PRIMARY KEY (change_id, name))`,
      `CREATE TABLE audit (
         seq BIGINT NOT NULL PRIMARY KEY,
         at BIGINT NOT NULL,
         kind TEXT NOT NULL,
         who TEXT NOT NULL,
         name TEXT NOT NULL,
         platform TEXT NOT NULL,
         command TEXT NOT NULL,
         noun TEXT NOT NULL,
         change_id TEXT,
         doc TEXT NOT NULL,
         prev TEXT NOT NULL,
         hash TEXT NOT NULL)`,
      'CREATE INDEX audit_by_time ON audit (at, seq)',
      'CREATE INDEX audit_by_who ON audit (who, seq)',
      'CREATE INDEX audit_by_command ON audit (command, seq)',
      'CREATE INDEX audit_by_noun ON audit (noun, seq)',
      'CREATE INDEX audit_by_change ON audit (change_id, seq)',
      `CREATE TABLE audit_head (
         id INTEGER PRIMARY KEY CHECK (id = 1),
         seq BIGINT NOT NULL,
         hash TEXT NOT NULL)`,
      `INSERT INTO audit_head (id, seq, hash)
       VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000')`,
      'CREATE TABLE deliveries (id TEXT PRIMARY KEY, at BIGINT NOT NULL)',
      'CREATE INDEX deliveries_by_time ON deliveries (at)',
      `CREATE TABLE tasks (
         key TEXT PRIMARY KEY,
         kind TEXT NOT NULL,
         doc TEXT NOT NULL,
         due_at BIGINT NOT NULL,
         attempts BIGINT NOT NULL,
         error TEXT,
         revision BIGINT NOT NULL,
         owner TEXT,
         lease_until BIGINT NOT NULL)`,
      'CREATE INDEX tasks_due ON tasks (due_at)',
      'CREATE INDEX tasks_by_kind ON tasks (kind, due_at)',
      'CREATE INDEX tasks_by_lease ON tasks (lease_until, due_at)',
      `CREATE TABLE cards (
         change_id TEXT NOT NULL,
         platform TEXT NOT NULL,
         address TEXT NOT NULL,
         place TEXT NOT NULL,
         version BIGINT NOT NULL,
         at BIGINT NOT NULL,
         PRIMARY KEY (change_id, platform, address))`,
      'CREATE TABLE answers (id TEXT PRIMARY KEY, at BIGINT NOT NULL, person TEXT NOT NULL, doc TEXT NOT NULL)',
      'CREATE INDEX answers_by_time ON answers (at)',
      `CREATE TABLE freezes (
         area TEXT PRIMARY KEY,
         person TEXT NOT NULL,
         name TEXT NOT NULL,
         reason TEXT NOT NULL,
         at BIGINT NOT NULL)`,
      'CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, ends_at BIGINT NOT NULL)',
      'CREATE INDEX leases_by_end ON leases (ends_at)',
    ],
  },
  {
    id: 2,
    name: 'bulk',
    sql: [
      `CREATE TABLE bulk_jobs (
         id TEXT PRIMARY KEY,
         change_id TEXT UNIQUE,
         state TEXT NOT NULL,
         total BIGINT NOT NULL,
         chunks BIGINT NOT NULL,
         digest TEXT NOT NULL,
         upto BIGINT NOT NULL,
         reason TEXT,
         since BIGINT NOT NULL,
         since_done BIGINT NOT NULL,
         shown_at BIGINT NOT NULL,
         created_at BIGINT NOT NULL,
         updated_at BIGINT NOT NULL)`,
      'CREATE INDEX bulk_jobs_by_state ON bulk_jobs (state, updated_at)',
      'CREATE INDEX bulk_jobs_newest ON bulk_jobs (created_at)',
      `CREATE TABLE bulk_chunks (
         job_id TEXT NOT NULL REFERENCES bulk_jobs (id),
         n BIGINT NOT NULL,
         state TEXT NOT NULL,
         items TEXT NOT NULL,
         size BIGINT NOT NULL,
         done BIGINT NOT NULL,
         failed BIGINT NOT NULL,
         unknown BIGINT NOT NULL,
         owner TEXT,
         error TEXT,
         troubles TEXT NOT NULL,
         at BIGINT NOT NULL,
         PRIMARY KEY (job_id, n))`,
      'CREATE INDEX bulk_chunks_by_state ON bulk_chunks (state, job_id, n)',
    ],
  },
  {
    id: 3,
    name: 'drafts',
    sql: [
      'CREATE TABLE drafts (id TEXT PRIMARY KEY, at BIGINT NOT NULL, person TEXT NOT NULL, doc TEXT NOT NULL)',
      'CREATE INDEX drafts_by_time ON drafts (at)',
    ],
  },
  {
    id: 4,
    name: 'transparency log',
    sql: [
      `CREATE TABLE audit_log (
         id TEXT PRIMARY KEY,
         seq BIGINT UNIQUE,
         at BIGINT NOT NULL,
         kind TEXT NOT NULL,
         who TEXT NOT NULL,
         name TEXT NOT NULL,
         platform TEXT NOT NULL,
         command TEXT NOT NULL,
         noun TEXT NOT NULL,
         change_id TEXT,
         doc TEXT NOT NULL,
         leaf TEXT NOT NULL,
         prev TEXT,
         hash TEXT)`,
      `INSERT INTO audit_log (id, seq, at, kind, who, name, platform, command, noun, change_id, doc, leaf, prev, hash)
       SELECT 'chain-' || CAST(seq AS TEXT), seq, at, kind, who, name, platform, command, noun, change_id, doc, '', prev, hash
       FROM audit`,
      'DROP TABLE audit',
      'CREATE INDEX audit_log_waiting ON audit_log (at, id) WHERE seq IS NULL',
      'CREATE INDEX audit_log_by_time ON audit_log (at, seq)',
      'CREATE INDEX audit_log_by_who ON audit_log (who, seq)',
      'CREATE INDEX audit_log_by_command ON audit_log (command, seq)',
      'CREATE INDEX audit_log_by_noun ON audit_log (noun, seq)',
      'CREATE INDEX audit_log_by_change ON audit_log (change_id, seq)',
      `CREATE TABLE audit_tree (
         id INTEGER PRIMARY KEY CHECK (id = 1),
         origin TEXT NOT NULL,
         key TEXT NOT NULL,
         base BIGINT NOT NULL,
         size BIGINT NOT NULL,
         frontier TEXT NOT NULL)`,
      `INSERT INTO audit_tree (id, origin, key, base, size, frontier)
       SELECT 1, '', '', COALESCE((SELECT seq FROM audit_head WHERE id = 1), 0), 0, '[]'`,
      `CREATE TABLE audit_nodes (
         level BIGINT NOT NULL,
         idx BIGINT NOT NULL,
         hash TEXT NOT NULL,
         PRIMARY KEY (level, idx))`,
      `CREATE TABLE audit_checkpoints (
         size BIGINT PRIMARY KEY,
         at BIGINT NOT NULL,
         root TEXT NOT NULL,
         note TEXT NOT NULL)`,
    ],
  },
  {
    id: 5,
    name: 'sign-ins',
    sql: [
      `CREATE TABLE sign_ins (
         id TEXT PRIMARY KEY,
         digest TEXT NOT NULL UNIQUE,
         kind TEXT NOT NULL,
         person TEXT NOT NULL,
         via TEXT NOT NULL,
         at BIGINT NOT NULL,
         ends_at BIGINT NOT NULL)`,
      'CREATE INDEX sign_ins_by_person ON sign_ins (person, at)',
      'CREATE INDEX sign_ins_by_end ON sign_ins (ends_at)',
    ],
  },
  {
    id: 6,
    name: 'messages of jobs, places that refuse cards',
    sql: [
      'ALTER TABLE bulk_jobs ADD COLUMN progress_message TEXT',
      'ALTER TABLE bulk_jobs ADD COLUMN summary_message TEXT',
      `UPDATE bulk_jobs SET
         progress_message = (SELECT MIN(address) FROM cards WHERE change_id = bulk_jobs.id AND place = 'progress'),
         summary_message = (SELECT MIN(address) FROM cards WHERE change_id = bulk_jobs.id AND place = 'summary')`,
      "DELETE FROM cards WHERE place IN ('progress', 'summary')",
      `CREATE TABLE card_refusals (
         change_id TEXT NOT NULL,
         platform TEXT NOT NULL,
         place TEXT NOT NULL,
         PRIMARY KEY (change_id, platform, place))`,
      "INSERT INTO card_refusals SELECT change_id, platform, place FROM cards WHERE address = ''",
      "DELETE FROM cards WHERE address = ''",
    ],
  },
  {
    id: 7,
    name: 'links',
    sql: [
      `CREATE TABLE links (
         one_kind TEXT NOT NULL,
         one_id TEXT NOT NULL,
         other_kind TEXT NOT NULL,
         other_id TEXT NOT NULL,
         source TEXT NOT NULL,
         at BIGINT NOT NULL,
         person TEXT,
         is_off INTEGER NOT NULL,
         PRIMARY KEY (one_id, one_kind, other_id, other_kind))`,
      'CREATE INDEX links_by_other ON links (other_id, other_kind)',
    ],
  },
  {
    id: 8,
    name: 'policy versions',
    sql: [
      'CREATE TABLE policy_texts (digest TEXT PRIMARY KEY, text TEXT NOT NULL, at BIGINT NOT NULL)',
      `CREATE TABLE policy_versions (
         n BIGINT PRIMARY KEY,
         digest TEXT NOT NULL,
         at BIGINT NOT NULL,
         who TEXT NOT NULL,
         name TEXT NOT NULL,
         source TEXT NOT NULL)`,
    ],
  },
  {
    id: 9,
    name: 'witnesses',
    sql: [
      'CREATE TABLE witness_gaps (witness TEXT PRIMARY KEY, since BIGINT NOT NULL, error TEXT NOT NULL)',
      `CREATE TABLE audit_verified (
         id INTEGER PRIMARY KEY CHECK (id = 1),
         size BIGINT NOT NULL,
         at BIGINT NOT NULL)`,
    ],
  },
  {
    id: 10,
    name: 'absences, schedules',
    sql: [
      `CREATE TABLE absences (
         person TEXT PRIMARY KEY,
         party TEXT NOT NULL,
         delegate TEXT,
         at BIGINT NOT NULL,
         ends_at BIGINT NOT NULL)`,
    ],
  },
  {
    id: 11,
    name: 'the audit log without look-ups',
    sql: [
      `CREATE INDEX audit_log_changes ON audit_log (seq) WHERE kind <> 'ran'`,
      `CREATE INDEX audit_log_changes_by_who ON audit_log (who, seq) WHERE kind <> 'ran'`,
      `CREATE INDEX audit_log_changes_by_noun ON audit_log (noun, seq) WHERE kind <> 'ran'`,
    ],
  },
  {
    // An entry gets its number a moment after it was written: until then only the index of those that wait holds it.
    id: 12,
    name: 'fewer indices to write',
    sql: [
      ...[
        'by_time',
        'by_who',
        'by_command',
        'by_noun',
        'by_change',
        'changes',
        'changes_by_who',
        'changes_by_noun',
      ].map((index) => `DROP INDEX audit_log_${index}`),
      'CREATE INDEX audit_log_by_time ON audit_log (at, seq) WHERE seq IS NOT NULL',
      'CREATE INDEX audit_log_by_who ON audit_log (who, seq) WHERE seq IS NOT NULL',
      'CREATE INDEX audit_log_by_command ON audit_log (command, seq) WHERE seq IS NOT NULL',
      'CREATE INDEX audit_log_by_noun ON audit_log (noun, seq) WHERE seq IS NOT NULL',
      'CREATE INDEX audit_log_by_change ON audit_log (change_id, seq) WHERE seq IS NOT NULL AND change_id IS NOT NULL',
      `CREATE INDEX audit_log_changes ON audit_log (seq) WHERE seq IS NOT NULL AND kind <> 'ran'`,
      `CREATE INDEX audit_log_changes_by_who ON audit_log (who, seq) WHERE seq IS NOT NULL AND kind <> 'ran'`,
      `CREATE INDEX audit_log_changes_by_noun ON audit_log (noun, seq) WHERE seq IS NOT NULL AND kind <> 'ran'`,
      'DROP INDEX tasks_due',
      'DROP INDEX tasks_by_kind',
      'DROP INDEX tasks_by_lease',
      'CREATE INDEX tasks_due ON tasks (due_at, kind)',
      'CREATE INDEX tasks_held ON tasks (owner) WHERE lease_until > 0',
    ],
  },
  {
    // What was set by hand before has nobody's approval. Of the billing service only payments, refunds and plan changes name
    // people in fields that nobody here writes.
    id: 13,
    name: 'who says a link',
    sql: [
      `CREATE TABLE links_said (
         one_kind TEXT NOT NULL,
         one_id TEXT NOT NULL,
         other_kind TEXT NOT NULL,
         other_id TEXT NOT NULL,
         via TEXT NOT NULL,
         source TEXT NOT NULL,
         at BIGINT NOT NULL,
         person TEXT,
         approved_by TEXT,
         approved_at BIGINT,
         is_off INTEGER NOT NULL,
         PRIMARY KEY (one_id, one_kind, other_id, other_kind, via))`,
      `INSERT INTO links_said
       SELECT one_kind, one_id, other_kind, other_id,
         CASE WHEN source = 'hand' THEN 'hand' WHEN source LIKE 'email.%' THEN 'email'
              WHEN source LIKE 'chat.%' THEN 'chat' ELSE 'billing' END,
         source, at, person, NULL, NULL, is_off
       FROM links
       WHERE source NOT LIKE 'billing.%'
          OR source IN ('billing.findTransactions', 'billing.findRefunds', 'billing.changePlan')`,
      'DROP TABLE links',
      'ALTER TABLE links_said RENAME TO links',
      'CREATE INDEX links_by_other ON links (other_id, other_kind)',
    ],
    run: fieldsWritten,
  },
  {
    id: 15,
    name: 'cards by their address',
    sql: ['CREATE INDEX cards_by_address ON cards (address)'],
  },
  {
    id: 17,
    name: 'passkeys',
    sql: [
      `CREATE TABLE passkeys (
         id TEXT PRIMARY KEY,
         person TEXT NOT NULL,
         name TEXT NOT NULL,
         public_key TEXT NOT NULL,
         counter BIGINT NOT NULL,
         is_copied INTEGER NOT NULL,
         made_at BIGINT NOT NULL,
         change_id TEXT,
         approved_by TEXT,
         enrolled_at BIGINT)`,
      'CREATE INDEX passkeys_by_person ON passkeys (person)',
      `CREATE TABLE passkey_challenges (
         digest TEXT PRIMARY KEY,
         purpose TEXT NOT NULL,
         person TEXT,
         doc TEXT NOT NULL,
         ends_at BIGINT NOT NULL)`,
      'CREATE INDEX passkey_challenges_by_end ON passkey_challenges (ends_at)',
      'CREATE TABLE emergencies (change_id TEXT PRIMARY KEY, person TEXT NOT NULL, at BIGINT NOT NULL)',
    ],
  },
  {
    id: 18,
    name: 'installations in further workspaces',
    sql: [
      `CREATE TABLE installations (
         platform TEXT NOT NULL,
         id TEXT NOT NULL,
         sealed TEXT NOT NULL,
         at BIGINT NOT NULL,
         PRIMARY KEY (platform, id))`,
    ],
  },
  {
    id: 19,
    name: 'the currency of a change',
    sql: ['ALTER TABLE changes ADD COLUMN currency TEXT'],
    run: async (db) => {
      const written =
        db.engine === 'postgres' ? `doc::json ->> 'currency'` : `json_extract(doc, '$.currency')`
      await db.run(`UPDATE changes SET currency = ${written} WHERE amount IS NOT NULL`)
    },
  },
  {
    id: 20,
    name: 'what people were shown',
    sql: [
      `CREATE TABLE shown (
         person TEXT NOT NULL,
         change_id TEXT NOT NULL,
         edition BIGINT NOT NULL,
         digest TEXT NOT NULL,
         at BIGINT NOT NULL,
         PRIMARY KEY (person, change_id))`,
      'CREATE INDEX shown_by_time ON shown (at)',
    ],
  },
]

/** The version of a database that is up to date. */
export const newestVersion = Math.max(...own.map(({ id }) => id))
