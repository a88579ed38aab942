import { z } from 'zod'
import { type Thing, thingSchema } from './thing.ts'
import { type Moment, momentSchema, type Words, wordsSchema } from './words.ts'

/**
 * What people read, as plain data with plain text. Nothing in a view is markup; renderers escape it. Views
 * are stored (previews, answers to share), so the model is a schema.
 */
const tone = z.enum(['plain', 'good', 'warn', 'bad'])

export const verbs = [
  'confirm',
  'cancel',
  'approve',
  'reject',
  'ask',
  'answer',
  'change',
  'retime',
  'again',
  'review',
  'approve_all',
  'reject_all',
  'mine',
  'ask_access',
  'share',
  'next',
  'previous',
  'happened',
  'did_not',
  'mark_reviewed',
  'look_up',
  'pause',
  'resume',
  'stop',
  'show_all',
  'details',
  'why',
  'remind',
  'run_it',
  'edit',
  'choose',
  'receipt',
  'tell',
  'file',
  'act',
] as const
const verb = z.enum(verbs)

/**
 * A button: a verb and the id of the stored thing it acts on. Its label comes from `button-labels.ts`, unless it has its
 * own. What is `isMore` stands behind a menu, so that the buttons beside it are the ones to choose from.
 */
const action = z.object({
  verb,
  id: z.string(),
  label: z.string().optional(),
  isMore: z.literal(true).optional(),
})

/**
 * What the viewer may do with the things of the view: `id` is the stored answer, `at` the place of the thing in it, and
 * `actions` are names of commands.
 */
const menu = z.object({
  id: z.string(),
  items: z.array(
    z.object({
      at: z.int(),
      thing: thingSchema,
      /** How people tell it from the others. */
      label: z.string().optional(),
      actions: z.array(z.string()),
    }),
  ),
  summaries: z.record(z.string(), z.string()),
})

/** Requests that the viewer may decide on, to be marked and decided on together: `review` of what was marked comes first. */
const marks = z.array(z.object({ id: z.string(), label: z.string(), hint: z.string() }))

const series = z.object({
  name: z.string(),
  points: z.array(z.object({ label: z.string(), value: z.number() })),
})

const block = z.discriminatedUnion('kind', [
  /** Whose turn it is or was: what is needed line by line, and a quiet line that names who asked. */
  z.object({
    kind: z.literal('turn'),
    lines: z.array(wordsSchema),
    by: z.string(),
    /** "expires", and when. */
    time: z.object({ words: z.string(), moment: momentSchema }).optional(),
  }),
  /** What somebody said, in their own words. */
  z.object({ kind: z.literal('quote'), text: z.string(), by: z.string() }),
  z.object({ kind: z.literal('text'), text: wordsSchema }),
  /** A statement: what speaks against something (warn, bad), for it (good), or neither. A warning sign means risk. */
  z.object({ kind: z.literal('note'), tone, text: wordsSchema }),
  z.object({
    kind: z.literal('facts'),
    /** The few facts that people compare, in two columns. */
    isLead: z.literal(true).optional(),
    /** Fields of the request by their own names, which nobody needs in order to decide. */
    isSent: z.literal(true).optional(),
    facts: z.array(
      z.object({
        label: z.string(),
        value: wordsSchema,
        thing: thingSchema.optional(),
        /** The instant that it is, and nothing else. */
        time: momentSchema.optional(),
      }),
    ),
  }),
  z.object({
    kind: z.literal('diff'),
    changes: z.array(
      z.object({ label: z.string(), before: wordsSchema.nullable(), after: wordsSchema.nullable() }),
    ),
  }),
  z.object({
    kind: z.literal('table'),
    columns: z.array(
      z.object({
        label: z.string(),
        align: z.enum(['left', 'right']),
        /** It does not tell rows apart: it stands in the file that has all columns. */
        isMore: z.literal(true).optional(),
        /** The instants that the cells name, in the order of the rows. */
        times: z.array(momentSchema.nullable()).optional(),
      }),
    ),
    rows: z.array(z.array(z.string())),
    /** What each row is about, in the order of the rows. */
    things: z.array(thingSchema.nullable()).optional(),
  }),
  /**
   * What waits, a line each with what can be pressed: the sentence, who asks since when, what is needed, and the facts and
   * warnings that nobody should decide without.
   */
  z.object({
    kind: z.literal('requests'),
    requests: z.array(
      z.object({
        title: z.string(),
        by: z.string(),
        asked: momentSchema,
        needs: z.array(wordsSchema),
        facts: z.array(z.object({ label: z.string(), value: wordsSchema })),
        warnings: z.array(wordsSchema),
        thing: thingSchema,
        actions: z.array(action),
      }),
    ),
  }),
  z.object({ kind: z.literal('list'), items: z.array(wordsSchema) }),
  z.object({ kind: z.literal('code'), text: z.string() }),
  z.object({
    kind: z.literal('chart'),
    title: z.string(),
    shape: z.enum(['bar', 'line', 'pie']),
    series: z.array(series),
  }),
  z.object({
    kind: z.literal('progress'),
    label: z.string(),
    done: z.number(),
    total: z.number(),
    state: z.enum(['waiting', 'running', 'done', 'failed']).optional(),
  }),
])

