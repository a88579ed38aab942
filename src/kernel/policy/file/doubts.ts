import type { Policy } from '../policy.ts'
import type { CommandRef, PolicyDraft } from './draft.ts'
import type { Finding } from './schema-findings.ts'

/** What is likely not meant in a file that can be read. */
export type FindDoubts = (
  policy: Policy,
  about: { draft: PolicyDraft; commands: readonly CommandRef[] },
) => readonly Finding[]

let finders: readonly FindDoubts[] = []

export const useDoubts = (all: readonly FindDoubts[]): void => {
  finders = all
}

export const doubtsAbout: FindDoubts = (...about) => finders.flatMap((find) => find(...about))
