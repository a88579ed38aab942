import { z } from 'zod'
import type { Pack } from '../../kernel/command/pack.ts'
import type { Feature } from '../../kernel/feature.ts'
import { fileSchema } from '../../kernel/policy/file/schema.ts'
import { allPolicySections } from '../../kernel/policy/file/sections.ts'
import { newestVersion } from '../../kernel/store/database/migrations.ts'
import { isKernelTask } from '../../kernel/tasks/kinds.ts'
import type { Row } from '../../lib/services/endpoints/row.ts'
import { tablesAt } from '../backup/tables.ts'
import { featureVersion, packVersion } from './define.ts'

/** As much of a pack as must be there before anything else of it is looked at. */
const shape = z.object({
  surface: z.number(),
  name: z.string().regex(/^[a-z][a-z0-9]{1,30}$/),
  title: z.string().min(1).max(40),
  environment: z.object({
    baseUrl: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
    keys: z.record(z.string(), z.string().regex(/^[A-Z][A-Z0-9_]*$/)),
  }),
  rows: z.record(z.string(), z.object({ method: z.string(), path: z.string(), effect: z.string() })),
  commands: z.array(z.object({ name: z.string(), uses: z.array(z.string()) })),
  sandbox: z.custom((value) => typeof value === 'function', 'a function that loads the stand-in'),
})

const reserved = ['bellhop', 'all', 'agents', 'hand', 'approved', 'field']

/** Why a pack is not taken, as a sentence each that says what to do. */
export const faultsOf = (named: string, pack: unknown, others: readonly Pack[]): string[] => {
  const say = (words: string) => `The pack ${named} ${words}`
  if (pack === undefined) return [say('exports no pack. Write: export const pack = definePack({ ... })')]
  const { surface } = Object(pack) as { surface?: unknown }
  if (surface !== packVersion.major) return [say(otherVersion('pack', surface, packVersion.major))]
  const read = shape.safeParse(pack)
  return read.success ? [...faultsIn(pack as Pack, others)].map(say) : [say(mistakeIn(read.error))]
}

const otherVersion = (kind: string, surface: unknown, own: number): string =>
  `is written for version ${surface} of bellhop/${kind}, and this is version ${own}. Take a version of the ${kind} for ${own}, or a Bellhop that has version ${surface}.`

const mistakeIn = ({ issues: [issue] }: z.ZodError): string =>
  `has a mistake in ${issue?.path.join('.') || 'its form'}: ${issue?.message}. Correct it there.`

const featureShape = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  tables: z.array(z.object({ id: z.string(), sql: z.array(z.string()) })).optional(),
  policy: z
    .object({ key: z.string(), schema: z.custom((value) => typeof value === 'function', 'a function') })
    .optional(),
  tasks: z
    .record(
      z.string(),
      z.custom((value) => typeof value === 'function', 'a function'),
    )
    .optional(),
})

/** Why a feature is not taken, likewise. */
export const featureFaultsOf = (named: string, feature: unknown, others: readonly Feature[]): string[] => {
  const say = (words: string) => `The feature ${named} ${words}`
  if (feature === undefined)
    return [say('exports no feature. Write: export const feature = defineFeature({ ... })')]
  const { surface } = Object(feature) as Feature
  if (surface !== featureVersion.major) return [say(otherVersion('feature', surface, featureVersion.major))]
  const read = featureShape.safeParse(feature)
  if (!read.success) return [say(mistakeIn(read.error))]
  const { name, policy, tasks = {}, tables = [] } = read.data
  const taken = (what: string, named: string) =>
    say(`has ${what} ${named}, which is taken. Give it another name.`)
  const isKey = (key: string) =>
    others.some((one) => one.policy?.key === key) ||
    (Object.hasOwn(fileSchema([]).shape, key) && allPolicySections().every((one) => one.key !== key))
  const isTask = (kind: string) =>
    isKernelTask(kind) || others.some((one) => Object.hasOwn(one.tasks ?? {}, kind))
  return [
    ...(others.some((one) => one.name === name) ? [taken('the name', name)] : []),
    ...(policy !== undefined && isKey(policy.key) ? [taken('the key', policy.key)] : []),
    ...tables.flatMap(({ id, sql }, at) => tableFaults(name, id, at, sql).map(say)),
    ...Object.keys(tasks)
      .filter(isTask)
      .map((kind) => taken('a kind of task', kind)),
  ]
}

/** Its tables have its name, so that none is another's; and each statement only adds, so that the version before goes on. */
const tableFaults = (feature: string, id: string, at: number, sql: readonly string[]): string[] => {
  const own = feature.replaceAll('-', '_')
  const taken = tablesAt(newestVersion).map((table) => table.name)
  return [
    ...(id === `${feature}/${at + 1}` ? [] : [`has tables called ${id}. Call them ${feature}/${at + 1}.`]),
    ...sql.flatMap((one) => {
      const names = onlyAdds.exec(one)?.slice(1).filter(Boolean)
      if (names === undefined)
        return `has a statement in ${id} that is no CREATE TABLE, CREATE INDEX or ALTER TABLE ... ADD COLUMN. Write one of these, one at a time.`
      const other = names.find((name) => name !== own && !name.startsWith(`${own}_`))
      if (other !== undefined) return `names ${other} in ${id}. Let that name begin with ${own}_.`
      return names
        .filter((name) => taken.includes(name))
        .map((name) => `makes ${name} in ${id}, which is taken. Give it another name.`)
    }),
  ]
}

