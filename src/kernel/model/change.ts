import { z } from 'zod'
import { viewSchema } from '../../lib/view/view.ts'
import { wordsSchema } from '../../lib/view/words.ts'
import { boundSchema } from './bound.ts'
import { withFactRoles } from './fact-roles.ts'
import { freezeSchema } from './freeze.ts'
import { withNotes } from './notes.ts'
import { signatureSchema } from './passkey.ts'
import { shownSchema } from './shown.ts'

/** The life of a change; `law.ts` says which steps there are. */
export const states = [
  'pending',
  'approved',
  'applying',
  'applied',
  'failed',
  'unknown',
  'rejected',
  'expired',
  'cancelled',
  'voided',
  'not_applied',
  'held',
  'accepted',
] as const

/** It was sent, and how it ends is not known yet: the service may say so, and a person can. */
export const unsettledStates = ['unknown', 'held', 'accepted'] as const
export const openStates = ['pending', 'approved', 'applying', ...unsettledStates] as const
/** What was done, or may have been, or may still be. */
export const effectiveStates = ['applying', 'applied', ...unsettledStates] as const

/** Somebody who asked or voted. `person` is who they are to the policy, `account` where they clicked. */
export const partySchema = z.object({
  person: z.string(),
  name: z.string(),
  platform: z.string(),
  account: z.string(),
  /** The workspace of the account, where the bot is not installed there. */
  workspace: z.string().optional(),
  /** Which of the bot's own workspaces they spoke in, where it is not the first. */
  space: z.string().optional(),
  /** The id of the agent that asked in this person's name. */
  agent: z.string().optional(),
  /** The roles they had when they were last asked about. */
  roles: z.array(z.string()),
})

/** Where the request came from; `handle` is the adapter's own short-lived way to answer there. */
const origin = z.object({
  platform: z.string(),
  channel: z.string().nullable(),
  handle: z.string().nullable(),
  /** A conversation with the bot alone. */
  direct: z.boolean(),
  /** A program of the messenger's own waits there, and is told how it ended: nothing is shown there. */
  waits: z.literal(true).optional(),
})

/** How those whose turn it is are told, from the quietest on. */
export const notifyWays = ['channel', 'mention', 'direct'] as const

const escalation = z.object({ afterMs: z.number(), to: z.array(z.string()) })

/** A manager may approve what the clause is about, whatever their roles; whoever else is asked needs that right. */
const askedPerson = z.object({ person: z.string(), name: z.string(), as: z.enum(['manager', 'asked']) })

/** Only votes that are signed count. */
const sign = z.literal('passkey').optional()

/** One thing that a change needs before it runs. All clauses of a change hold, each judged on its own. */
const clause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('confirm'), sign }),
  z.object({
    kind: z.literal('approvals'),
    count: z.int().min(1),
    /** Roles whose members may vote; empty: anybody who may approve the command. */
    from: z.array(z.string()),
    /** Which rule, budget or repetition asks for it, in words. */
    because: z.string(),
    /** Roles whose members may satisfy it too, once it has waited so long. */
    escalate: z.array(escalation).optional(),
    /** Those of them for whom that time has come. */
    also: z.array(z.string()).optional(),
    /** Its place in an order: it is open once everything with a lower place is complete. */
    stage: z.int().min(1).optional(),
    /** Who may satisfy it in person, besides its roles. An empty list without roles is nobody. */
    people: z.array(askedPerson).optional(),
    sign,
  }),
])

/** What a budget's window held when the policy was asked; the measure of a budget is all of this but the sum. */
const spentThen = z.object({
  name: z.string(),
  commands: z.array(z.string()),
  per: z.enum(['requester', 'everyone']),
  windowMs: z.number(),
  /** Of all currencies together; what an older version stored. */
  sum: z.number(),
  sums: z.array(z.object({ currency: z.string().nullable(), sum: z.number() })).optional(),
})

