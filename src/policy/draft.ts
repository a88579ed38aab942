import type { z } from 'zod'
import type { Area } from '../approvals/change.ts'
import { isAnyMatch } from './pattern.ts'
import {
  budgetSchema,
  everyoneSchema,
  groupsSchema,
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

/**
 * The parts of a file that can be read, each in its place, and null where one cannot: one mistake must
 * not hide the others.
 */
export type Draft = {
  people: (PolicyFile['people'][number] | null)[]
  groups: PolicyFile['groups']
  roles: Record<string, PolicyFile['roles'][string] | null>
  everyone: PolicyFile['everyone']
  policies: (PolicyFile['policies'][number] | null)[]
  budgets: (PolicyFile['budgets'][number] | null)[]
  duplicates: boolean
  commands: readonly CommandRef[]
}

export function draftOf(value: unknown, commands: readonly CommandRef[]): Draft {
  const file = isRecord(value) ? value : {}
  return {
    people: listOf(file.people, personSchema),
    groups: groupsSchema.safeParse(file.groups).data ?? { slack: {}, discord: {} },
    roles: Object.fromEntries(
      Object.entries(isRecord(file.roles) ? file.roles : {}).map(([name, role]) => [
        name,
        roleSchema.safeParse(role).data ?? null,
      ]),
    ),
    everyone: everyoneSchema.safeParse(file.everyone).data ?? { run: [] },
    policies: listOf(file.policies, ruleSchema),
    budgets: listOf(file.budgets, budgetSchema),
    duplicates: file.duplicates !== undefined,
    commands,
  }
}

/** The changes that a list of patterns covers. */
export const changesOf = ({ commands }: Draft, patterns: readonly string[]): CommandRef[] =>
  commands.filter(
    (command) => (command.kind ?? 'change') === 'change' && isAnyMatch(patterns, namesOf(command)),
  )

export const namesOf = (command: CommandRef): string[] => [command.name, ...(command.sameAs ?? [])]

const listOf = <S extends z.ZodType>(list: unknown, schema: S): (z.output<S> | null)[] =>
  Array.isArray(list) ? list.map((item) => schema.safeParse(item).data ?? null) : []

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
