import fc from 'fast-check'
import { dailySeed } from './daily-seed.ts'

/**
 * Asserts a property, and again with other values until all has come up that must: what is rare may be missing from one
 * sample by chance, and from twenty only by a fault.
 */
export const assertUntil = async <Values>(
  property: fc.IRawProperty<Values>,
  numRuns: number,
  isAllSeen: () => boolean,
): Promise<void> => {
  for (let sample = 0; sample === 0 || (sample < 20 && !isAllSeen()); sample++)
    await fc.assert(property, { numRuns, seed: dailySeed + sample })
}