/** From what the policy decided when the change was asked for, and what: enough to ask another version the same. */
const judged = z.object({
  /** The digest of the version of the policy file. */
  policy: z.string(),
  rule: z.string(),
  /** Of the plan as it was then; null where it was not known. */
  amount: z.number().nullish(),
  clauses: z.array(clause),
  expiresInMs: z.number(),
  /** What else the rules said, by the keys of `rule-terms.ts`. */
  terms: z.record(z.string(), z.unknown()),
  /** Of the groups that were looked at, those that the requester was in. */
  groups: z.object({ known: z.array(z.string()), in: z.array(z.string()) }),
  spent: z.array(spentThen),
  /** How often the same was asked for within the window; null where nobody looked. */
  same: z.object({ windowMs: z.number(), count: z.int() }).nullable(),
  /** Whether it came with what a rule can demand. */
  had: z.object({ reason: z.boolean(), evidence: z.boolean() }).optional(),
  /** What it needs by its nature, whatever the rules say. */
  byNature: z.enum(['nothing', 'approval', 'unseen']).optional(),
  /** Which approvals a part of the file asked for besides the rules. */
  demanded: z
    .object({
      because: z.string(),
      needs: z.array(
        z.object({
          kind: z.literal('approvals'),
          count: z.int(),
          from: z.array(z.string()),
          sign: z.literal('passkey').optional(),
        }),
      ),
    })
    .optional(),
})

const inAdvanceSchema = z.object({ grant: z.string(), left: z.string() })

const vote = z.object({
  by: partySchema,
  /** Whom they vote for, while that person is away: the vote is worth what that person's would be. */
  for: partySchema.optional(),
  at: z.number(),
  digest: z.string(),
  /** What its author was shown, as they carried it; older votes do not say. */
  shown: shownSchema.optional(),
  /** The stage that was open; a vote counts in no other. */
  stage: z.int().optional(),
  /** They have no right to approve but that of the clauses that name them. */
  granted: z.literal(true).optional(),
  signed: signatureSchema.optional(),
  /** It was given in advance: by which grant, and what was left of that. */
  inAdvance: inAdvanceSchema.optional(),
})

const outcome = z.object({
  at: z.number(),
  /** One sentence for the card. */
  message: wordsSchema,
  warning: z.string().nullable(),
  view: viewSchema.nullable(),
  /** What the service said it moved, where its answer says more than the request did. */
  moved: z.object({ value: z.number(), currency: z.string() }).optional(),
})

/** What was learned after the change was given up as unknown, and whose word it contradicts, if anybody's. */
const late = z.object({
  at: z.number(),
  learned: z.enum(['applied', 'failed', 'unknown', 'held', 'accepted']),
  message: wordsSchema,
  /** The service had taken it, and has taken that back. */
  reversed: z.literal(true).optional(),
  contradicts: z.object({ by: partySchema, happened: z.boolean() }).nullable(),
})

/** How a service that settles it later knows it. */
const atService = z.object({
  /** Its name, and the row that was sent. */
  service: z.string(),
  row: z.string(),
  id: z.string(),
  /** What the service called its state, the last time that it said so, and when it came to it by its own word. */
  said: z.string(),
  saidAt: z.number().optional(),
  link: z.string().optional(),
  /** Who decides there. */
  by: z.string().optional(),
  since: z.number(),
})

/** What a read of the service said about an outcome that is not known; undecided where it could not tell. */
const outcomeCheck = z.object({ happened: z.boolean().nullable(), message: wordsSchema })

const drift = z.object({
  message: z.string(),
  changes: z.array(
    z.object({ label: z.string(), before: wordsSchema.nullable(), after: wordsSchema.nullable() }),
  ),
})

/** The exact set that long work is about: members are stored in chunks, and the digest is of all of them in order. */
const pinnedSchema = z.object({
  set: z.string(),
  digest: z.string(),
  total: z.int(),
  /** What the collecting found, for the plan. */
  report: z.unknown(),
})

/** What warns of something, and the states in which it does; an older version stored the words alone. */
const storedWarning = z.union([wordsSchema, z.object({ words: wordsSchema, holds: z.array(z.enum(states)) })])

