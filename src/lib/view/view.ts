import { z } from 'zod'
import { isVerb, type Verb } from './button-labels.ts'
import { type Thing, thingSchema } from './thing.ts'
import { joinWords, type Moment, momentSchema, type Words, wordsSchema } from './words.ts'

/**
 * What people read, as plain data with plain text. Nothing in a view is markup; renderers escape it. Views
 * are stored (previews, answers to share), so the model is a schema.
 */
const tone = z.enum(['plain', 'good', 'warn', 'bad'])

export const verbSchema = z.custom<Verb>((given) => typeof given === 'string' && isVerb(given))

/**
 * A button: a verb and the id of the stored thing it acts on. Its label comes from `button-labels.ts`, unless it has its
 * own. What is `isMore` stands behind a menu, so that the buttons beside it are the ones to choose from.
 */
const action = z.object({
  verb: verbSchema,
  id: z.string(),
  label: z.string().optional(),
  isMore: z.literal(true).optional(),
  /** It mends what is wrong, and stands first. */
  mends: z.literal(true).optional(),
})

/**
 * What the viewer may do with the things of the view: `id` is the stored answer, `at` the place of the thing in it, and
 * `actions` are names of commands. With `asks` it is a choice: it says what is chosen, and whatever is goes on with what was
 * typed. What is `isOpen` may be none of them, so a name, an address, a number or an id is searched for.
 */
