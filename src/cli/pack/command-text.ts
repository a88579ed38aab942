import { type DecidedOperation, isInCents, plainAmountOf } from './decide.ts'
import { capital, type Field } from './field.ts'

/** Messengers show so many options of a command. */
const maxOptions = 24
/** What every command takes for itself. */
const reserved = new Set(['at', 'as', 'file', 'help'])

/** The source of one command. */
export const commandText = (pack: string, operation: DecidedOperation): string => {
  const { id, row, verb, summary, params, effect } = operation
  const fields = fieldsOf(operation)
  const positional = fields.filter(isPositional(params)).map(parameterOf)
  const inputs = fields.flatMap((field) => inputsOf(field, params.includes(field)))
  const lines = [
    `  name: ${asLiteral(`${pack} ${verb}`)},`,
    `  summary: ${asLiteral(summary)},`,
    `  area: ${asLiteral(pack)},`,
    `  input: z.object({${inputs.length === 0 ? '' : `\n${inputs.map((one) => `    ${one},\n`).join('')}  `}}),`,
    ...(positional.length === 0
      ? []
      : [
          `  positional: [${positional
            .flatMap((name, at) => withCurrency(name, fields.filter(isPositional(params))[at]))
            .map(asLiteral)
            .join(', ')}],`,
        ]),
    `  examples: [${asLiteral(exampleLine(`${pack} ${verb}`, fields, params))}],`,
    `  uses: [${asLiteral(`${pack}.${row}`)}],`,
  ]
  const title = asLiteral(titleOf(id))
  const made =
    effect === 'read'
      ? queryLines(pack, operation, fields, title)
      : changeLines(pack, operation, fields, title)
  const [define, ...imports] =
    effect === 'read' ? ['defineQuery', 'answer', 'openView'] : ['defineServiceChange', 'ok', 'openView']
  const used = [
    ...imports,
    define,
    'z',
    ...(inputs.some((one) => one.includes('idOf(')) ? ['idOf'] : []),
    ...made.imports,
  ]
  return `import { ${[...new Set(used)].toSorted().join(', ')} } from 'bellhop/pack'
${made.lines.join().includes('requests.') ? `import * as requests from '../requests.ts'\n` : ''}
export const ${row} = ${define}({
${[...lines, ...made.lines].join('\n')}
})
`
}

/** Those that a command asks for: all that are needed, then as many others as fit. */
const fieldsOf = ({ params, query, body }: DecidedOperation): Field[] => {
  const asked = [...params, ...query, ...body].filter(({ kind }) => kind !== 'made')
  const isMoney = ({ kind }: Field) => Number(kind === 'money')
  const needed = asked
    .filter(({ isRequired }) => isRequired)
    .toSorted((one, other) => isMoney(one) - isMoney(other))
  const others = asked.filter(({ isRequired, kind }) => !isRequired && kind !== 'money')
  return [...needed, ...others].slice(0, maxOptions)
}

const isPositional = (params: readonly Field[]) => (field: Field) =>
  params.includes(field) || (field.isRequired && ['text', 'choice', 'money'].includes(field.kind))

const parameterOf = ({ name, kind }: Field): string => {
  if (kind === 'money') return name.replace(/Money$/, '') || name
  return reserved.has(name) ? `${name}Value` : name
}

const withCurrency = (name: string, field: Field | undefined): string[] =>
  field?.kind === 'money' ? [name, currencyOf(field)] : [name]

const currencyOf = (field: Field): string =>
  parameterOf(field) === 'amount' ? 'currency' : `${parameterOf(field)}Currency`

const inputsOf = (field: Field, isPath: boolean): string[] => {
  const name = parameterOf(field)
  const optional = field.isRequired ? '' : '.optional()'
  const about = `.describe(${asLiteral(field.about)})`
  if (isPath) return [`${name}: idOf(${asLiteral(field.wire.replaceAll('_', ' '))})${about}`]
  if (field.kind === 'money') {
    return [
      `${name}: z.number().positive('an amount is more than 0').describe('Amount, as 12.50')`,
      `${currencyOf(field)}: z.string().regex(/^[A-Z]{3}$/, 'a currency is three capital letters').describe('Currency, as USD')`,
    ]
  }
  const meta = field.kind === 'object' || field.kind === 'objects' ? '.meta({ json: true })' : ''
  return [`${name}: ${zodOf(field)}${optional}${about}${meta}`]
}

/** The schema of one value of a request. */
export const zodOf = ({ kind, choices }: Field): string => {
  if (kind === 'choice') return `z.enum([${choices.map(asLiteral).join(', ')}])`
  return {
    text: 'z.string()',
    made: 'z.string()',
    integer: 'z.int()',
    number: 'z.number()',
    boolean: 'z.boolean()',
    list: 'z.array(z.string())',
    object: 'z.record(z.string(), z.unknown())',
    objects: 'z.array(z.unknown())',
    money: 'z.object({ amount: z.int(), currency: z.string() })',
  }[kind]
}

const exampleLine = (name: string, fields: readonly Field[], params: readonly Field[]): string => {
  const needed = fields.filter((field) => field.isRequired || params.includes(field))
  const free = fields.find(
    ({ kind, isRequired, example }) => kind === 'text' && !isRequired && example !== 'example',
  )
  const shown = needed.length === 0 && free !== undefined ? [free] : needed
  const words = shown.flatMap((field) => {
    const values = wordsFor(field)
    return isPositional(params)(field) ? values : [`--${flagOf(parameterOf(field))}`, ...values]
  })
  return [name, ...words].join(' ')
}

