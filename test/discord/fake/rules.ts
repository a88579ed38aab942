import * as spec from 'discord-api-spec/zod'

/**
 * What Discord refuses, written from its documentation and not from our limits: an outside schema first, and the rules
 * which that schema is known to miss.
 */
type Json = Record<string, unknown>

export const messageFaults = (
  body: Json,
  { isEdit = false, files = [] as string[], isV2 = false } = {},
): string[] => {
  const flags = Number(body.flags ?? 0)
  const withV2 = isV2 || (flags & 32_768) !== 0
  const schema = isEdit ? spec.MessageEditRequestPartialSchema : spec.MessageCreateRequestSchema
  const parts = allComponents(body.components)
  const texts = parts.filter(({ type }) => type === 10).map(({ content }) => String(content ?? ''))
  return [
    ...outside(schema, body),
    ...(withV2 && (body.content || body.embeds) ? ['content or embeds with components v2'] : []),
    ...(!withV2 && parts.some(({ type }) => Number(type) >= 9) ? ['new components without their flag'] : []),
    ...(!isEdit && parts.length === 0 && !body.content ? ['empty message'] : []),
    ...(parts.length > 40 ? [`${parts.length} components`] : []),
    ...(sum(texts.map((text) => [...text].length)) > 4000 ? ['over 4000 characters of text'] : []),
    ...texts.filter((text) => text.trim() === '').map(() => 'empty text'),
    ...customIdFaults(parts),
    ...parts.flatMap(partFaults),
    ...attachmentFaults(body, parts, files),
    ...(isByIdOnly(body.allowed_mentions) ? [] : ['mentions may resolve']),
    ...((flags & ~(64 | 32_768)) === 0 ? [] : ['flags that a bot may not set']),
  ]
}

/** Nobody is notified by words, only those whose ids are listed. */
const isByIdOnly = (allowed: unknown): boolean => {
  const { parse, users = [], roles = [], ...more } = Object(allowed) as Record<string, unknown[]>
  const isId = (id: unknown) => /^\d{17,20}$/.test(String(id))
  return parse?.length === 0 && Object.keys(more).length === 0 && users.every(isId) && roles.every(isId)
}

export const modalFaults = (data: Json): string[] => {
  const components = (data.components ?? []) as Json[]
  return [
    ...outside(spec.ModalInteractionCallbackRequestDataSchema, data),
    ...(components.length < 1 || components.length > 5 ? [`${components.length} fields`] : []),
    ...(length(data.title) < 1 || length(data.title) > 45 ? ['title'] : []),
    ...(length(data.custom_id) < 1 || length(data.custom_id) > 100 ? ['custom_id'] : []),
    ...customIdFaults(allComponents(components)),
    ...components.flatMap(({ type, label, description, component }) => {
      const field = component as Json
      return [
        ...(type === 18 ? [] : ['a field without a label']),
        ...(length(label) < 1 || length(label) > 45 ? ['label'] : []),
        ...(length(description) > 100 ? ['description'] : []),
        ...(field.type === 4 &&
        (length(field.value) > Number(field.max_length ?? 4000) || length(field.placeholder) > 100)
          ? ['value or placeholder']
          : []),
        ...(field.type === 4 && 'label' in field ? ['a label in a label'] : []),
        ...(length(field.custom_id) < 1 || length(field.custom_id) > 100 ? ['field custom_id'] : []),
        ...(formFields[Number(field.type)]?.(field) ?? [`a field of type ${field.type}`]),
      ]
    }),
  ]
}

/** What a label of a form may hold, with what is refused of each. */
const formFields: Readonly<Record<number, (field: Json) => string[]>> = {
  3: (field) => [...selectFaults(field), ...countFaults(field)],
  4: ({ style }) => (style === 1 || style === 2 ? [] : ['text input style']),
  19: (field) => [
    ...countFaults(field),
    ...(((field.file_types ?? []) as unknown[]).length > 10 ? ['over 10 file types'] : []),
  ],
  21: (field) => optionFaults(field, { least: 2, defaults: 1 }),
  22: (field) => [...optionFaults(field, { least: 1, defaults: 10 }), ...countFaults(field)],
  23: (field) => [
    ...(['boolean', 'undefined'].includes(typeof field.default) ? [] : ['checkbox default']),
    ...('required' in field || 'options' in field ? ['a checkbox is ticked or not'] : []),
  ],
}

const optionFaults = (
  { options }: Json,
  { least, defaults }: { least: number; defaults: number },
): string[] => {
  const all = (options ?? []) as Json[]
  const isLong = ({ label, value, description }: Json) =>
    length(label) < 1 ||
    length(label) > 100 ||
    length(value) < 1 ||
    length(value) > 100 ||
    length(description) > 100
  return [
    ...(all.length < least || all.length > 10 ? [`${all.length} options`] : []),
    ...(all.some(isLong) ? ['option of wrong length'] : []),
    ...(all.filter((option) => option.default === true).length > defaults ? ['too many defaults'] : []),
    ...(new Set(all.map(({ value }) => value)).size === all.length ? [] : ['two options of one value']),
  ]
}

/** How many may be chosen or uploaded; none at all is possible only where nothing is required. */
const countFaults = ({ type, min_values, max_values, options, required = true }: Json): string[] => {
  const [min, max] = [Number(min_values ?? 1), Number(max_values ?? 1)]
  const top = type === 3 ? 25 : 10
  const count = options === undefined ? top : (options as Json[]).length
  return [
    ...(min < 0 || min > top || max < 1 || max > top || min > max ? ['min_values or max_values'] : []),
    ...(options !== undefined && max > count ? ['more to choose than there is'] : []),
    ...(min === 0 && required === true ? ['required, and none needed'] : []),
  ]
}

