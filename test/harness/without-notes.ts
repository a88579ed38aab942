import { allFeatures, useFeatures } from '../../src/kernel/feature.ts'
import { useNotes } from '../../src/kernel/law/notes.ts'
import { whenDone } from './when-done.ts'

/** For a test of the cards of the kernel: until it is done, no feature adds anything to them. */
export const withoutNotes = (): void => {
  const all = allFeatures()
  useNotes([])
  whenDone(() => useFeatures(all))
}
