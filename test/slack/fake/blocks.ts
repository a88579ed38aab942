import { z } from 'zod'

/** Slack's rules for blocks, written down a second time and apart from the adapter's own. */
const string = (most: number, least = 1) =>
  z
    .string()
    .min(least)
    .max(most)
    .refine((text) => least === 0 || text.trim() !== '', 'is blank')
const id = z.string().min(1).max(255)

const plainText = (most: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: string(most), emoji: z.boolean().optional() })
const markup = (most: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: string(most), verbatim: z.boolean().optional() })
const text = (most: number) => z.union([plainText(most), markup(most)])

const option = z.strictObject({ text: plainText(75), value: string(75) })
const options = z.array(option).min(1).max(100)
const optionGroups = z
  .array(z.strictObject({ label: plainText(75), options }))
  .min(1)
  .max(100)

const button = z.strictObject({
  type: z.literal('button'),
  action_id: id,
  text: plainText(75),
  value: z.string().max(2000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
})
const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    action_id: id,
    focus_on_load: z.boolean().optional(),
    options: options.optional(),
    option_groups: optionGroups.optional(),
    initial_option: option.optional(),
    placeholder: plainText(150).optional(),
  })
  .refine(
    (select) => (select.options === undefined) !== (select.option_groups === undefined),
    'one of the two',
  )

const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: id,
  options: z
    .array(option)
    .min(1)
    .max(5)
    .refine((all) => isUnique(all.map(({ value }) => value)), 'a value twice'),
})

const checkboxes = z.strictObject({
  type: z.literal('checkboxes'),
  action_id: id,
  options: z
    .array(z.strictObject({ text: text(75), description: text(75).optional(), value: string(75) }))
    .min(1)
    .max(10)
    .refine((all) => isUnique(all.map(({ value }) => value)), 'a value twice'),
})

const externalSelect = z.strictObject({
  type: z.literal('external_select'),
  action_id: id,
  focus_on_load: z.boolean().optional(),
  min_query_length: z.int().min(0).optional(),
  initial_option: option.optional(),
  placeholder: plainText(150).optional(),
})

const inputElement = z.union([
  staticSelect,
  externalSelect,
  z.strictObject({
    type: z.literal('multi_static_select'),
    action_id: id,
    focus_on_load: z.boolean().optional(),
    options,
    initial_options: options.optional(),
  }),
  z
    .strictObject({
      type: z.literal('plain_text_input'),
      action_id: id,
      multiline: z.boolean().optional(),
      max_length: z.int().min(1).max(3000).optional(),
      initial_value: z.string().min(1).max(3000).optional(),
      focus_on_load: z.boolean().optional(),
    })
    .refine(({ initial_value = '', max_length = 3000 }) => initial_value.length <= max_length, 'too long'),
  z
    .strictObject({
      type: z.literal('number_input'),
      action_id: id,
      focus_on_load: z.boolean().optional(),
      is_decimal_allowed: z.boolean(),
      min_value: z.string().optional(),
      max_value: z.string().optional(),
      initial_value: z.string().optional(),
    })
    .refine(
      ({ initial_value, min_value = '-Infinity', max_value = 'Infinity' }) =>
        initial_value === undefined ||
        (Number(initial_value) >= Number(min_value) && Number(initial_value) <= Number(max_value)),
      'the initial value is out of its own bounds',
    ),
  z.strictObject({
    type: z.literal('multi_external_select'),
    action_id: id,
    focus_on_load: z.boolean().optional(),
    min_query_length: z.int().min(0).optional(),
    initial_options: options.optional(),
  }),
  z.strictObject({
    type: z.literal('file_input'),
    action_id: id,
    max_files: z.int().min(1).max(10).optional(),
  }),
  z.strictObject({ type: z.literal('datepicker'), action_id: id, initial_date: z.iso.date().optional() }),
])

const style = z.strictObject({
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  strike: z.boolean().optional(),
  code: z.boolean().optional(),
})
/** Words around at least one token, and no other braces. */
const dateFormat =
  /^(?:[^{}]*\{(?:date_num|date_slash|date|date_pretty|date_short|date_short_pretty|date_long|date_long_full|date_long_pretty|day_divider_pretty|time|time_secs|ago)\})+[^{}]*$/