const onlyAdds =
  /^(?:CREATE TABLE (\w+) \(|CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+) \(|ALTER TABLE (\w+) ADD COLUMN \w+ )[^;]*$/

function* faultsIn(pack: Pack, others: readonly Pack[]): Generator<string> {
  const { name, rows, commands, kinds = {}, environment } = pack
  if (reserved.includes(name) || others.some((one) => one.name === name)) {
    yield `has the name ${name}, which is taken. Give it another one.`
  }
  for (const [row, about] of Object.entries(rows)) yield* rowFaults(row, about, pack)
  for (const command of commands) {
    if (others.some((one) => one.commands.some((other) => other.name === command.name))) {
      yield `has a command "${command.name}", which is taken. Give it another name.`
    }
    const unknown = command.uses.find(
      (id) => id.startsWith(`${name}.`) && !Object.hasOwn(rows, id.slice(name.length + 1)),
    )
    if (unknown !== undefined)
      yield `has a command "${command.name}" that uses ${unknown}, and there is no such row.`
    if ('area' in command && command.area !== name) {
      yield `has a command "${command.name}" in the area ${command.area}. Write area: '${name}', so that a freeze of ${name} holds for it.`
    }
  }
  for (const kind of Object.keys(kinds)) {
    if (kind === 'change' || kind === 'job' || others.some((one) => Object.hasOwn(one.kinds ?? {}, kind))) {
      yield `has a kind of thing ${kind}, which is taken. Give it another name.`
    }
  }
  const names = (one: Pack) => [one.environment.baseUrl, ...Object.values(one.environment.keys)]
  const shared = names(pack).find((variable) => others.some((one) => names(one).includes(variable)))
  if (shared !== undefined)
    yield `reads ${shared}, which another pack reads. Give it an environment name of its own.`
  const { hook } = pack
  if (hook !== undefined && !/^[A-Z][A-Z0-9_]*$/.test(hook.secret))
    yield `has a hook whose secret is ${hook.secret}, which is no name of a variable. Write it in capital letters.`
  if (hook !== undefined && others.some((one) => one.hook?.secret === hook.secret))
    yield `reads ${hook.secret}, which another pack reads. Give it an environment name of its own.`
  if (hook?.teaches !== undefined && rows[hook.teaches.row] === undefined)
    yield `has a hook that teaches by ${hook.teaches.row}, and there is no such row.`
  if (hook !== undefined && hook.signs !== 'standard' && hook.id === undefined)
    yield 'has a hook that does not say where the id of an event stands. Write id, so that each counts once.'
  if (
    hook !== undefined &&
    hook.signs !== 'standard' &&
    hook.signs.time === undefined &&
    hook.at === undefined
  )
    yield 'has a hook without a time, by which an old event could be sent again. Write time in signs, or at.'
  if (Object.keys(environment.keys).length === 0 && typeof pack.auth !== 'object' && pack.auth !== 'none') {
    yield 'names no key in environment.keys. A service that wants none still takes one in a header: auth: { header }.'
  }
}

function* rowFaults(
  name: string,
  { method, path, effect, readBack, widens, later }: Row,
  { rows, mcp }: Pack,
): Generator<string> {
  if (!['read', 'idempotent', 'once'].includes(effect)) {
    yield `has a row ${name} with the effect ${effect}. Write read, idempotent or once.`
  }
  if (mcp !== undefined && (method !== 'POST' || mcp.tools.every((tool) => `/${tool.name}` !== path))) {
    yield `has a row ${name} for ${method} ${path}, and a row of an MCP server is POST and the name of a pinned tool.`
  }
  if (effect === 'read' && method !== 'GET' && mcp === undefined) {
    yield `has a row ${name} that says read and writes by its method, ${method}. Write once, or idempotent if it may be repeated.`
  }
  if (readBack !== undefined && rows[readBack.read]?.effect !== 'read') {
    yield `has a row ${name} whose readBack is ${readBack.read}, which is no row that reads.`
  }
  if (later !== undefined && effect === 'read') {
    yield `has a row ${name} that reads and has later, which is for rows that write. Take it out.`
  }
  const ask = later?.ask
  if (
    ask !== undefined &&
    !(rows[ask.row]?.effect === 'read' && rows[ask.row]?.path.includes(`{${ask.by}}`))
  ) {
    yield `has a row ${name} whose later asks ${ask.row} by ${ask.by}, which is no row that reads with that in its path.`
  }
  if (widens !== undefined && rows[widens] === undefined) {
    yield `has a row ${name} that widens ${widens}, and there is no such row.`
  }
}