const fields = z.object({
  id: z.string(),
  version: z.int(),
  state: z.enum(states),
  command: z.string(),
  /** Every name under which policies match: the command's own, and those that mean the same thing. */
  names: z.array(z.string()),
  /** The names of what is really done, where its own command can call any endpoint: who may decide is asked of these. */
  standsFor: z.array(z.string()).optional(),
  area: z.string(),
  /** The line a person could type to ask for the same. */
  line: z.string(),
  input: z.record(z.string(), z.unknown()),
  plan: z.unknown(),
  /** What is sent and what was weighed; older changes do not say. */
  bound: boundSchema.optional(),
  /** Of command, `bound` and what is asked for it: what a vote is bound to. Of older changes, of their whole plan. */
  digest: z.string(),
  /** Equal for two requests that mean the same thing. */
  intent: z.string(),
  preview: z.preprocess(withFactRoles, viewSchema),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  /** The name of whom it is for, where there is one. */
  recipient: z.string().optional(),
  /** The command that writes to them, and their address for it. */
  tell: z.object({ command: z.string(), to: z.string() }).optional(),
  requester: partySchema,
  /** Who has changed what was asked since: from then on they stand behind it as the requester does. */
  changedBy: z.array(partySchema).optional(),
  /** How often it was changed: a vote is for one round. */
  round: z.int().optional(),
  /** Counts what people decide about: another plan, other needs, something else that was learned of the outcome. */
  edition: z.int().optional(),
  /** Whom the requester asks besides those whom the policy does. */
  also: askedPerson.optional(),
  /** What features note of it beside the law, each under its name. */
  notes: z.record(z.string(), z.unknown()).optional(),
  origin,
  /** The rules that decided, and what is needed; nothing, if the list is empty. */
  rule: z.string(),
  clauses: z.array(clause),
  /** The digest of the version of the policy file that asks for these; older changes do not say. */
  policy: z.string().optional(),
  judged: judged.optional(),
  /** When it came to which state, and with which amount if that changed; older changes do not say. */
  steps: z
    .array(z.object({ at: z.number(), state: z.enum(states), amount: z.number().nullish() }))
    .optional(),
  warnings: z.array(storedWarning),
  votes: z.array(vote),
  /** Votes that no longer count, and why. */
  lapsed: z.array(z.object({ person: z.string(), name: z.string(), why: z.string() })).optional(),
  /** What those who decide could not be shown, and who has it in person instead. */
  reach: z
    .object({
      refusals: z.array(
        z.object({
          platform: z.string(),
          /** `mirror`, or `direct:` with a person. */
          place: z.string(),
          /** The channel, or the name of the person. */
          to: z.string(),
          why: z.string(),
        }),
      ),
      /** By name. */
      asked: z.array(z.string()),
    })
    .optional(),
  /** The roles that people have by the groups of their messengers, where these were asked for how it stands. */
  members: z.record(z.string(), z.array(z.string())).optional(),
  /** Why what it needs cannot come any more from those who remain, and who can help. */
  stuck: z.object({ why: wordsSchema, help: wordsSchema }).optional(),
  /** What stops it while it waits, as its cards say; a decision looks at the freezes themselves. */
  frozen: freezeSchema.optional(),
  /** What somebody who may decide would change about it, which its requester can take. */
  suggestion: z
    .object({
      by: partySchema,
      at: z.number(),
      /** As the command takes it, by the names of its parameters. */
      values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
      /** What it would be then. */
      title: z.string(),
      /** The digest of what it would be: the vote of whoever suggests it stands for that and nothing else. */
      digest: z.string().optional(),
      /** "40 USD", where that is what differs. */
      sum: z.string().optional(),
    })
    .optional(),
  /** Why it is not sent, although it is decided on: how its title begins until then and afterwards, and a sentence. */
  withheld: z.object({ before: z.string(), after: z.string(), why: z.string() }).optional(),
  /** What an approved change waits for before it can be claimed. */
  waiting: z.string().optional(),
  createdAt: z.number(),
  /** The trace that it was asked in, as W3C Trace Context writes it: whoever goes on with the change goes on with that. */
  trace: z.string().optional(),
  /** The moment from which times such as "in 2h" are counted. */
  askedAt: z.number().optional(),
  expiresAt: z.number(),
  updatedAt: z.number(),
  /** Why people were asked again, and what differs from what they had seen. */
  drift: drift.nullable(),
  /** The process that holds the claim, while `applying`. */
  claimedBy: z.string().nullable(),
  /** Who ended it by hand (rejected, cancelled, resolved), and why. */
  ended: z
    .object({
      by: partySchema,
      for: partySchema.optional(),
      at: z.number(),
      reason: z.string().nullable(),
    })
    .nullable(),
  outcome: outcome.nullable(),
  late: late.optional(),
  atService: atService.optional(),
  /** The last look for what became of it; each has a number. */
  checked: outcomeCheck.extend({ n: z.int(), at: z.number() }).optional(),
  /** Lines that could tell whether an unknown change happened. */
  lookUps: z.array(z.string()),
  pinned: pinnedSchema.optional(),
  /** How long it waits once it is approved, and until when that is. */
  holdMs: z.number().optional(),
  holdUntil: z.number().optional(),
  /** Why one person does alone what would need others, and what somebody else found who looked at it. */
  emergency: z
    .object({
      why: z.string(),
      /** When it was signed, be it that nothing came of it. */
      usedAt: z.number().optional(),
      reviewed: z.object({ by: partySchema, at: z.number(), reason: z.string() }).optional(),
    })
    .optional(),
  /** The time for which it was asked, in the zone of whoever asked. */
  runAt: z.object({ at: z.number(), zone: z.string() }).optional(),
  /** The part of long work that runs before one more click. */
  canary: z.number().optional(),
  notify: z.enum(notifyWays).optional(),
  /** How long after the request people are reminded. */
  remindMs: z.array(z.number()).optional(),
  /** How many of those reminders there were. */
  reminded: z.int().optional(),
  /** The newest reminder of any kind: its number, and why it is there. */
  reminder: z.object({ n: z.int(), why: z.string() }).optional(),
  /** Who asked for one by hand, and when. */
  nudges: z.array(z.object({ person: z.string(), at: z.number() })).optional(),
})