const richElement = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(3000), style: style.optional() }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int().min(0),
    format: z.string().regex(dateFormat),
    fallback: z.string().min(1).optional(),
    style: style.optional(),
  }),
  z.strictObject({ type: z.literal('emoji'), name: z.string().min(1) }),
  z.strictObject({ type: z.literal('user'), user_id: z.string().regex(/^[UW][A-Z0-9]+$/) }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string().regex(/^S[A-Z0-9]+$/) }),
])
const richParts = z.array(richElement).min(1)
const richSection = z.strictObject({ type: z.literal('rich_text_section'), elements: richParts })

const label = string(20)
const points = z.array(z.strictObject({ label, value: z.number() })).min(1)
const chart = z.union([
  z.strictObject({
    type: z.literal('pie'),
    segments: points.max(6).refine((all) => all.every(({ value }) => value > 0), 'a slice of nothing'),
  }),
  z
    .strictObject({
      type: z.enum(['bar', 'line', 'area']),
      series: z
        .array(z.strictObject({ name: label, data: points.max(20) }))
        .min(1)
        .max(6),
      axis_config: z.strictObject({
        categories: z.array(label).min(1).max(20),
        x_label: string(50).optional(),
        y_label: string(50).optional(),
      }),
    })
    .refine(
      ({ series, axis_config }) =>
        series.every(({ data }) => data.every((point) => axis_config.categories.includes(point.label))),
      'a point outside the categories',
    )
    .refine(({ axis_config }) => isUnique(axis_config.categories), 'a category twice'),
])

const blockId = { block_id: id.optional() }
const tableCell = z.union([
  z.strictObject({ type: z.literal('raw_text'), text: string(10_000) }),
  z.strictObject({ type: z.literal('rich_text'), elements: z.array(richSection).min(1) }),
])
const tableRows = (most: number) =>
  z
    .array(z.array(tableCell).min(1).max(20))
    .min(1)
    .max(most)
    .refine((rows) => rows.every((row) => row.length === rows[0]?.length), 'rows of different lengths')
    .refine(
      (rows) => rows.flat().reduce((sum, cell) => sum + shownIn(cell), 0) <= 10_000,
      'over 10,000 characters',
    )
const taskCard = z.strictObject({
  type: z.literal('task_card'),
  task_id: id,
  title: string(3000),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']),
})
const leaf = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), text: plainText(150), ...blockId }),
  z.strictObject({ type: z.literal('divider'), ...blockId }),
  z
    .strictObject({
      type: z.literal('section'),
      text: text(3000).optional(),
      fields: z.array(text(2000)).min(1).max(10).optional(),
      ...blockId,
    })
    .refine((section) => section.text !== undefined || section.fields !== undefined, 'an empty section'),
  z.strictObject({ type: z.literal('context'), elements: z.array(text(3000)).min(1).max(10), ...blockId }),
  z.strictObject({
    type: z.literal('actions'),
    elements: z
      .array(z.union([button, overflow, checkboxes, staticSelect, externalSelect]))
      .min(1)
      .max(25)
      .refine((elements) => isUnique(elements.map(({ action_id }) => action_id)), 'an action_id twice'),
    ...blockId,
  }),
  z.strictObject({
    type: z.literal('rich_text'),
    elements: z
      .array(
        z.union([
          richSection,
          z.strictObject({ type: z.literal('rich_text_preformatted'), elements: richParts }),
          z.strictObject({ type: z.literal('rich_text_quote'), elements: richParts }),
          z.strictObject({
            type: z.literal('rich_text_list'),
            style: z.enum(['bullet', 'ordered']),
            elements: z.array(richSection).min(1),
          }),
        ]),
      )
      .min(1),
    ...blockId,
  }),
  z.strictObject({
    type: z.literal('table'),
    rows: tableRows(100),
    column_settings: z
      .array(
        z.strictObject({ align: z.enum(['left', 'center', 'right']), is_wrapped: z.boolean().optional() }),
      )
      .max(20)
      .optional(),
    ...blockId,
  }),
  z.strictObject({ type: z.literal('data_visualization'), title: string(50), chart, ...blockId }),
  z.strictObject({
    type: z.literal('input'),
    label: plainText(2000),
    hint: plainText(2000).optional(),
    optional: z.boolean().optional(),
    element: inputElement,
    ...blockId,
  }),
])
type Leaf = z.infer<typeof leaf>
const inContainers = new Set<Leaf['type']>([
  'actions',
  'context',
  'divider',
  'header',
  'rich_text',
  'section',
  'table',
])
const block = z.discriminatedUnion('type', [
  leaf,
  z.strictObject({
    type: z.literal('data_table'),
    caption: string(3000),
    page_size: z.int().min(1).max(100).optional(),
    row_header_column_index: z.int().min(0).optional(),
    rows: tableRows(101).refine((rows) => rows.length > 1, 'no rows'),
    ...blockId,
  }),
  z.strictObject({
    type: z.literal('container'),
    title: plainText(150),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    child_blocks: z
      .array(leaf)
      .min(1)
      .max(10)
      .refine(
        (all) => all.every(({ type }) => inContainers.has(type)),
        'a block that containers do not have',
      ),
    ...blockId,
  }),
  z.strictObject({
    type: z.literal('plan'),
    title: string(3000),
    tasks: z.array(taskCard).min(1),
    ...blockId,
  }),
])
export type FakeBlock = z.infer<typeof block>

