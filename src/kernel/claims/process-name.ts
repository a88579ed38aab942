import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { bootId } from '../../lib/clock.ts'
import type { Store } from '../store/store.ts'

/**
 * The name of this process among all on the database, which others can tell by whether it is gone: the start of the machine,
 * the namespace that its number is of, its number, and when it was started.
 */
export const processName = (): string => {
  const here = placeOfProcesses()
  const startedAt = startOf(process.pid)
  return here === undefined || startedAt === undefined
    ? randomUUID()
    : [randomUUID(), here, process.pid, startedAt].join('.')
}

/** Whether that process is surely gone. Of one on another machine or in another container nobody here knows. */
export const isGone = (name: string | null): boolean => {
  const [, here, pid, startedAt] = /^[\w-]+\.([\w-]+)\.(\d+)\.(\d+)$/.exec(name ?? '') ?? []
  return here !== undefined && here === placeOfProcesses() && startOf(Number(pid)) !== startedAt
}

/** Whether it shows itself; of one that is surely gone nobody waits for the end of its lease. */
export const isAlive = async ({ leases }: Pick<Store, 'leases'>, name: string | null): Promise<boolean> =>
  name !== null && !isGone(name) && (await leases.holder(heartbeatOf(name))) !== null

export const heartbeatOf = (name: string): string => `process:${name}`

const orUndefined = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const placeOfProcesses = (): string | undefined => {
  const namespace = orUndefined(() => readlinkSync('/proc/self/ns/pid'))
  const boot = bootId()
  return namespace === undefined || boot === undefined
    ? undefined
    : `${boot.replaceAll('-', '').slice(0, 12)}-${namespace.replaceAll(/\D/g, '')}`
}

/** In ticks of the system since the machine was started; undefined for a number that no process has. */
const startOf = (pid: number): string | undefined => {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The name of the program stands in brackets and may hold anything; a zombie is gone.
  const rest = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return rest === undefined || rest[0] === 'Z' || rest[0] === 'X' ? undefined : rest[19]
}
