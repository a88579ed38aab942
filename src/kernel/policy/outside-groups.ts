import type { z } from 'zod'
import type { Environment } from '../messenger/definition.ts'
import type { Policy } from './policy.ts'

/** A kind of group that no messenger has: who is in one is told from outside, by the addresses of people. */
export type OutsideGroups = {
  /** Its key below `groups` of bellhop.yml. */
  readonly name: string
  readonly title: string
  /** What such a group is called there, such as schedules. */
  readonly plural: string
  readonly id: z.ZodType<string, string>
  /** The variable that holds what is needed to ask. */
  readonly token: string
}

/** Tells who is in groups of this kind. */
export type MembersOutside = {
  /** The policy with the roles of the people who are in these groups now; the same object where none is. */
  within(policy: Policy): Policy
  /** Asks again what is older than a minute, and resolves after a moment in any case; undefined where nothing is. */
  refresh(policy: Policy): Promise<void> | undefined
}

let kinds: readonly OutsideGroups[] = []

export const useOutsideGroups = (all: readonly OutsideGroups[]): void => {
  kinds = all
}

export const allOutsideGroups = (): readonly OutsideGroups[] => kinds

export const isOutsideGroup = (key: string): boolean => kinds.some(({ name }) => name === key)

/** All groups of the file that no messenger has, as `source:group`. */
export const outsideGroupsIn = ({ groups }: Pick<Policy, 'groups'>): string[] =>
  kinds.flatMap(({ name }) => Object.keys(groups[name] ?? {}).map((id) => `${name}:${id}`))

/** Groups that nobody could ask about, a sentence each. */
export const missingForGroups = (policy: Pick<Policy, 'groups'> | undefined, env: Environment): string[] =>
  kinds.flatMap(({ name, title, plural, token }) =>
    Object.keys(policy?.groups[name] ?? {}).length === 0 || env[token] !== undefined
      ? []
      : `groups.${name} names ${plural} of ${title}, and ${token} is not set. Set it to a token that may read them, or take ${name} out of groups.`,
  )
