import { existsSync, readFileSync } from 'node:fs'

/** Where a run wants to have written down what each file cost: one line of JSON per file. */
export const costsVariable = 'BELLHOP_TEST_COSTS'

export type FileCost = { file: string; wallMs: number; processorMs: number }

/** The files that took most of the processor, a line each. */
export const dearest = (file: string, count: number): string[] => {
  const costs: FileCost[] = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  return costs
    .toSorted((one, other) => other.processorMs - one.processorMs)
    .slice(0, count)
    .map(
      (cost) =>
        `${cost.file}: ${seconds(cost.processorMs)} of the processor, ${seconds(cost.wallMs)} by the clock`,
    )
}
