import type { z } from 'zod'
import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { didYouMean } from '../../../lib/view/did-you-mean.ts'
import { formatNumber } from '../../../lib/view/format-number.ts'
import { type Refusal, refusal } from '../../../lib/view/refusals.ts'
import { inFields, type Wording, type Writing } from '../../../lib/view/wording.ts'
import type { ChangeCommand, Command, DecisionCommand, QueryCommand } from '../define.ts'
import { alsoParam, atParam, besideParams, emergencyParam, type Param } from '../params.ts'
import type { Registry } from '../registry.ts'
import { anotherValue, cannotBe, coerce, type Raw, type RawFile } from './coerce.ts'
import { itemsOf } from './items.ts'
import { lex, type Token, type Value } from './lexer.ts'
import { usageOf } from './usage.ts'

export type Input = Record<string, unknown>

/** A parsed line; `missing` lists the required parameters that a form can still ask for. */
export type Parsed = {
  command: Command
  input: Input
  missing: readonly Param[]
  given: Record<string, Raw>
  /** When to carry it out, and who else is asked, as it was written. */
  at?: string | undefined
  also?: string | undefined
  /** Why somebody wants to do it alone. */
  emergency?: string | undefined
}

/** Longer than any line that somebody types; long values go into a form or a file. */
export const maxLineLength = 4_000

export const refuseLongLine = ({ length }: string): Refusal | undefined =>
  length > maxLineLength
    ? refusal(
        'line_too_long',
        `This line has ${formatNumber(length)} characters; a line has at most ${formatNumber(maxLineLength)}.`,
      )
    : undefined

/** A line in its pieces, and the command that it names. */
export type OpenLine = {
  tokens: Result<Token[]>
  named: Result<{ command: Command; words: number }>
}

export const openLine = (registry: Registry, line: string): OpenLine => {
  const tooLong = refuseLongLine(line)
  if (tooLong !== undefined) return { tokens: no(tooLong), named: no(tooLong) }
  const text = withoutSlash(line)
  const tokens = lex(text)
  // That it names no command comes before that its end cannot be read.
  const start = tokens.ok ? ok(tokens.value.slice(0, maxNameWords)) : lex(text, maxNameWords)
  return { tokens, named: start.ok ? findCommand(registry, start.value) : start }
}

/** The command that a line names. */
export const commandOfLine = (registry: Registry, line: string): OpenLine['named'] =>
  openLine(registry, line).named

export const parseLine = (registry: Registry, line: string, file?: RawFile): Result<Parsed> => {
  const typed = valuesOfLine(registry, line, file)
  return typed.ok ? readValues(typed.value.command, typed.value.values) : typed
}

export const valuesOfLine = (
  registry: Registry,
  line: string,
  file?: RawFile,
): Result<{ command: Command; values: Record<string, Raw> }> => {
  const opened = openLine(registry, line)
  const values = valuesIn(opened, file)
  return values.ok && opened.named.ok
    ? ok({ command: opened.named.value.command, values: values.value })
    : (values as Result<never>)
}

/** What stands in a line, by the names of the parameters, before any of it is checked. */
export const valuesIn = ({ tokens, named }: OpenLine, file?: RawFile): Result<Record<string, Raw>> => {
  if (!named.ok) return named
  if (!tokens.ok) return tokens
  const { command, words } = named.value
  const collected = collect(command, tokens.value.slice(words))
  return collected.ok && file !== undefined ? withFile(command, collected.value, file) : collected
}

/** Values from options or a form, by parameter name or flag. */
export const readValues = (command: Command, values: Record<string, Raw>): Result<Parsed> => {
  const input: Input = {}
  const given: Record<string, Raw> = {}
  const beside: Record<string, string> = {}
  for (const key of Object.keys(values)) {
    const param = paramNamed(command, key)
    if (param === undefined) return no(unknownFlag(command, key))
    if (given[param.name] !== undefined) return no(givenTwice(command, param))
    const raw = values[key] as Raw
    const coerced = coerce(param, raw)
    if (!coerced.ok) return no(withInstead(command, param, coerced.refusal))
    if (besideParams.includes(param) || param === emergencyParam) beside[param.name] = String(coerced.value)
    else input[param.name] = coerced.value
    given[param.name] = raw
  }
  const isGiven = (name: string) => input[name] !== undefined
  const { oneOf = [] } = command
  const asked = oneOf.some(isGiven) ? undefined : oneOf[0]
  const missing = command.params.filter(
    (param) => (param.required || param.name === asked) && !isGiven(param.name),
  )
  const { [atParam.name]: at, [alsoParam.name]: also, [emergencyParam.name]: emergency } = beside
  if (missing.length > 0) return ok({ command, input, missing, given, emergency })
  const checked = command.input.safeParse(input)
  if (!checked.success) return no(badValue(command, input, checked.error))
  return ok({ command, input: checked.data as Input, missing: [], given, at, also, emergency })
}