/**
 * Somebody who is to be notified: a person with their accounts, or a group with its id. Only the bot itself puts them
 * into a view, from the policy file; no text becomes one.
 */
const mention = z.object({
  name: z.string(),
  /** By the name of the messenger. */
  accounts: z.record(z.string(), z.string()),
  isGroup: z.boolean(),
})

/** What a view is to its reader. */
const viewKinds = [
  'request',
  'outcome',
  'unknown',
  'person',
  'thing',
  'list',
  'report',
  'form',
  'refusal',
] as const

/** What one view shows at once. */
export const mostAtOnce = { facts: 4, statements: 3, columns: 4, ofThing: 5 }

export const viewSchema = z.object({
  kind: z.enum(viewKinds).optional(),
  /** A sentence: what happens or what is so, with the amount and whom it is for. */
  title: z.string(),
  tone,
  /** Of what a change would do: why, in the words of whoever asks. */
  quote: z.string().optional(),
  /** The change that it shows, and who asked for it: only those may see it who may see the change. */
  change: z.object({ id: z.string(), requester: z.string(), version: z.int().optional() }).optional(),
  /** Whose turn it is. */
  mentions: z.array(mention).optional(),
  blocks: z.array(block),
  /** So many of the first blocks are drawn whole before any other gets room. */
  essential: z.int().optional(),
  /** Everything that is not needed to decide, for whoever asks for it. */
  details: z.array(block).optional(),
  footer: wordsSchema.optional(),
  actions: z.array(action).optional(),
  menu: menu.optional(),
  marks: marks.optional(),
})

export type View = z.infer<typeof viewSchema>
export type Block = z.infer<typeof block>
export type Mention = z.infer<typeof mention>
export type Tone = z.infer<typeof tone>
export type Verb = z.infer<typeof verb>
export type Action = z.infer<typeof action>
export type Menu = z.infer<typeof menu>
export type Marks = z.infer<typeof marks>
export type TableBlock = Extract<Block, { kind: 'table' }>
export type Request = Extract<Block, { kind: 'requests' }>['requests'][number]
export type Fact = Extract<Block, { kind: 'facts' }>['facts'][number]
type Chart = Extract<Block, { kind: 'chart' }>

export const text = (words: Words): Block => ({ kind: 'text', text: words })
export const note = (noteTone: Tone, words: Words): Block => ({ kind: 'note', tone: noteTone, text: words })
export const list = (items: readonly Words[]): Block => ({ kind: 'list', items: [...items] })
export const code = (words: string): Block => ({ kind: 'code', text: words })

