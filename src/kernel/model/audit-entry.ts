import { z } from 'zod'
import { leafHashOf } from '../../lib/codecs/merkle.ts'
import { defined } from '../../lib/defined.ts'

/** A record is taken as it is, so that the entry hashes as it was written, whatever its keys are called. */
const record = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

export const auditEntrySchema = z.object({
  id: z.string(),
  /** Its number in the log. An entry that was written a moment ago has none yet. */
  seq: z.int().nullable(),
  at: z.int(),
  /** What happened: asked, voted, claimed, applied... */
  kind: z.string(),
  /** The person, as the policy knows them. */
  who: z.string(),
  name: z.string(),
  platform: z.string(),
  command: z.string(),
  changeId: z.string().nullable(),
  /** The rest of the story. The business's record; never a secret. */
  doc: record,
})

export type AuditEntry = z.infer<typeof auditEntrySchema>
/** What a caller says; the store adds an id and the time, the sequencer the number. */
export type AuditInput = Omit<AuditEntry, 'id' | 'seq' | 'at'>

/** Whoever does something or tries to: a person with an account, or the bot itself. */
type Actor = {
  person: string
  name: string
  platform: string
  account?: string
  /** The agent that asked in this person's name. */
  agent?: string | undefined
}

/** The bot itself, for steps that no person takes. */
export const bellhop: Actor = { person: 'bellhop', name: 'Bellhop', platform: 'bellhop' }

/** What somebody did, or what happened to them: who was refused did not refuse. */
export const deedWords = ({
  kind,
  name,
  changeId,
}: Pick<AuditEntry, 'kind' | 'name' | 'changeId'>): string =>
  kind === 'refused' ? `${name} was refused` : `${entryKindWords({ kind, changeId })}, by ${name}`

/** Whoever opened the details of a change ran nothing of it; an older version wrote that they did. */
export const entryKindWords = ({ kind, changeId }: Pick<AuditEntry, 'kind' | 'changeId'>): string =>
  kind === 'opened' || (kind === 'ran' && changeId !== null) ? 'looked at' : kind

/** Somebody ran a look-up, or opened what is known of a change: neither changed anything. */
export const looks = ['ran', 'opened'] as const
export const isLook = (kind: string): boolean => looks.some((one) => one === kind)

/** An entry about what somebody did or tried: with a command, or to a change. */
export const entryBy = (
  { person, name, platform, account, agent }: Actor,
  kind: string,
  { command, id = null }: { command: string; id?: string | null },
  doc: AuditEntry['doc'],
): AuditInput => ({
  kind,
  who: person,
  name,
  platform,
  command,
  changeId: id,
  doc: { ...doc, ...defined({ account, agent, owner: agent && person }) },
})

/** An entry as its row holds it: `doc` is the canonical JSON. */
export type AuditRow = Omit<AuditEntry, 'seq' | 'doc'> & { doc: string }

/** The text that the log is made of: the canonical JSON of an entry without its number. */
export const leafTextOf = ({ id, at, kind, who, name, platform, command, changeId, doc }: AuditRow): string =>
  `{"at":${at},"changeId":${JSON.stringify(changeId)},"command":${JSON.stringify(command)},"doc":${doc},"id":${JSON.stringify(id)},"kind":${JSON.stringify(kind)},"name":${JSON.stringify(name)},"platform":${JSON.stringify(platform)},"who":${JSON.stringify(who)}}`

export const leafOf = (row: AuditRow): Buffer => leafHashOf(leafTextOf(row))

export const nounOf = (command: string): string => command.split(' ', 1)[0] ?? ''