/** An attached file belongs to the one parameter that takes a file. */
const withFile = (
  command: Command,
  values: Record<string, Raw>,
  file: RawFile,
): Result<Record<string, Raw>> => {
  const param = command.params.find(({ type }) => type === 'file')
  return param === undefined
    ? no(
        refusal('surplus_word', `${command.name} takes no file.`, {
          next: 'Leave the file out.',
          usage: usageOf(command),
        }),
      )
    : ok({ ...values, [param.name]: file })
}

/** The sentence for missing required values, where no form can ask for them. */
export const missingRefusal = ({ command, missing }: Parsed) =>
  refusal(
    'missing_arguments',
    (as) => `${command.name} needs ${missing.map((param) => as.name(param.name)).join(' and ')}.`,
    { usage: usageOf(command), ...defined({ field: missing[0]?.name }) },
  )

export const givenTwice = (command: Command, { name }: Param) =>
  refusal('given_twice', (as) => `${as.name(name)} was given twice.`, {
    usage: usageOf(command),
    field: name,
  })

const withoutSlash = (line: string): string => line.replace(/^\s*\//u, '')

/** The name of the bot, a noun and a verb. */
const maxNameWords = 3

const findCommand = (
  registry: Registry,
  tokens: Token[],
  before = 0,
): Result<{ command: Command; words: number }> => {
  const [start] = tokens
  if (start === undefined) return no(refusal('empty_line', 'There is no command in this line.'))
  if (start.kind === 'flag') {
    const message = `A line starts with a command, not with --${clip(start.name)}.`
    return no(refusal('unknown_command', message))
  }
  const first = wordOf(tokens[0])
  const second = wordOf(tokens[1])
  const byBoth = registry.get(`${first} ${second}`)
  if (byBoth !== undefined) return ok({ command: byBoth, words: before + 2 })
  const byOne = registry.get(first) ?? registry.get(`bellhop ${first}`)
  if (byOne !== undefined) return ok({ command: byOne, words: before + 1 })
  const help = first === 'bellhop' && tokens.length === 1 ? registry.get('bellhop help') : undefined
  if (help !== undefined) return ok({ command: help, words: before + 1 })
  if (first === 'bellhop' && tokens.length > 1) return findCommand(registry, tokens.slice(1), before + 1)
  return no(unknownCommand(registry, first, second))
}

const wordOf = (token: Token | undefined): string => (token?.kind === 'word' ? token.text.toLowerCase() : '')

const unknownCommand = (registry: Registry, first: string, second: string) => {
  const verbs = registry.under(first).map((command) => command.name)
  if (verbs.length > 0) {
    const near = didYouMean(`${first} ${second}`, verbs)
    const message =
      second === '' ? `${first} needs one more word.` : `${first} has no command "${clip(second)}".`
    return refusal('unknown_command', message, {
      next: near && second !== '' ? `Did you mean ${near}?` : `It has: ${verbs.join(', ')}.`,
      usage: verbs.map((name) => usageOf(registry.get(name) as Command)).join('\n'),
    })
  }
  const names = registry.all.map((command) => command.name)
  const near =
    didYouMean(`${first} ${second}`.trim(), names) ?? didYouMean(first, [...registry.nouns, ...names])
  return refusal('unknown_command', `There is no command "${clip(first)}".`, {
    ...(near === undefined ? {} : { next: `Did you mean ${near}? bellhop help lists everything.` }),
  })
}

const unknownFlag = (command: Command, typed: string) => {
  const near = didYouMean(
    typed,
    command.params.map((param) => param.flag),
  )
  const isField = (as: Writing) => as === inFields
  const message: Wording = (as) =>
    `${command.name} has no ${isField(as) ? 'field ' : 'flag --'}${clip(typed)}.`
  const next: Wording = (as) => {
    if (near !== undefined) return `Did you mean ${as.flag(near)}?`
    const taken = command.params.filter(({ positional }) => isField(as) || !positional)
    if (taken.length === 0) return `${command.name} takes no ${isField(as) ? 'fields' : 'flags'}.`
    return `It takes ${taken.map(({ name }) => as.flag(name)).join(', ')}.`
  }
  return refusal('unknown_flag', message, { next, usage: usageOf(command) })
}

/** Assigns words to positional parameters and flags to theirs; nothing is dropped. */
const collect = (command: Command, tokens: Token[]): Result<Record<string, Raw>> => {
  const refuse = (code: Refusal['code'], message: Wording, param?: Param) => {
    const next = param === undefined ? undefined : whatItTakes(param)
    return no(refusal(code, message, { usage: usageOf(command), ...defined({ field: param?.name, next }) }))
  }
  const values: Record<string, Raw> = {}
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const param =
      token.kind === 'flag'
        ? paramNamed(command, token.name)
        : (command.params.find((one) => one.positional && values[one.name] === undefined) ??
          command.params.find((one) => one.positional && one.rest && one.type === 'list'))
    if (param === undefined) {
      if (token.kind === 'flag') return no(unknownFlag(command, token.name))
      return refuse('surplus_word', `"${clip(token.text)}" is one word too many for ${command.name}.`)
    }
    let value = token.kind === 'flag' ? token.value : token
    if (value === undefined) {
      const next = tokens[at + 1]
      if (next?.kind === 'word' && (param.type !== 'boolean' || coerce(param, next.text).ok)) {
        value = next
        at++
      } else if (param.type === 'boolean') value = { text: 'true', quoted: false }
      else if (param.bare !== undefined) value = { text: param.bare, quoted: false }
    }
    if (value === undefined || value === null) {
      return refuse('missing_value', `--${param.flag} came without its value.`, param)
    }
    const before = values[param.name]
    if (param.type === 'list') {
      for (let next = tokens[at + 1]; isContinued(value, next); next = tokens[++at + 1]) {
        value = { text: `${value.text}${next.text}`, quoted: false }
      }
      values[param.name] = [...(Array.isArray(before) ? before : []), ...itemsOf(value)]
      continue
    }
    let { text } = value
    while (param.rest && token.kind === 'word' && tokens[at + 1]?.kind === 'word') {
      text += ` ${(tokens[++at] as { text: string }).text}`
    }
    if (before !== undefined) {
      return no(givenTwice(command, param))
    }
    values[param.name] = text
  }
  return ok(values)
}

