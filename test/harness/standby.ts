import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { createFolder, startCluster, stopCluster, unprivileged } from './postgres.ts'
import { until } from './until.ts'
import { whenDone } from './when-done.ts'

/** One server of two: where its socket is, and what can be done to it. */
export type Node = {
  folder: string
  /** Asks it something beside everything else. */
  ask<T extends pg.QueryResultRow>(sql: string): Promise<T[]>
  stop(how: 'fast' | 'immediate'): void
  start(): void
  promote(): void
  /** Its processes stand still, and its connections with them. */
  freeze(): void
  thaw(): void
}

const postgres = { database: 'postgres', user: 'postgres' }

/** Clients connected to nothing but a socket in this folder. */
const nodeOf = (bin: string, folder: string): Node => {
  const run = (...args: string[]) =>
    execFileSync(join(bin, 'pg_ctl'), ['-D', join(folder, 'data'), '-w', ...args], {
      ...unprivileged(),
      cwd: folder,
      stdio: 'ignore',
    })
  const signal = (name: 'STOP' | 'CONT') => {
    const [postmaster] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
    for (const pid of [postmaster, ...children]) process.kill(Number(pid), `SIG${name}`)
  }
  return {
    folder,
    ask: async (sql) => {
      const client = new pg.Client({ ...postgres, host: folder })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    },
    stop: (how) => run('-m', how, 'stop'),
    start: () => run('-l', join(folder, 'log'), 'start'),
    promote: () => run('promote'),
    freeze: () => signal('STOP'),
    thaw: () => signal('CONT'),
  }
}

/** A primary and a standby that streams from it, closed when the test file is done. */
export const openPair = async (bin: string): Promise<{ primary: Node; standby: Node; url: string }> => {
  const [one, two] = [createFolder(), createFolder()]
  whenDone(async () => {
    await stopCluster(two)
    await stopCluster(one)
  })
  await startCluster(bin, one)
  const user = unprivileged()
  if (user) await chown(two, user.uid, user.gid)
  const data = join(two, 'data')
  execFileSync(
    join(bin, 'pg_basebackup'),
    ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-h', one, '-U', 'postgres', '--no-sync'],
    { ...user, cwd: two, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const options = `-F -c listen_addresses= -c unix_socket_directories=${two} -c max_connections=200`
  execFileSync(join(bin, 'pg_ctl'), ['-D', data, '-w', '-l', join(two, 'log'), '-o', options, 'start'], {
    ...user,
    cwd: two,
    stdio: 'ignore',
  })
  const [primary, standby] = [nodeOf(bin, one), nodeOf(bin, two)]
  await until(async () => {
    const rows = await primary.ask("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")
    if (rows.length === 0) throw new Error('the standby does not stream yet')
  })
  const hosts = [one, two].map(encodeURIComponent).join(',')
  return {
    primary,
    standby,
    url: `postgres:///postgres?user=postgres&host=${hosts}&target_session_attrs=read-write`,
  }
}

/** Started as nobody that owns anything, ended with the test file. */
const startProgram = async (command: string, args: string[], folder: string): Promise<number> => {
  const child = spawn(command, args, { ...unprivileged(), cwd: folder, stdio: 'ignore' })
  whenDone(async () => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

/** PgBouncer in front of one server, and what makes it look at another. */
export const openPgBouncer = async (node: Node, mode: 'session' | 'transaction') => {
  const folder = createFolder()
  const user = unprivileged()
  if (user) await chown(folder, user.uid, user.gid)
  const file = join(folder, 'pgbouncer.ini')
  const write = ({ folder: host }: Node) =>
    writeFileSync(
      file,
      `[databases]
postgres = host=${host} dbname=postgres user=postgres
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = any
pool_mode = ${mode}
server_login_retry = 1
default_pool_size = 20
`,
    )
  write(node)
  const pid = await startProgram('/usr/sbin/pgbouncer', [file], folder)
  return {
    url: `postgres:///postgres?user=postgres&host=${encodeURIComponent(folder)}&port=6432`,
    pointTo: (next: Node) => {
      write(next)
      process.kill(pid, 'SIGHUP')
    },
  }
}

/** HAProxy in front of both, which asks of each whether it can be written to, as Patroni answers it. */
export const openHaProxy = async (nodes: readonly Node[]) => {
  const folder = createFolder()
  const user = unprivileged()
  if (user) await chown(folder, user.uid, user.gid)
  const checks = await Promise.all(
    nodes.map(async (node) => {
      const server = createServer(async (_, response) => {
        const rows = await node
          .ask<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
          .catch(() => [])
        response.writeHead(rows[0]?.standby === false ? 200 : 503).end()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      whenDone(async () => void server.close())
      return (server.address() as AddressInfo).port
    }),
  )
  const file = join(folder, 'haproxy.cfg')
  const servers = nodes.map(
    ({ folder: at }, n) =>
      `  server n${n} unix@${at}/.s.PGSQL.5432 check addr 127.0.0.1 port ${checks[n]} inter 200ms fall 1 rise 1 on-marked-down shutdown-sessions`,
  )
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 60s
  timeout server 60s
listen postgres
  bind unix@${folder}/.s.PGSQL.5432 mode 777
  option httpchk GET /primary
${servers.join('\n')}
`,
  )
  await startProgram('/usr/sbin/haproxy', ['-f', file, '-db'], folder)
  return { url: `postgres:///postgres?user=postgres&host=${encodeURIComponent(folder)}` }
}