const wordsFor = ({ kind, example, choices }: Field): string[] => {
  if (kind === 'money') {
    const { amount = 1000, currency = 'USD' } = Object(example) as { amount?: number; currency?: string }
    return [String(amount / 100), currency]
  }
  const plain = kind === 'choice' ? choices[0] : kind === 'list' ? [example].flat().join(',') : example
  const text = typeof plain === 'object' ? JSON.stringify(plain ?? {}) : String(plain ?? 'example')
  return [/^[\w.@:+-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`]
}

type Made = { lines: string[]; imports: string[] }

const queryLines = (
  pack: string,
  { row, params, query, body }: DecidedOperation,
  fields: readonly Field[],
  title: string,
): Made => {
  const parts = [
    partText('params', params, fields),
    partText('query', query, fields),
    partText('body', body, fields),
  ].filter(Boolean)
  const names = fields.map(parameterOf)
  return {
    imports: [],
    lines: [
      `  async run({ ${names.join(', ')} }, { read }) {`.replace('{  }', '_'),
      `    const { data } = await read(${asLiteral(`${pack}.${row}`)}, { ${parts.join(', ')} })`.replace(
        ', {  }',
        ', {}',
      ),
      `    return answer(openView(${title}, data))`,
      '  },',
    ],
  }
}

const changeLines = (
  pack: string,
  operation: DecidedOperation,
  fields: readonly Field[],
  title: string,
): Made => {
  const { row, params, query, body } = operation
  const used = (['params', 'query', 'body'] as const).filter((part) => operation[part].length > 0)
  const made = body.filter(({ kind }) => kind === 'made')
  const money = fields.find(({ kind }) => kind === 'money')
  const reason = fields.find(
    (field) => field.wire === 'reason' && field.kind === 'text' && body.includes(field),
  )
  const names = fields.flatMap((field) => withCurrency(parameterOf(field), field))
  const parts = [
    partText('params', params, fields),
    partText('query', query, fields),
    partText('body', body, fields),
  ]
  const plan = used.map((part) => {
    const schema = `requests.${row}.${part}`
    const own = made.map(({ wire }) => `${key(wire)}: true`).join(', ')
    return `${part}: ${part === 'body' && made.length > 0 ? `${schema}.omit({ ${own} })` : schema}`
  })
  const sent = used.map((part) =>
    part === 'body' && made.length > 0
      ? `body: { ...body, ${made.map(({ wire }) => `${key(wire)}: newId()`).join(', ')} }`
      : part,
  )
  return {
    imports: [
      ...(money === undefined ? [] : ['toMinorUnits']),
      ...(amountLines(operation, money).join().includes('fromMinorUnits') ? ['fromMinorUnits'] : []),
    ],
    lines: [
      `  plan: z.object({ ${plan.join(', ')} }),`.replace('{  }', '{}'),
      `  async prepare(${names.length === 0 ? '' : `{ ${names.join(', ')} }`}) {`,
      `    return ok({ ${parts.filter(Boolean).join(', ')} })`.replace('{  }', '{}'),
      '  },',
      ...amountLines(operation, money),
      ...(reason === undefined ? [] : [`  reasonOf: ({ body }) => body.reason,`]),
      `  preview: () => ({ title: ${title}, tone: ${asLiteral(operation.movesMoney ? 'warn' : 'plain')}, blocks: [] }),`,
      `  row: ${asLiteral(`${pack}.${row}`)},`,
      used.length === 0
        ? '  request: () => ({}),'
        : `  request: ({ ${used.join(', ')} }${made.length > 0 ? ', newId' : ''}) => ({ ${sent.join(', ')} }),`,
      `  done: (_, { data }) => ({ message: ${asLiteral(`${titleOf(operation.id)}: done.`)}, view: openView(${title}, data) }),`,
    ],
  }
}

/** What the policy counts: the sum, in whole units. */
const amountLines = ({ body, movesMoney }: DecidedOperation, money: Field | undefined): string[] => {
  if (money !== undefined) return [`  amountOf: ({ body }) => fromMinorUnits(body${fieldText(money.wire)}),`]
  const amount = plainAmountOf(body)
  if (amount === undefined || !movesMoney) return []
  const hasCurrency = body.some(
    ({ wire, kind }) => wire === 'currency' && (kind === 'text' || kind === 'choice'),
  )
  const currency = hasCurrency ? 'body.currency ?? null' : 'null'
  const value = isInCents(amount)
    ? `body.amount === undefined ? null : fromMinorUnits({ amount: body.amount, currency: ${hasCurrency ? "body.currency ?? 'USD'" : "'USD'"} }).value`
    : 'body.amount ?? null'
  return [`  amountOf: ({ body }) => ({ value: ${value}, currency: ${currency} }),`]
}

/** `params: { refund_id: refundId }` */
const partText = (part: string, own: readonly Field[], asked: readonly Field[]): string => {
  const pairs = own
    .filter((field) => asked.includes(field))
    .map((field) => {
      const name = parameterOf(field)
      if (field.kind === 'money') return `${key(field.wire)}: toMinorUnits(${name}, ${currencyOf(field)})`
      return field.wire === name ? name : `${key(field.wire)}: ${name}`
    })
  return own.length === 0 ? '' : `${part}: { ${pairs.join(', ')} }`
}

export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : asLiteral(name))

/** As a string of TypeScript, whatever stands in it. */
export const asLiteral = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const flagOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const titleOf = (id: string): string =>
  capital(
    id
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll(/[^A-Za-z\d]+/g, ' ')
      .toLowerCase()
      .trim(),
  )

const fieldText = (name: string): string => (key(name) === name ? `.${name}` : `[${asLiteral(name)}]`)