const blocks = (most: number) =>
  z
    .array(block)
    .min(1)
    .max(most)
    .refine((all) => isUnique(all.flatMap(({ block_id }) => block_id ?? [])), 'a block_id twice')

const messageBlocks = blocks(50)
  .refine((all) => all.every(({ type }) => type !== 'input'), 'an input in a message')
  .refine(
    (all) => all.filter(({ type }) => type === 'table' || type === 'data_table').length <= 1,
    'two tables',
  )
  .refine((all) => all.filter(({ type }) => type === 'data_visualization').length <= 2, 'three charts')

const notInViews = new Set(['table', 'data_table', 'container', 'plan', 'data_visualization'])
const viewBlocks = blocks(100).refine(
  (all) => all.every(({ type }) => !notInViews.has(type)),
  'a block that views do not have',
)

const modal = z
  .strictObject({
    type: z.literal('modal'),
    callback_id: id,
    private_metadata: z.string().max(3000).optional(),
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    blocks: viewBlocks,
  })
  .refine(
    (view) => view.submit !== undefined || view.blocks.every(({ type }) => type !== 'input'),
    'submit is needed with an input',
  )
export type FakeModal = z.infer<typeof modal>

const home = z.strictObject({ type: z.literal('home'), blocks: viewBlocks })

/** What Slack would say to it, or nothing; `refused` are newer blocks that a workspace does not have yet. */
export const faultInMessage = (
  words: unknown,
  given: unknown,
  refused: ReadonlySet<string> = new Set(),
): string | undefined => {
  if (typeof words !== 'string' || words.trim() === '') return 'no_text'
  // A new message may have ten times as many; chat.update takes no more, and every message may be edited.
  if (words.length > 4_000) return 'msg_too_long'
  if (given === undefined) return undefined
  if (JSON.stringify(given).length > 13_000) return 'msg_blocks_too_long'
  const { data } = messageBlocks.safeParse(given)
  return data === undefined || data.some(({ type }) => refused.has(type)) ? 'invalid_blocks' : undefined
}

export const whyInvalid = (given: unknown): string =>
  z.prettifyError(messageBlocks.safeParse(given).error ?? new z.ZodError([]))

export const parseModal = (given: unknown) => modal.safeParse(given)
export const parseHome = (given: unknown) => home.safeParse(given)

/** All that Slack would read as markup: only there can a value ping or forge. */
export const markupIn = (words: string, given: unknown): string[] => {
  // A date of Slack's own, in which nothing but digits and our own words can stand.
  const withoutDates = (text: string) => text.replace(/<!date\^\d+\^[\w{}(), ]+\|[\w,: ]+>/g, '')
  const found = [withoutDates(words)]
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk)
    else if (typeof node === 'object' && node !== null) {
      const { type, text: inner } = node as { type?: unknown; text?: unknown }
      if (type === 'mrkdwn') found.push(withoutDates(String(inner)))
      Object.values(node).forEach(walk)
    }
  }
  walk(given)
  return found
}

/** How many characters a cell shows. */
const shownIn = (node: unknown): number => {
  if (Array.isArray(node)) return node.reduce((sum: number, one) => sum + shownIn(one), 0)
  const { text = '', fallback = '', elements = [] } = Object(node) as Record<string, string>
  return text.length + fallback.length + shownIn([...elements])
}

const isUnique = (names: readonly unknown[]): boolean => new Set(names).size === names.length

/** The options that an app gives for a select, if Slack would show them. */
export const optionGroupsIn = (body: unknown) => {
  const given = typeof body === 'string' ? JSON.parse(body || '{}') : body
  return (
    z
      .strictObject({ option_groups: optionGroups.optional(), options: z.array(option).max(100).optional() })
      .parse(given).option_groups ?? []
  )
}
