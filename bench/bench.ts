import type { Table } from '../prove/report.ts'

/** What one bench found; `goals` say whether it is what we wanted. */
export type Bench = {
  title: string
  what: string
  tables: Table[]
  goals: Goal[]
  notes: string[]
  /** For the JSON. */
  figures: Record<string, unknown>
}

export type Goal = { goal: string; measured: string; isMet: boolean }

export type BenchOptions = {
  /** 1 is the whole measurement; less takes less time and says less. */
  scale: number
  /** An older checkout to be measured in turn with this one. */
  beside?: string | undefined
  say: (line: string) => void
}
