import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createFolder, findPostgres, unprivileged } from '../../test/harness/postgres.ts'
import type { Servers } from './servers.ts'

/** As Debian and its like install them. */
const programs = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd' }

export const patroniIsHere = (): boolean =>
  existsSync(programs.patroni) && existsSync(programs.etcd) && (findPostgres()?.bin ?? null) !== null

type Member = { name: string; folder: string; port: number; api: number; process: ChildProcess | undefined }

/** Three servers, of which Patroni makes one the primary by what stands in etcd. */
export const openPatroni = async ({ isSynchronous }: { isSynchronous: boolean }): Promise<Servers> => {
  const bin = findPostgres()?.bin ?? ''
  const user = unprivileged()
  const children: ChildProcess[] = []
  const start = (command: string, args: string[], cwd: string): ChildProcess => {
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: cwd, LANG: 'C.UTF-8' }
    const child = spawn(command, args, { ...user, cwd, stdio: 'ignore', env })
    children.push(child)
    return child
  }
  const owned = async (): Promise<string> => {
    const folder = createFolder()
    if (user) await chown(folder, user.uid, user.gid)
    return folder
  }
  const [client = 0, peer = 0, ...ports] = await freePorts(8)
  const etcd = `http://127.0.0.1:${client}`
  const etcdFolder = await owned()
  const peers = `http://127.0.0.1:${peer}`
  start(
    programs.etcd,
    [
      ...['--data-dir', join(etcdFolder, 'data'), '--listen-client-urls', etcd],
      ...['--advertise-client-urls', etcd, '--listen-peer-urls', peers],
      ...['--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
    ],
    etcdFolder,
  )
  const members: Member[] = []
  const startMember = (member: Member): void => {
    member.process = start(programs.patroni, [join(member.folder, 'patroni.json')], member.folder)
  }
  for (const n of [0, 1, 2]) {
    const folder = await owned()
    const member = {
      name: `n${n}`,
      folder,
      port: ports[2 * n] ?? 0,
      api: ports[2 * n + 1] ?? 0,
      process: undefined,
    }
    const settings = settingsOf(member, { bin, client, isSynchronous })
    writeFileSync(join(folder, 'patroni.json'), JSON.stringify(settings))
    mkdirSync(join(folder, 'socket'))
    if (user) await chown(join(folder, 'socket'), user.uid, user.gid)
    members.push(member)
    startMember(member)
  }
  const ask = async <T extends pg.QueryResultRow>(port: number, text: string, database = 'bellhop') => {
    const connection = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database })
    connection.on('error', () => undefined)
    await connection.connect()
    try {
      return (await connection.query<T>(text)).rows
    } finally {
      await connection.end()
    }
  }
  const takesWrites = (member: Member): Promise<boolean> =>
    ask<{ is: boolean }>(member.port, 'SELECT NOT pg_is_in_recovery() AS is', 'postgres').then(
      ([row]) => row?.is === true,
      () => false,
    )
  const leader = async (withinMs = 120_000): Promise<Member> => {
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(20))
      for (const member of members) if (await takesWrites(member)) return member
    throw new Error('Patroni made none of them the primary')
  }
  // Whoever makes a copy of the primary streams, too, under another name.
  const standbys =
    "SELECT count(*)::int AS n FROM pg_stat_replication WHERE state = 'streaming' AND application_name LIKE 'n_'"
  /** Only a standby that is on record as one that confirms may be made the primary. */
  const isConfirmed = async (api: number): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${api}/cluster`)
    return (await answer.text()).includes('"sync_standby"')
  }
  const heal = async (): Promise<void> => {
    for (const member of members)
      if (member.process === undefined) {
        rmSync(join(member.folder, 'data'), { recursive: true, force: true })
        startMember(member)
      }
    const { port, api } = await leader()
    for (const end = Date.now() + 120_000; Date.now() < end; await sleep(100)) {
      const [row] = await ask<{ n: number }>(port, standbys, 'postgres')
      if (row?.n === 2 && (!isSynchronous || (await isConfirmed(api)))) return
    }
    throw new Error('the standbys do not stream')
  }
  const close = async (): Promise<void> => {
    for (const child of children) child.kill('SIGKILL')
    for (const member of members) killServer(member)
    await sleep(200)
    for (const folder of [etcdFolder, ...members.map((member) => member.folder)])
      rmSync(folder, { recursive: true, force: true })
  }
  try {
    const first = await leader()
    await ask(first.port, 'CREATE DATABASE bellhop TEMPLATE template0', 'postgres')
    await heal()
  } catch (error) {
    await close()
    throw error
  }
  let dead: Member | undefined

  return {
    url: `postgres://postgres@${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/bellhop?target_session_attrs=read-write`,
    cut: async () => {
      const senders = await ask<{ pid: number }>(
        (await leader()).port,
        'SELECT pid FROM pg_stat_replication',
        'postgres',
      )
      for (const { pid } of senders) process.kill(pid, 'SIGSTOP')
    },
    failOver: async () => {
      const member = await leader()
      dead = member
      // The whole machine is gone.
      member.process?.kill('SIGKILL')
      member.process = undefined
      killServer(member)
      // What stands for it in etcd ends with its time: 20 s at least, in which there is nothing to see.
      const key = Buffer.from('/service/bellhop/leader').toString('base64')
      await fetch(`${etcd}/v3/kv/deleterange`, { method: 'POST', body: JSON.stringify({ key }) })
      const { port } = await leader()
      // With synchronous replication it takes none before a standby of its own confirms.
      await ask(port, 'CREATE TABLE takes_writes (); DROP TABLE takes_writes', 'postgres')
    },
    heal,
    sql: async (text) => ask((await leader()).port, text),
    askDead: async (text) => {
      if (dead === undefined) throw new Error('nobody was killed')
      const { folder, port } = dead
      dead = undefined
      const options = `-c listen_addresses= -c unix_socket_directories=${folder} -p ${port} -c synchronous_standby_names=`
      const control = (...args: string[]) =>
        execFileSync(join(bin, 'pg_ctl'), ['-D', join(folder, 'data'), '-w', ...args], {
          ...user,
          cwd: folder,
          stdio: 'ignore',
        })
      control('-l', join(folder, 'log'), '-o', options, 'start')
      const connection = new pg.Client({
        host: folder,
        port,
        user: 'postgres',
        database: 'bellhop',
      })
      await connection.connect()
      const { rows } = await connection.query(text)
      await connection.end()
      control('-m', 'immediate', 'stop')
      return rows
    },
    close,
  }
}

