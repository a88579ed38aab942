import type pg from 'pg'
import { startReplicated } from '../../test/harness/replication.ts'

/** Servers of which one takes writes, and another takes its place. */
export type Servers = {
  /** The address that the bot is given. */
  url: string
  /** From here on nothing that is written reaches another server. */
  cut(): Promise<void>
  /** Kills the one that takes writes; resolves when another does. */
  failOver(): Promise<void>
  /** Resolves when there is somebody again who could take its place. */
  heal(): Promise<void>
  sql<T extends pg.QueryResultRow>(text: string): Promise<T[]>
  /** Asks the server that was killed last. */
  askDead<T extends pg.QueryResultRow>(text: string): Promise<T[]>
  close(): Promise<void>
}

/** A primary and a standby behind one address. */
export const openTwo = async (options: { isSynchronous: boolean }): Promise<Servers> => {
  const servers = await startReplicated(options)
  return {
    ...servers,
    cut: servers.cutReplication,
    failOver: () => servers.failOver(),
    heal: servers.addStandby,
  }
}

/** Which servers, and whether a standby confirms. */
export type Way = {
  name: string
  isSynchronous: boolean
  open(options: { isSynchronous: boolean }): Promise<Servers>
}
