import { readFileSync } from 'node:fs'

/** What the runner notes of each test file, in the order in which they ran. */
export type Note = {
  test: string
  fault: number
  state: 'began' | 'passed' | 'failed'
  /** Whether the place of the fault was come to while it was on. */
  ran: boolean
  /** Where nothing is planted: the faults whose places it came to. */
  asked: string[]
  ms: number
  /** Of its tests, the one that took longest. */
  longest: number
  pid: number
  cpu: number
}

/** What a process is told to try, in this order, and how long the tests of a file take when nothing is planted. */
export type TryOrder = { tries: Try[]; longest: Record<string, number> }
/** A test file with the number of a fault, 0 for none. */
export type Try = [test: string, fault: number]

/** `law.planted-17.test.ts` is `law.test.ts` with the fault of that number; 0 is none. */
export const namePlanted = (test: string, fault: number, turn = ''): string =>
  test.replace(/\.test\.ts$/, `.planted-${fault}${turn}.test.ts`)

export const readNotes = (file: string): Note[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
