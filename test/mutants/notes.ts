import { readFileSync } from 'node:fs'

/** What the runner notes of each test file, in the order in which they ran. */
export type Note = {
  test: string
  fault: number
  state: 'began' | 'passed' | 'failed'
  ran: boolean
  ms: number
  pid: number
  cpu: number
}

/** `law.planted-17.test.ts` is `law.test.ts` with the fault of that number; 0 is none. */
export const namePlanted = (test: string, fault: number, turn = ''): string =>
  test.replace(/\.test\.ts$/, `.planted-${fault}${turn}.test.ts`)

export const readNotes = (file: string): Note[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
