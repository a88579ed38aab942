import type { Table } from './report.ts'

/** What one prove command found. A violation is a promise that was not kept. */
export type Proof = {
  title: string
  claim: string
  figures: string[]
  tables: Table[]
  violations: string[]
}

export type ProveOptions = {
  /** A part of it, for the tests. */
  sample: boolean
  /** How many cases, where somebody has less time than all of them take. */
  many?: number | undefined
  seed: number
  /** A PostgreSQL that is running already; without one the proof starts its own. */
  server?: string | null
  say: (line: string) => void
}
