import type { z } from 'zod'
import type { Area } from '../../model/change.ts'
import { isAnyMatch } from '../pattern.ts'
import {
  budgetSchema,
  everyoneSchema,
  type PolicyFile,
  personSchema,
  roleSchema,
  ruleSchema,
} from './schema.ts'

/** What the policy has to know about a command; the registry's own commands fit. */
export type CommandRef = {
  name: string
  area?: Area
  /** `change` if not said. Only changes need anybody's approval. */
  kind?: string
  /** Other names for the same thing: who may approve one may approve it. */
  sameAs?: readonly string[]
}

/** Of an object with mistakes in it, the fields that have none. */
type Part<S extends z.ZodObject> = Partial<z.output<S>>

/** What can be read of a file, each part in its place: one mistake must not hide the others. */
export type PolicyDraft = {
  people: Part<typeof personSchema>[]
  groups: PolicyFile['groups']
  roles: Record<string, Part<typeof roleSchema>>
  everyone: Part<typeof everyoneSchema>
  policies: Part<typeof ruleSchema>[]
  budgets: Part<typeof budgetSchema>[]
  duplicates: boolean
  commands: readonly CommandRef[]
}

export function draftOf(value: unknown, commands: readonly CommandRef[]): PolicyDraft {
  const file = recordOf(value)
  const groups = recordOf(file.groups)
  return {
    people: listOf(file.people).map((person) => partOf(personSchema, person)),
    groups: { slack: groupsIn(groups.slack), discord: groupsIn(groups.discord) },
    roles: mapOf(recordOf(file.roles), (role) => partOf(roleSchema, role)),
    everyone: partOf(everyoneSchema, file.everyone),
    policies: listOf(file.policies).map((rule) => partOf(ruleSchema, rule)),
    budgets: listOf(file.budgets).map((budget) => partOf(budgetSchema, budget)),
    duplicates: file.duplicates !== undefined,
    commands,
  }
}

/** The changes that a list of patterns covers. */
export const changesOf = ({ commands }: PolicyDraft, patterns: readonly string[]): CommandRef[] =>
  commands.filter(
    (command) => (command.kind ?? 'change') === 'change' && isAnyMatch(patterns, commandNamesOf(command)),
  )

export const commandNamesOf = (command: CommandRef): string[] => [command.name, ...(command.sameAs ?? [])]

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

const mapOf = <T>(record: Record<string, unknown>, to: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
