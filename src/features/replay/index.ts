import { defineFeature } from '../../kernel/feature.ts'
import { replayDraft } from './draft.ts'
import { replayTool } from './tool.ts'

/** Judges what happened by another policy file. */
export const replay = defineFeature({
  name: 'replay',
  compareDraft: replayDraft,
  policyTools: { replay: replayTool },
})
