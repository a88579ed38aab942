import type { z } from 'zod'
import { isMoneyIn, type RowId } from '../../../lib/services/endpoints/tables.ts'
import { managerWord } from '../../law/clauses.ts'
import type { PlatformKeys } from '../../messenger/definition.ts'
import type { Area } from '../../model/change.ts'
import { isAnyMatch } from '../pattern.ts'
import type { Need } from '../policy.ts'
import {
  agentSchema,
  budgetSchema,
  emergencySchema,
  everyoneSchema,
  type PolicyFile,
  personSchema,
  roleSchema,
  ruleSchema,
} from './schema.ts'
import { allPolicySections, type Demand, type Named, schemaOf } from './sections.ts'
import type { Path } from './source.ts'

/** What the policy has to know about a command; the registry's own commands fit. */
export type CommandRef = {
  name: string
  area?: Area
  /** `change` if not said. Only changes need anybody's approval. */
  kind?: string
  /** Somebody else approves it where no rule is about it. */
  guarded?: boolean
  /** Other names for the same thing: who may approve one may approve it. */
  sameAs?: readonly string[]
  /** Whether it moves money; what its endpoints say if not given. */
  movesMoney?: boolean | ((input: never) => boolean)
  /** The endpoints that it calls, and whether it takes a set of any size. */
  uses?: readonly RowId[]
  bulk?: unknown
  /** Whether it can have an amount, a reason, evidence. */
  amountOf?: unknown
  reasonOf?: unknown
  evidenceOf?: unknown
}

/** Whether every request of this command moves money. */
export const isMoney = ({ kind = 'change', movesMoney, uses = [] }: CommandRef): boolean =>
  kind === 'change' && (movesMoney === undefined ? isMoneyIn(uses) : movesMoney === true)

/** Of an object with mistakes in it, the fields that have none. */
type Part<S extends z.ZodObject> = Partial<z.output<S>>

/** What can be read of a file, each part in its place: one mistake must not hide the others. */
export type PolicyDraft = {
  people: Part<ReturnType<typeof personSchema>>[]
  agents: Part<typeof agentSchema>[]
  groups: PolicyFile['groups']
  workspaces: Record<string, string[]>
  /** The approvals channels of each messenger. */
  approvals: Record<string, string[]>
  roles: Record<string, Part<typeof roleSchema>>
  everyone: Part<typeof everyoneSchema>
  administrators: string[]
  emergency: Part<typeof emergencySchema>
  policies: Part<typeof ruleSchema>[]
  budgets: Part<typeof budgetSchema>[]
  duplicates: boolean
  demands: Demand[]
  /** What the keys of features name. */
  named: readonly Named[]
  commands: readonly CommandRef[]
  platforms: readonly PlatformKeys[]
}

/** Of a file that was read whole, its long lists are not read a second time. */
export function draftOf(
  value: unknown,
  whole: PolicyFile | undefined,
  commands: readonly CommandRef[],
  platforms: readonly PlatformKeys[],
): PolicyDraft {
  const file = recordOf(value)
  const person = personSchema(platforms)
  const policies = whole?.policies ?? listOf(file.policies).map((rule) => partOf(ruleSchema, rule))
  const named = allPolicySections().flatMap(({ key, schema, names }) => {
    const rule = names && schemaOf({ key, schema, words: {} }, platforms).safeParse(file[key])
    return rule?.success ? (names?.(rule.data) ?? []) : []
  })
  const budgets = whole?.budgets ?? listOf(file.budgets).map((budget) => partOf(budgetSchema, budget))
  return {
    people: whole?.people ?? listOf(file.people).map((one) => partOf(person, one)),
    agents: whole?.agents ?? listOf(file.agents).map((one) => partOf(agentSchema, one)),
    groups: mapOf(recordOf(file.groups), groupsIn),
    workspaces: mapOf(recordOf(file.workspaces), textsIn),
    approvals: mapOf(recordOf(file.approvals), (given) => textsIn([given].flat())),
    roles: mapOf(recordOf(file.roles), (role) => partOf(roleSchema, role)),
    everyone: partOf(everyoneSchema, file.everyone),
    administrators: listOf(file.administrators).filter((id) => typeof id === 'string'),
    emergency: partOf(emergencySchema, file.emergency),
    policies,
    budgets,
    demands: [
      ...policies.flatMap(({ commands: patterns, require }, at) =>
        demandsIn(['policies', at, 'require'], listOf(file.policies)[at], patterns, require),
      ),
      ...budgets.flatMap((budget, at) =>
        demandsIn(['budgets', at, 'then'], listOf(file.budgets)[at], budget.commands, budget.then),
      ),
      ...named.flatMap(({ demands }) => demands),
    ],
    named,
    duplicates: file.duplicates !== undefined,
    commands,
    platforms,
  }
}

/** The changes that a list of patterns covers. */
export const changesOf = ({ commands }: PolicyDraft, patterns: readonly string[]): CommandRef[] =>
  commands.filter(
    (command) => (command.kind ?? 'change') === 'change' && isAnyMatch(patterns, commandNamesOf(command)),
  )

export const commandNamesOf = (command: CommandRef): string[] => [command.name, ...(command.sameAs ?? [])]

const demandsIn = (
  path: readonly [string, number, string],
  written: unknown,
  commands: readonly string[] = [],
  needs: readonly Need[] = [],
): Demand[] => {
  const places = placesIn(path, recordOf(written)[path[2]])
  return needs.flatMap((need, at) =>
    need.kind === 'approvals' ? { path: places[at] ?? path, commands, need } : [],
  )
}

/** Where each need of a requirement is written. */
const placesIn = (path: Path, written: unknown): Path[] => {
  if (Array.isArray(written)) return written.flatMap((one, at) => placesIn([...path, at], one))
  const stages = recordOf(written).stages
  return Array.isArray(stages) ? stages.map((_, at) => [...path, 'stages', at]) : [path]
}

/** Whether `manager` in a list of roles is the manager of whoever asks: a role of that name comes first. */
export const asksManager = ({ roles }: PolicyDraft, from: readonly string[]): boolean =>
  from.includes(managerWord) && !Object.hasOwn(roles, managerWord)

function partOf<S extends z.ZodObject>(schema: S, value: unknown): Part<S> {
  const given = recordOf(value)
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, field]) => {
    const read = Object.hasOwn(given, key) ? field.safeParse(given[key]) : undefined
    return read?.success ? [[key, read.data]] : []
  })
  return Object.fromEntries(fields) as Part<S>
}

const groupsIn = (value: unknown): Record<string, string[]> =>
  mapOf(recordOf(value), (roles) => listOf(roles).filter((role) => typeof role === 'string'))

const textsIn = (value: unknown): string[] => listOf(value).filter((one) => typeof one === 'string')

const mapOf = <T>(record: Record<string, unknown>, to: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
