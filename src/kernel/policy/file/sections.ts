import type { z } from 'zod'
import type { Environment, PlatformKeys } from '../../messenger/definition.ts'
import type { Need, Policy } from '../policy.ts'
import { type Path, readSource } from './source.ts'

/** A key of bellhop.yml that belongs to one feature, which alone reads what stands there. */
export type PolicySection<Rule> = {
  readonly key: string
  /** It has a default: a file without the key is whole. */
  readonly schema: z.ZodType<Rule> | ((platforms: readonly PlatformKeys[]) => z.ZodType<Rule>)
  /** What each of its keys is for, by its path; editors show it. */
  readonly words: Readonly<Record<string, string>>
  /** The roles and commands that it names, each list with its place, and the approvals that it asks for. */
  readonly names?: (rule: Rule) => Named
  /** What is wrong with the variables that it names, a sentence each. */
  readonly missing?: (rule: Rule, env: Environment) => string[]
  /** What is likely not meant, a sentence each; a start goes on. */
  readonly doubts?: (rule: Rule, env: Environment) => string[]
}

/** What stands in a file by a name: one that means nothing is a mistake. */
export type Named = {
  readonly roles: readonly [Path, readonly string[]][]
  readonly commands: readonly [Path, readonly string[]][]
  readonly demands: readonly Demand[]
}

/** Approvals that a part of the file asks for, one by one. */
export type Demand = {
  /** `policies`, 1, `require`, and the place in the list if it is one. */
  path: Path
  commands: readonly string[]
  need: Extract<Need, { kind: 'approvals' }>
}

// biome-ignore lint/suspicious/noExplicitAny: each section reads its own rule alone, and the list holds all of them
type AnySection = PolicySection<any>

let sections: readonly AnySection[] = []

export const usePolicySections = (all: readonly AnySection[]): void => {
  sections = all
}

export const allPolicySections = (): readonly AnySection[] => sections

/** Some sections have keys of messengers. */
export const schemaOf = <Rule>(
  { schema }: PolicySection<Rule>,
  platforms: readonly PlatformKeys[] = [],
): z.ZodType<Rule> => (typeof schema === 'function' ? schema(platforms) : schema)

/** What the file says under the key of a section. */
export const ruleOf = <Rule>(policy: Partial<Policy>, section: PolicySection<Rule>): Rule =>
  policy.sections !== undefined && section.key in policy.sections
    ? (policy.sections[section.key] as Rule)
    : schemaOf(section).parse(undefined)

/** The sections of a text that may be of another version; what cannot be read without messengers is as if it were not there. */
export const sectionsOfText = (text: string): Policy['sections'] => {
  const file = readSource(text).value
  const given = (typeof file === 'object' ? (file ?? {}) : {}) as Record<string, unknown>
  return Object.fromEntries(
    sections.flatMap((one) => {
      const read = schemaOf(one).safeParse(given[one.key])
      return read.success ? [[one.key, read.data]] : []
    }),
  )
}

export const doubtsInSections = (policy: Pick<Policy, 'sections'> | undefined, env: Environment): string[] =>
  policy === undefined ? [] : sections.flatMap((one) => one.doubts?.(ruleOf(policy, one), env) ?? [])

export const missingInSections = (
  policy: Pick<Policy, 'sections'> | undefined,
  env: Environment,
): string[] =>
  policy === undefined ? [] : sections.flatMap((one) => one.missing?.(ruleOf(policy, one), env) ?? [])