/** Its processes, also those that stand still. */
const killServer = ({ folder, port }: Member): void => {
  const file = join(folder, 'data', 'postmaster.pid')
  if (!existsSync(file)) return
  const [postmaster = ''] = readFileSync(file, 'utf8').split('\n')
  const children = `/proc/${postmaster}/task/${postmaster}/children`
  const pids = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : []
  for (const pid of [postmaster, ...pids].filter((one) => one !== ''))
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {}
  // Where nobody buries it, it is a zombie, which a next one would take for alive.
  rmSync(file)
  rmSync(join(folder, 'socket', `.s.PGSQL.${port}.lock`), { force: true })
}

const settingsOf = (
  { name, folder, port, api }: Member,
  { bin, client, isSynchronous }: { bin: string; client: number; isSynchronous: boolean },
) => ({
  scope: 'bellhop',
  name,
  restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
  etcd3: { host: `127.0.0.1:${client}` },
  bootstrap: {
    dcs: {
      ...{ ttl: 20, loop_wait: 1, retry_timeout: 3, maximum_lag_on_failover: 1_000_000_000 },
      synchronous_mode: isSynchronous,
      synchronous_mode_strict: isSynchronous,
      postgresql: { use_pg_rewind: false, parameters: { fsync: 'off', max_connections: 100 } },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'no-sync'],
    pg_hba: [
      'local all all trust',
      'host all all 127.0.0.1/32 trust',
      'host replication all 127.0.0.1/32 trust',
    ],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: join(folder, 'data'),
    bin_dir: bin,
    pgpass: join(folder, 'pgpass'),
    basebackup: [{ checkpoint: 'fast' }, 'no-sync'],
    // One that had more than the one that was promoted begins anew, instead of standing aside for ever.
    remove_data_directory_on_diverged_timelines: true,
    parameters: { unix_socket_directories: join(folder, 'socket') },
    authentication: {
      superuser: { username: 'postgres', password: 'postgres' },
      replication: { username: 'replicator', password: 'replicator' },
    },
  },
})

const freePorts = async (many: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from({ length: many }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
