import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { costsVariable, type FileCost } from '../dearest.ts'

/** Of this process, and of those that it started and that have ended. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  const stat = '/proc/self/stat'
  const [childrenUser = 0, childrenSystem = 0] = existsSync(stat)
    ? (readFileSync(stat, 'utf8').split(') ')[1] ?? '').split(' ').slice(13, 15).map(Number)
    : []
  return (user + system) / 1_000 + 10 * (childrenUser + childrenSystem)
}

export const recordCost = (cost: FileCost): void => {
  const file = process.env[costsVariable]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(cost)}\n`)
}
