import { readFileSync } from 'node:fs'

/** A test file with one fault on, 0 for none. */
export type Try = {
  test: string
  fault: number
  /** Of its tests only these, by their place in the file. */
  cases?: readonly number[]
  /** Runs only where the fault of the try before it was noticed: without the fault the same tests must pass. */
  isCheck?: boolean
}

/** What the runner notes of each try, in the order in which they ran. */
export type Note = {
  /** The place of the try in its order. */
  at: number
  state: 'began' | 'passed' | 'failed'
  /** Whether the place of the fault was come to while it was on. */
  ran: boolean
  /** Where nothing is planted: the faults that would have changed something outside of its tests, and in each of them. */
  outside: string[]
  cases: { ms: number; asked: string[] }[]
  ms: number
  /** Of its tests, the one that took longest. */
  longest: number
  pid: number
  cpu: number
}

/** What a process is told to try, in this order, and how long the tests of a file take when nothing is planted. */
export type TryOrder = { run: number; tries: Try[]; longest: Record<string, number> }

/** `law.planted-3-17.test.ts` is `law.test.ts` as try 17 of process 3. */
export const namePlanted = (test: string, run: number, at: number): string =>
  test.replace(/\.test\.ts$/, `.planted-${run}-${at}.test.ts`)

export const readNotes = (file: string): Note[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
