import { z } from 'zod'
import type { Pack } from '../../src/kernel/command/pack.ts'

/** What can be frozen, and how people call it. */
export const freezeAreas = (packs: readonly Pack[]) => {
  const words: Record<string, string> = {
    ...Object.fromEntries(packs.map(({ name, title }) => [name, `${title.toLowerCase()} changes`])),
    all: 'all changes',
    agents: 'agents',
  }
  const frozen = z.enum(Object.keys(words) as [string, ...string[]])
  return {
    frozen,
    /** An area may be frozen whose pack is gone by now. */
    wordsOf: (area: string): string => words[area] ?? `${area} changes`,
  }
}
