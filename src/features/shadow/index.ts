import { defineFeature } from '../../kernel/feature.ts'
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
  status: async ({ policy }) => {
    const parts = shadowOf(policy)
    if (parts.length === 0) return []
    return [
      [
        'Shadow',
        parts.includes('*') ? 'nothing is sent to any service' : `nothing is sent: ${parts.join(', ')}`,
      ],
    ]
  },
})
