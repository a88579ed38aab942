import { z } from 'zod'
import { type PolicySection, ruleOf } from '../../kernel/policy/file/sections.ts'
import { keys } from '../../kernel/policy/file/values.ts'
import { isAnyMatch, toPattern } from '../../kernel/policy/pattern.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { allServices } from '../../lib/services/endpoints/tables.ts'

const phrase = 'shadow, or { shadow: [...] } with services such as billing and commands such as "campaign *"'
const part = z.string(phrase).transform(toPattern)

/** `mode` of bellhop.yml: what is in shadow, by service or command; `*` is everything. */
export const modeSection: PolicySection<readonly string[]> = {
  key: 'mode',
  schema: z
    .union(
      [
        z.literal('shadow').transform((): string[] => ['*']),
        keys({ shadow: z.array(part, phrase).min(1, phrase) }).transform(({ shadow }) => shadow),
      ],
      phrase,
    )
    .default([]),
  words: {
    mode: 'Whether everything is asked, shown and decided without anything being sent: shadow.',
    'mode.shadow': 'The services and commands for which that is so.',
  },
  names: (parts) => ({
    roles: [],
    commands: [[['mode', 'shadow'], parts.filter((one) => !allServices().some(({ name }) => name === one))]],
    demands: [],
  }),
}

export const shadowOf = (policy: Partial<Policy>): readonly string[] => ruleOf(policy, modeSection)

export const isInShadow = (
  policy: Partial<Policy>,
  { names, area }: { names: readonly string[]; area: string },
): boolean => shadowOf(policy).some((one) => one === area || isAnyMatch([one], names))