type FactValue = Words | number | Thing | Moment | null | undefined

/** Facts in the given order; missing and empty ones are left out. A thing is shown by its id. */
export const facts = (values: Record<string, FactValue>): Block => ({
  kind: 'facts',
  facts: Object.entries(values).flatMap(([label, value]): Fact[] => {
    if (value === null || value === undefined || value === '') return []
    if (typeof value !== 'object') return [{ label, value: String(value) }]
    if ('parts' in value) return [{ label, value }]
    return 'text' in value
      ? [{ label, value: value.text, time: value }]
      : [{ label, value: value.id, thing: value }]
  }),
})

/** What will change, old to new; lines with two equal sides are left out. */
export const diff = (changes: Record<string, [before: Words | null, after: Words | null]>): Block => ({
  kind: 'diff',
  changes: Object.entries(changes)
    .filter(([, [before, after]]) => JSON.stringify(before) !== JSON.stringify(after))
    .map(([label, [before, after]]) => ({ label, before, after })),
})

/**
 * Columns are labels. One that ends in `#` contains numbers and is right-aligned; one that ends in `+` tells no rows apart and
 * stands in the file alone, as all do behind the first four. `things` are what the rows are about.
 */
export const table = (
  labels: string[],
  rows: readonly (readonly (string | Moment)[])[],
  things: readonly (Thing | undefined)[] = [],
): TableBlock => {
  let shown = 0
  return {
    kind: 'table',
    columns: labels.map((label, at) => {
      const times = rows.map((row) => momentIn(row[at]) ?? null)
      const isMore = label.endsWith('+') || ++shown > mostAtOnce.columns
      const name = label.replace(/\+$/, '')
      return {
        label: name.replace(/#$/, ''),
        align: name.endsWith('#') ? 'right' : 'left',
        ...(isMore ? { isMore } : {}),
        ...(times.some((time) => time !== null) ? { times } : {}),
      }
    }),
    rows: rows.map((row) => row.map((cell) => momentIn(cell)?.text ?? String(cell))),
    ...(things.some((one) => one !== undefined) ? { things: rows.map((_, at) => things[at] ?? null) } : {}),
  }
}

/** The columns that tell rows apart. */
export const leadColumns = (whole: TableBlock): TableBlock => {
  const kept = whole.columns.flatMap(({ isMore }, at) => (isMore ? [] : [at]))
  if (kept.length === whole.columns.length) return whole
  return {
    ...whole,
    columns: kept.flatMap((at) => whole.columns[at] ?? []),
    rows: whole.rows.map((row) => kept.map((at) => row[at] ?? '')),
  }
}

/** Whether a view has columns that stand in the file alone. */
export const hasMoreColumns = ({ blocks }: Pick<View, 'blocks'>): boolean =>
  blocks.some((block) => block.kind === 'table' && block.columns.some(({ isMore }) => isMore))

/** All columns, for whoever must see everything: a card, a program, a file. */
export const allColumns = (whole: TableBlock): TableBlock => ({
  ...whole,
  columns: whole.columns.map(({ isMore: _, ...column }) => column),
})

/** Everything that can be pressed on a view. */
export const actionsIn = ({ blocks, actions = [] }: Pick<View, 'blocks' | 'actions'>): Action[] => [
  ...blocks.flatMap((block) =>
    block.kind === 'requests' ? block.requests.flatMap((one) => one.actions) : [],
  ),
  ...actions,
]

const momentIn = (cell: string | Moment | undefined): Moment | undefined =>
  typeof cell === 'object' ? cell : undefined

export const chart = (
  title: string,
  shape: Chart['shape'],
  values: Record<string, number>,
  name = title,
): Block => ({
  kind: 'chart',
  title,
  shape,
  series: [{ name, points: Object.entries(values).map(([label, value]) => ({ label, value })) }],
})
