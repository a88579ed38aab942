/** What every tool ends with; `audit verify` has some of its own. 1 is bad news from a check, and a start that failed. */
export const exitCodes = { done: 0, refused: 2, waiting: 3, failed: 4 } as const