/** Changes that were stored when there was one requirement have one clause, and the digest that they had. */
const withClauses = (stored: unknown): unknown => {
  const { requirement, ...rest } = Object(stored) as Record<string, unknown>
  const { kind } = Object(requirement) as { kind?: string }
  if (kind === undefined) return stored
  return {
    ...rest,
    clauses: kind === 'none' ? [] : [{ because: `rule "${rest.rule}"`, ...Object(requirement) }],
  }
}

/** The part of a change that another version of the policy judges. */
export const pastRequestSchema = fields.pick({
  id: true,
  state: true,
  command: true,
  names: true,
  standsFor: true,
  input: true,
  area: true,
  line: true,
  intent: true,
  amount: true,
  currency: true,
  requester: true,
  votes: true,
  createdAt: true,
  updatedAt: true,
  judged: true,
  steps: true,
})

/** All of a request that asking for another time replaces. */
const standbyKeys = [
  ...(['plan', 'bound', 'policy', 'digest', 'preview', 'amount', 'currency', 'rule', 'clauses'] as const),
  ...(['warnings', 'expiresAt', 'lookUps', 'holdMs', 'canary', 'round', 'notify', 'remindMs'] as const),
  ...(['line', 'input', 'intent', 'area', 'askedAt', 'pinned', 'runAt', 'also', 'judged'] as const),
  ...(['votes', 'lapsed', 'drift', 'holdUntil', 'changedBy', 'recipient', 'tell'] as const),
] as const

/** While another time waits for people: what was approved before, which runs in its own time if they do not. */
const standbySchema = fields.pick(
  Object.fromEntries(standbyKeys.map((key) => [key, true])) as Record<(typeof standbyKeys)[number], true>,
)

export const changeSchema = z.preprocess(
  (stored) => withNotes(withClauses(stored)),
  fields.extend({ standby: standbySchema.optional() }),
)

/** What was approved, of a change as it is or of what is kept of it: with a key for each, so that nothing else stays. */
export const standbyOf = (change: Standby): Standby =>
  Object.fromEntries(standbyKeys.map((key) => [key, change[key]])) as unknown as Standby

export type Standby = z.infer<typeof standbySchema>

export type PastRequest = z.infer<typeof pastRequestSchema>
export type Change = z.infer<typeof changeSchema>
export type Pinned = z.infer<typeof pinnedSchema>
export type ChangeState = Change['state']
export type Party = z.infer<typeof partySchema>
export type Clause = z.infer<typeof clause>
export type AskedPerson = z.infer<typeof askedPerson>
export type ApprovalClause = Extract<Clause, { kind: 'approvals' }>
export type Judged = z.infer<typeof judged>
export type Escalation = z.infer<typeof escalation>
export type Notify = (typeof notifyWays)[number]
export type Drift = z.infer<typeof drift>
export type Outcome = z.infer<typeof outcome>
export type Withheld = NonNullable<Change['withheld']>
export type OutcomeCheck = z.infer<typeof outcomeCheck>
export type AtService = z.infer<typeof atService>
export type UnsettledState = (typeof unsettledStates)[number]
export type Late = z.infer<typeof late>
/** The name of a messenger, as its definition gives it. */
export type Platform = string
/** The name of a service, or `bellhop` for the bot's own. */
export type Area = string

/** Sent, and nobody knows yet how it ends. */
export const isUnsettled = (state: ChangeState): state is UnsettledState =>
  unsettledStates.some((one) => one === state)

/** The service has it, and settles it later. */
export const isAtService = (state: ChangeState): state is 'held' | 'accepted' =>
  state === 'held' || state === 'accepted'
