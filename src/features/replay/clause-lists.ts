import { needsOf } from '../../kernel/law/clauses.ts'
import type { Clause } from '../../kernel/model/change.ts'
import { madeOnce } from '../../lib/made-once.ts'

/** A list of clauses with a number of its own: equal lists have the same, so what follows from one is worked out once. */
export type ClauseList = { id: number; clauses: readonly Clause[]; words: string[] }

export const createClauseLists = (): ((clauses: readonly Clause[]) => ClauseList) => {
  const known = new Map<string, ClauseList>()
  return (clauses) =>
    madeOnce(known, JSON.stringify(clauses), () => ({
      id: known.size,
      clauses,
      words: clauses.map(needsOf),
    }))
}