/** By its flag, its name in the input, or another flag that means the same. */
export const paramNamed = ({ params }: Pick<Command, 'params'>, typed: string): Param | undefined => {
  const named = params.find((one) => one.name === typed)
  if (named !== undefined) return named
  const flag = typed.toLowerCase().replaceAll('_', '-')
  return (
    params.find((one) => one.flag === flag) ??
    params.find(({ also }) => also.includes(flag)) ??
    (flag === emergencyParam.flag && params.includes(atParam) ? emergencyParam : undefined)
  )
}

/** White space around a comma does not end a list. */
const isContinued = (list: Value, next: Token | undefined): next is Extract<Token, { kind: 'word' }> =>
  next?.kind === 'word' &&
  ((list.text.endsWith(',') && !list.text.endsWith('\\,')) || next.text.startsWith(','))

/** With those of the values that would do that the command takes. */
const withInstead = (command: Command, { name }: Param, { would = [], ...said }: Refusal): Refusal => {
  const taken = would.filter((value) => readValues(command, { [name]: value }).ok)
  const usage = usageOf(command)
  return taken.length === 0
    ? { ...said, usage }
    : { ...said, usage, next: `Write ${taken.join(' or ')}.`, would: taken }
}

/** What is wrong is said once: by the schema where it has a sentence of its own, else by what the parameter is for. */
const badValue = (command: Command, input: Input, error: z.ZodError) => {
  const issue = error.issues[0]
  const name = issue?.path[0]
  const param = command.params.find((one) => one.name === name)
  const why = issue === undefined || ofTheLibrary.test(issue.message) ? undefined : issue.message
  const usage = usageOf(command)
  if (param === undefined)
    return refusal('bad_value', sentence(why ?? 'these values do not go together'), { usage })
  const value = input[param.name]
  const what = value === undefined ? undefined : cannotBe(param, value)
  return refusal('bad_value', sentence([what, why].filter((one) => one !== undefined).join(': ')), {
    usage,
    field: param.name,
    next: why === undefined ? whatItTakes(param) : anotherValue,
  })
}

/** How the library of schemas begins a sentence, which is for programmers. */
const ofTheLibrary = /^(?:Invalid|Too (?:small|big)|Unrecognized)/

const whatItTakes = ({ description }: Param): string => `What fits: ${sentence(description)}`

const sentence = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`
const clip = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word)

/** A line with nothing left to ask, and the command that it comes to. */
export const wholeLine = (
  registry: Registry,
  line: string,
): Result<{ command: Command; target: QueryCommand | ChangeCommand | DecisionCommand; input: Input }> => {
  const parsed = parseLine(registry, line)
  if (!parsed.ok) return parsed
  const { command, input, missing } = parsed.value
  if (missing.length > 0) return no(missingRefusal(parsed.value))
  const chosen = command.kind === 'switch' ? command.choose(input) : ok(command)
  return chosen.ok ? ok({ command, target: chosen.value, input }) : chosen
}
