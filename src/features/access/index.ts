import { defineFeature } from '../../kernel/feature.ts'
import { proposals } from '../proposals/index.ts'
import { askAccess, withAccess } from './ask.ts'

declare module '../../lib/view/button-labels.ts' {
  interface FeatureVerbs {
    ask_access: true
  }
}

/** Whoever may not run a command asks for the right with one press. */
export const access = defineFeature({
  name: 'access',
  needs: [proposals],
  verbs: { ask_access: { label: 'Ask for it', does: 'answer' } },
  press: { act: (core, actor, { id }) => askAccess(core, actor, id) },
  onRefused: withAccess,
})
