import { madeOnce } from '../../lib/made-once.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { asTyped } from '../../lib/view/outside.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { changeLine, withAsked } from '../change/asking/filled-in.ts'
import type { RawFile } from '../command/line/coerce.ts'
import { helpLineOf, helpLineOfValues } from '../command/line/help-asked.ts'
import { commandOfLine, openLine, valuesIn } from '../command/line/parse.ts'
import { registryOf } from '../command/registry.ts'
import { readContext } from '../context/command-context.ts'
import type { Inbound } from '../messenger/inbound.ts'
import type { Admitted, CarriedOut, Intended, Values } from './admitted.ts'

/** A line, or the values of options or a form, as the command that it names. */
export const readTyped = async (request: Admitted): Promise<Intended | CarriedOut | undefined> => {
  const { core, actor, inbound, claim } = request
  const { intent } = inbound
  const changing = intent.kind === 'line' ? await changeLine(core, actor, intent.line) : undefined
  if (changing !== undefined)
    return changing.ok
      ? readingOf(request, changing.value.command, changing.value.values)
      : { reply: changing }
  const reading = typedReading(request)
  if (reading === undefined) return undefined
  if (reading.ok) return reading.value
  if (!(await claim())) return { reply: ok({ kind: 'repeated' }) }
  return {
    reply: reading,
    ...(intent.kind === 'line' && { words: { line: intent.line, refused: reading } }),
  }
}

const typedReadings = new WeakMap<Admitted, Result<Intended> | undefined>()

/** Read once for each request; undefined where nothing was typed. */
export const typedReading = (request: Admitted): Result<Intended> | undefined =>
  madeOnce(typedReadings, request, () => {
    const { core, actor, inbound } = request
    const { registry } = core
    const { intent } = inbound
    if (intent.kind === 'press' || intent.kind === 'reply') return undefined
    if (intent.kind !== 'line') {
      const help = helpLineOfValues(intent.command, intent.values)
      if (help !== undefined) return lineReading(request, help)
      const command = registry.get(intent.command)
      return command === undefined
        ? no(refusal('unknown_command', `There is no command ${asTyped(intent.command.slice(0, 40))}.`))
        : ok(readingOf(request, command, intent.values))
    }
    const read = lineReading(request, intent.line, intent.file)
    if (read.ok) return read
    // What is suggested instead is something that the actor may run.
    const { mayRun } = readContext(core, actor).records
    const own = commandOfLine(registryOf(registry, mayRun), intent.line)
    return own.ok ? read : own
  })

/** `help` after a command is help for it, never a value. */
const lineReading = (request: Admitted, typed: string, file?: RawFile): Result<Intended> => {
  const { registry } = request.core
  const opened = openLine(registry, typed)
  const help = helpLineOf(registry, opened)
  const line = help ?? typed
  const { named, tokens } = help === undefined ? opened : openLine(registry, help)
  if (!named.ok) return named
  const { command } = named.value
  const values = async (): Promise<Result<Values>> => {
    const files = await fetchAll(request.inbound.attached ?? {})
    return files.ok
      ? valuesIn({ named, tokens }, (help === undefined ? file : undefined) ?? files.value.file)
      : files
  }
  return ok({ ...readingOf(request, command, values), typed: { line } })
}

const readingOf = (
  { core, actor, inbound }: Admitted,
  command: Intended['command'],
  written: Values | (() => Promise<Result<Values>>),
): Intended => ({
  command,
  hasNames: true,
  typed: inbound.intent.kind === 'line' ? { line: inbound.intent.line } : {},
  values: async () => {
    const given = typeof written === 'function' ? await written() : await withFiles(inbound, written)
    return given.ok ? withAsked(core, actor, command, given.value) : given
  },
})

const withFiles = async ({ attached = {} }: Inbound, values: Values): Promise<Result<Values>> => {
  const files = await fetchAll(attached)
  return files.ok ? ok({ ...values, ...files.value }) : files
}

const fetchAll = async (
  attached: NonNullable<Inbound['attached']>,
): Promise<Result<Record<string, RawFile>>> => {
  const files: Record<string, RawFile> = {}
  for (const [name, fetchFile] of Object.entries(attached)) {
    const file = await fetchFile()
    if (!file.ok) return file
    files[name] = file.value
  }
  return ok(files)
}
