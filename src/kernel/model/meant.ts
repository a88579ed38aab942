/**
 * What a word means among all there is: what has it as its id, or else what is called so. Each test is tried over everything
 * before the next one, so that nobody hides a thing by giving another its id as a name.
 */
export const meantAmong = <T>(all: readonly T[], ...tests: ((one: T) => boolean)[]): T[] => {
  for (const test of tests) {
    const found = all.filter(test)
    if (found.length > 0) return found
  }
  return []
}