export const choiceFaults = (choices: Json[]): string[] => [
  ...(choices.length > 25 ? ['over 25 choices'] : []),
  ...choices.flatMap(({ name, value }) =>
    length(name) < 1 || length(name) > 100 || length(value) > 100 ? ['choice of wrong length'] : [],
  ),
]

export const commandFaults = (commands: Json[]): string[] => [
  ...commands.flatMap((command) => outside(spec.ApplicationCommandCreateRequestSchema, command)),
  ...(commands.length > 100 ? ['over 100 commands'] : []),
  ...commands.flatMap((command) => [
    ...nameFaults(command),
    ...(characters(command) > 8000 ? [`${command.name} is over 8000 characters`] : []),
  ]),
]

const nameFaults = (one: Json): string[] => {
  const options = (one.options ?? []) as Json[]
  const required = options.map((option) => option.required === true)
  return [
    ...(/^[-_\p{L}\p{N}]{1,32}$/u.test(String(one.name)) && one.name === String(one.name).toLowerCase()
      ? []
      : [`name ${one.name}`]),
    ...(length(one.description) < 1 || length(one.description) > 100 ? [`description of ${one.name}`] : []),
    ...(options.length > 25 ? [`${one.name} has over 25 options`] : []),
    ...(required.lastIndexOf(true) > required.indexOf(false) &&
    required.includes(false) &&
    required.includes(true)
      ? [`${one.name} has a required option after an optional one`]
      : []),
    ...(new Set(options.map(({ name }) => name)).size === options.length ? [] : ['two options of one name']),
    ...(one.autocomplete === true && Array.isArray(one.choices) ? ['autocomplete with choices'] : []),
    ...options.flatMap(nameFaults),
  ]
}

const characters = ({ name, description, options, choices }: Json): number =>
  length(name) +
  length(description) +
  sum(((choices ?? []) as Json[]).map((choice) => length(choice.name) + length(choice.value))) +
  sum(((options ?? []) as Json[]).map(characters))

const partFaults = (part: Json): string[] => {
  if ([4, 18, 19, 21, 22, 23].includes(Number(part.type))) return ['a field of a form in a message']
  if (part.type === 1) {
    const count = ((part.components ?? []) as Json[]).length
    return count < 1 || count > 5 ? [`a row of ${count}`] : []
  }
  if (part.type === 2) {
    const style = Number(part.style)
    return [
      ...(length(part.label) < 1 || length(part.label) > 80 ? ['button label'] : []),
      ...(style < 1 || style > 4 ? ['button style'] : []),
      ...(length(part.custom_id) < 1 || length(part.custom_id) > 100 ? ['button custom_id'] : []),
    ]
  }
  if (part.type === 3) {
    return [
      ...selectFaults(part),
      ...(length(part.custom_id) < 1 || length(part.custom_id) > 100 ? ['select custom_id'] : []),
      ...(length(part.placeholder) > 150 ? ['select placeholder'] : []),
    ]
  }
  if (part.type === 12) return ((part.items ?? []) as Json[]).length < 1 ? ['empty gallery'] : []
  if (part.type === 17) {
    const colour = part.accent_color
    return typeof colour === 'number' && colour >= 0 && colour <= 0xffffff ? [] : ['accent colour']
  }
  return []
}

const selectFaults = ({ options, min_values: least = 1, max_values: most = 1 }: Json): string[] => {
  const all = (options ?? []) as Json[]
  return [
    ...(Number(most) < 1 || Number(most) > all.length || Number(least) > Number(most)
      ? ['select values']
      : []),
    ...(all.length < 1 || all.length > 25 ? ['select options'] : []),
    ...(all.filter((option) => option.default === true).length > 1 ? ['two defaults'] : []),
    ...(all.some(
      (option) =>
        length(option.label) > 100 || length(option.value) > 100 || length(option.description) > 100,
    )
      ? ['select option too long']
      : []),
    ...(new Set(all.map(({ value }) => value)).size === all.length ? [] : ['two options of one value']),
  ]
}

const customIdFaults = (parts: Json[]): string[] => {
  const ids = parts.flatMap(({ custom_id }) => (custom_id === undefined ? [] : [custom_id]))
  return new Set(ids).size === ids.length ? [] : ['a custom_id twice']
}

const attachmentFaults = (body: Json, parts: Json[], files: string[]): string[] => {
  const listed = ((body.attachments ?? []) as Json[]).map(({ filename }) => String(filename))
  const shown = parts.flatMap((part) => {
    const media = [part.file, ...((part.items ?? []) as Json[]).map((item) => item.media)] as (
      | Json
      | undefined
    )[]
    return media.flatMap((one) =>
      one?.url === undefined ? [] : [String(one.url).replace('attachment://', '')],
    )
  })
  return [
    ...(files.length > 10 ? ['over 10 files'] : []),
    ...listed.filter((name) => !files.includes(name)).map((name) => `no file ${name}`),
    ...shown.filter((name) => !files.includes(name)).map((name) => `nothing to show as ${name}`),
    ...files.filter((name) => !shown.includes(name)).map((name) => `${name} would not be seen`),
  ]
}

/** Every component, however deep. */
export const allComponents = (components: unknown): Json[] =>
  Array.isArray(components)
    ? components.flatMap((one: Json) => [
        one,
        ...allComponents(one.components),
        ...(one.component === undefined ? [] : allComponents([one.component])),
        ...(one.accessory === undefined ? [] : allComponents([one.accessory])),
      ])
    : []

type Schema = typeof spec.MessageCreateRequestSchema

const outside = (schema: Schema, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)

const length = (value: unknown): number => (value === undefined || value === null ? 0 : String(value).length)
const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)
