import { defineFeature } from '../../kernel/feature.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { isInShadow, modeSection, shadowOf } from './section.ts'

/** Everything is asked, shown, judged and decided, and nothing is sent: a week of that shows what the policy would do. */
export const shadow = defineFeature({
  name: 'shadow',
  policy: modeSection,
  withholds: (policy, change) =>
    isInShadow(policy, change)
      ? {
          before: 'Shadow, nothing is sent',
          after: 'Not sent, in shadow',
          why: 'Nothing was sent: it was decided on in shadow. It would have been sent now.',
        }
      : undefined,
  /** What is in shadow now, in words; undefined where nothing is. */
  records: ({ policy }) => ({ now: wordsOf(policy) }),
  status: async ({ policy }) => {
    const words = wordsOf(policy)
    return words === undefined ? [] : [['Shadow', words]]
  },
})

const wordsOf = (policy: Partial<Policy>): string | undefined => {
  const parts = shadowOf(policy)
  if (parts.length === 0) return undefined
  return parts.includes('*') ? 'nothing is sent to any service' : `nothing is sent: ${parts.join(', ')}`
}
