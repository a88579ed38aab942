import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  crashCluster,
  createFolder,
  findPostgres,
  haltCluster,
  startCluster,
  stopCluster,
  unprivileged,
} from './postgres.ts'

type Server = { folder: string; url: string }

/**
 * Two servers with streaming replication behind one address, as whoever runs PostgreSQL for others has them: when the one
 * that takes writes is gone, the other takes its place.
 */
export type ReplicatedServers = {
  /** The one address, of an empty database. */
  url: string
  /** From here on nothing that is written reaches the standby. */
  cutReplication(): Promise<void>
  /** Resolves when the standby has everything. */
  caughtUp(): Promise<void>
  /** Kills the primary, unless it is to live on beside, and lets the standby take its place behind the address. */
  failOver(options?: { primaryLives?: boolean }): Promise<void>
  /** Makes a new standby of the one that takes writes now, in the place of the server that is gone. */
  addStandby(): Promise<void>
  sql<T extends pg.QueryResultRow>(text: string, on?: 'primary' | 'standby'): Promise<T[]>
  /** Asks the primary that was killed last, which is started apart for that, and gone afterwards. */
  askDead<T extends pg.QueryResultRow>(text: string): Promise<T[]>
  /** An address of the primary of now alone, which stays its own after a failover. */
  ownUrl(): string
  close(): Promise<void>
}

const binOf = (): string | null => findPostgres()?.bin ?? null

export const startReplicated = async ({ isSynchronous = false } = {}): Promise<ReplicatedServers> => {
  const bin = binOf()
  if (bin === null) throw new Error('there is no PostgreSQL on this machine')
  const folders: string[] = []
  const newFolder = (): string => {
    const folder = createFolder()
    folders.push(folder)
    return folder
  }
  const start = async (folder: string): Promise<Server> => ({
    folder,
    url: await startCluster(bin, folder, { grows: true }),
  })
  let primary = await start(newFolder())
  await query(primary, 'postgres', 'CREATE DATABASE bellhop TEMPLATE template0')
  let standby: Server | undefined
  let dead: Server | undefined
  const addStandby = async (): Promise<void> => {
    standby = await copyOf(bin, primary, newFolder())
    if (!isSynchronous) return
    await query(primary, 'postgres', `ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await query(primary, 'postgres', 'SELECT pg_reload_conf()')
    await caughtUp()
  }
  const caughtUp = async (): Promise<void> => {
    for (;;) {
      const [row] = await query<{ is: boolean | null }>(
        primary,
        'postgres',
        'SELECT bool_and(replay_lsn >= pg_current_wal_lsn()) AS is FROM pg_stat_replication',
      )
      if (row?.is) return
      await sleep(20)
    }
  }
  await addStandby()

  const sockets = new Set<Socket>()
  const door = createServer((inside) => {
    const outside = connect(join(primary.folder, '.s.PGSQL.5432'))
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const { port } = door.address() as { port: number }

  return {
    url: `postgres://postgres@127.0.0.1:${port}/bellhop`,
    caughtUp,
    addStandby,
    cutReplication: async () => {
      if (standby === undefined) throw new Error('there is no standby')
      await query(standby, 'postgres', `ALTER SYSTEM SET primary_conninfo = ''`)
      await query(standby, 'postgres', 'SELECT pg_reload_conf()')
      const receivers = 'SELECT count(*)::int AS n FROM pg_stat_wal_receiver'
      while ((await query<{ n: number }>(standby, 'postgres', receivers))[0]?.n !== 0) await sleep(20)
    },
    failOver: async ({ primaryLives = false } = {}) => {
      if (standby === undefined) throw new Error('there is no standby')
      if (!primaryLives) {
        haltCluster(bin, primary.folder)
        if (dead !== undefined) await stopCluster(dead.folder)
        dead = primary
      }
      const args = ['-D', join(standby.folder, 'data'), '-w', 'promote']
      execFileSync(join(bin, 'pg_ctl'), args, { ...unprivileged(), cwd: standby.folder, stdio: 'ignore' })
      // A synchronous standby that is gone would be waited for.
      await query(standby, 'postgres', 'ALTER SYSTEM RESET synchronous_standby_names')
      await query(standby, 'postgres', 'SELECT pg_reload_conf()')
      primary = standby
      standby = undefined
      for (const socket of sockets) socket.destroy()
    },
    sql: async <T extends pg.QueryResultRow>(text: string, on: 'primary' | 'standby' = 'primary') => {
      const server = on === 'primary' ? primary : standby
      if (server === undefined) throw new Error('there is no standby')
      return query<T>(server, 'bellhop', text)
    },
    askDead: async <T extends pg.QueryResultRow>(text: string) => {
      if (dead === undefined) throw new Error('nobody was killed')
      const server = dead
      dead = undefined
      crashCluster(bin, server.folder)
      return query<T>(server, 'bellhop', text).finally(() => stopCluster(server.folder))
    },
    ownUrl: () => {
      const url = new URL(primary.url)
      url.pathname = '/bellhop'
      return url.href
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => door.close(resolve))
      await Promise.all(folders.map(stopCluster))
    },
  }
}

const copyOf = async (bin: string, from: Server, folder: string): Promise<Server> => {
  const user = unprivileged()
  if (user) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (user) await chown(data, user.uid, user.gid)
  const run = (command: string, args: string[]) =>
    execFileSync(join(bin, command), args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  run('pg_basebackup', [
    '-h',
    from.folder,
    '-U',
    'postgres',
    '-D',
    data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  ])
  const options = `-F -c full_page_writes=off -c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=200`
  run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'])
  return { folder, url: `postgres://postgres@localhost/?host=${encodeURIComponent(folder)}` }
}

const query = async <T extends pg.QueryResultRow>(
  { url }: Server,
  database: string,
  text: string,
): Promise<T[]> => {
  const address = new URL(url)
  address.pathname = `/${database}`
  const client = new pg.Client({ connectionString: address.href })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}