const menu = z.object({
  id: z.string(),
  asks: z.string().optional(),
  isOpen: z.literal(true).optional(),
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

const webAddress = z
  .string()
  .max(500)
  .regex(/^https?:\/\/[^\s<>()|"\\]+$/, 'an address of the web')

const series = z.object({
  name: z.string(),
  points: z.array(z.object({ label: z.string(), value: z.number() })),
})

/**
 * What a fact is to the decision: the amount, whom or what it is done to, what it is taken from, anything else that is
 * decided, why it is asked for, or what may stand in the details alone.
 */
const factRoles = ['amount', 'target', 'source', 'subject', 'reason', 'detail'] as const

const block = z.discriminatedUnion('kind', [
  /** Whose turn it is or was: what is needed line by line, and a quiet line that names who asked. */
  z.object({
    kind: z.literal('turn'),
    lines: z.array(wordsSchema),
    by: z.string(),
    /** Who asks, while it waits. */
    asker: z.string().optional(),
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
        /** Kept answers have other words for it, which nothing reads. */
        role: z.enum(factRoles).optional().catch(undefined),
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
        /** Its instants are compared with each other, so they stand as dates; elsewhere in a table they stand as ages. */
        isDate: z.literal(true).optional(),
        /** The instants that the cells name, in the order of the rows. */
        times: z.array(momentSchema.nullable()).optional(),
      }),
    ),
    rows: z.array(z.array(z.string())),
    /** What each row is about, in the order of the rows. */
    things: z.array(thingSchema.nullable()).optional(),
  }),
  /**
   * What waits, a line each with what can be pressed: the sentence, who asks since when and why, what is needed, and the facts
   * and warnings that nobody should decide without. What has a `mark` may be approved together with others, as it stands there.
   */
  z.object({
    kind: z.literal('requests'),
    requests: z.array(
      z.object({
        title: z.string(),
        by: z.string(),
        asked: momentSchema,
        why: z.string().optional(),
        needs: z.array(wordsSchema),
        facts: z.array(z.object({ label: z.string(), value: wordsSchema })),
        warnings: z.array(wordsSchema),
        thing: thingSchema,
        actions: z.array(action),
        mark: z
          .object({ id: z.string(), amount: z.number().nullable(), currency: z.string().nullable() })
          .optional(),
      }),
    ),
  }),
  z.object({ kind: z.literal('list'), items: z.array(wordsSchema) }),
  z.object({ kind: z.literal('code'), text: z.string() }),
  /** Where to go on in a browser: each platform draws it as what can be pressed. The bot alone writes one. */
  z.object({ kind: z.literal('address'), label: z.string(), url: webAddress }),
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
export const maxAtOnce = { facts: 4, statements: 3, columns: 4, ofThing: 5 }

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
  /** What people do next with a thing of it, by the name of a command; whoever may run that reads a button. */
  offers: z
    .array(
      z.object({
        thing: thingSchema,
        command: z.string(),
        label: z.string(),
        mends: z.literal(true).optional(),
      }),
    )
    .optional(),
})

export type View = z.infer<typeof viewSchema>
export type Block = z.infer<typeof block>
export type Mention = z.infer<typeof mention>
export type Tone = z.infer<typeof tone>
export type { Verb }
export type Action = z.infer<typeof action>
export type Menu = z.infer<typeof menu>
export type Offer = NonNullable<View['offers']>[number]
export type Marks = z.infer<typeof marks>
export type TableBlock = Extract<Block, { kind: 'table' }>
export type Request = Extract<Block, { kind: 'requests' }>['requests'][number]
export type Fact = Extract<Block, { kind: 'facts' }>['facts'][number]
type Chart = Extract<Block, { kind: 'chart' }>

export const text = (words: Words): Block => ({ kind: 'text', text: words })
export const note = (noteTone: Tone, words: Words): Block => ({ kind: 'note', tone: noteTone, text: words })
export const list = (items: readonly Words[]): Block => ({ kind: 'list', items: [...items] })
export const code = (words: string): Block => ({ kind: 'code', text: words })
export const address = (label: string, url: string): Block => ({ kind: 'address', label, url })

export type FactRole = (typeof factRoles)[number]
type FactValue = Words | number | Thing | Moment | null | undefined
/** With what it is to the decision, and the thing behind its words. */
type RoleValue = { role: FactRole; value: FactValue; thing?: Thing }

/** Facts in the given order; missing and empty ones are left out. A thing is shown by its id. */
export const facts = (values: Record<string, FactValue | RoleValue>): Extract<Block, { kind: 'facts' }> => ({
  kind: 'facts',
  facts: Object.entries(values).flatMap(([label, given]): Fact[] => {
    const { value, ...more } =
      typeof given === 'object' && given !== null && 'role' in given ? given : { value: given }
    if (value === null || value === undefined || value === '') return []
    if (typeof value !== 'object') return [{ label, value: String(value), ...more }]
    if ('parts' in value) return [{ label, value, ...more }]
    return 'text' in value
      ? [{ label, value: value.text, time: value, ...more }]
      : [{ label, value: value.id, thing: value, ...more }]
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
 * Columns are labels. One that ends in `#` contains numbers and is right-aligned, one that ends in `@` times that people compare;
 * one that ends in `+` tells no rows apart and stands in the file alone, as all do behind the first four. `things` are what the rows are about.
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
      const isMore = label.endsWith('+') || ++shown > maxAtOnce.columns
      const name = label.replace(/\+$/, '')
      return {
        label: name.replace(/[#@]$/, ''),
        align: name.endsWith('#') ? 'right' : 'left',
        ...(name.endsWith('@') ? { isDate: true as const } : {}),
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

/** All of a table where there is room for all: what does not fit beside each other is said row by row. */
export const unfolded = (block: Block): Block => {
  if (block.kind !== 'table' || !block.columns.some(({ isMore }) => isMore)) return block
  const cellOf = (row: readonly string[], line: number, at: number): Words => {
    const time = block.columns[at]?.times?.[line]
    return time ? { parts: [time] } : (row[at] ?? '')
  }
  return {
    kind: 'facts',
    facts: block.rows.map((row, line): Fact => {
      const thing = block.things?.[line]
      const others = block.columns.slice(1).flatMap(({ label }, at): Words[] => {
        const cell = cellOf(row, line, at + 1)
        return cell === '' ? [] : [joinWords([`${label}: `, cell])]
      })
      return { label: row[0] || `${line + 1}`, value: joinWords(others, ' · '), ...(thing && { thing }) }
    }),
  }
}

/** The tables of a view, whole: one of which another has all rows says nothing of its own. */
export const wholeTables = ({ blocks, details = [] }: Pick<View, 'blocks' | 'details'>): TableBlock[] => {
  const tables = [...blocks, ...details].flatMap((block) => (block.kind === 'table' ? block : []))
  const keyOf = ({ columns }: TableBlock) => JSON.stringify(columns.map(({ label }) => label))
  return tables.filter((one) => {
    const own = one.rows.map((row) => JSON.stringify(row))
    return !tables.some((other) => {
      if (other === one || other.rows.length <= one.rows.length || keyOf(other) !== keyOf(one)) return false
      const rows = new Set(other.rows.map((row) => JSON.stringify(row)))
      return own.every((row) => rows.has(row))
    })
  })
}

/** Whether a view has columns or rows that its first screen leaves out, and a file has. */
export const hasMoreColumns = (view: Pick<View, 'blocks' | 'details'>): boolean => {
  const whole = wholeTables(view)
  return (
    whole.some(({ columns }) => columns.some(({ isMore }) => isMore)) ||
    view.blocks.some((block) => block.kind === 'table' && !whole.includes(block))
  )
}

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
