import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { dataFolder, isAlive, openRunFolders } from './run-folders.ts'

/**
 * Where tests find PostgreSQL: a server that is there, which may be thrown away behind the run, or a folder in which the first to
 * ask starts a cluster.
 */
type PostgresSource =
  | { url: string; bin: string | null; isDisposable: boolean }
  | { folder: string; bin: string }
  | null

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresSource
  }
}

const prefix = 'bellhop-postgres-'

/** Set by whoever started the server of TEST_DATABASE_URL for these tests alone. */
export const disposableVariable = 'TEST_DATABASE_IS_DISPOSABLE'

/** Vitest calls this once per run, before the tests. Nothing starts until a test asks. */
export const setup = (project: TestProject) => {
  const folders = openRunFolders()
  const source = findPostgres()
  if (source === null) {
    const advice =
      'no PostgreSQL was found, so nothing ran on it. To have it: sudo apt-get install -y postgresql'
    if (process.env.CI) throw new Error(advice)
    process.stderr.write(`NOT TESTED  ${advice}\n`)
  }
  project.provide('postgres', source)
  return async () => {
    if (source && 'folder' in source) await stopCluster(source.folder)
    folders.remove()
  }
}

/** The address of a server, without a database; starts the cluster of this run if nobody has. */
export const serverOf = async (source: NonNullable<PostgresSource>): Promise<string> => {
  if ('url' in source) return source.url
  const ready = join(source.folder, 'ready')
  if (claim(source.folder)) {
    const url = await startCluster(source.bin, source.folder)
    writeFileSync(`${ready}.new`, url)
    renameSync(`${ready}.new`, ready)
  }
  for (const deadline = Date.now() + 60_000; !existsSync(ready); await sleep(50)) {
    if (Date.now() > deadline) throw new Error('the PostgreSQL of this run did not start')
  }
  return readFileSync(ready, 'utf8')
}

export const createFolder = (): string => mkdtempSync(join(dataFolder(), `${prefix}${process.pid}-`))

/**
 * A cluster on a socket in its folder. It ends when `stopCluster` is called, or when this process is gone. Unless it is
 * to be durable it does not wait for the disk, which no test needs and every measurement does. One that grows looks after its
 * tables, as any server does: otherwise it goes on reading them whole, as when they were small.
 */
export const startCluster = async (
  bin: string,
  folder: string,
  { durable = false, grows = durable }: { durable?: boolean; grows?: boolean } = {},
): Promise<string> => {
  const data = join(folder, 'data')
  const user = unprivileged()
  if (user) await chown(folder, user.uid, user.gid)
  const run = (command: string, args: string[]) =>
    execFileSync(join(bin, command), args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  keep(folder)
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const careless = durable ? '' : '-F -c full_page_writes=off'
  const upkeep = `-c autovacuum=${grows ? 'on' : 'off'}`
  const options = `${careless} ${upkeep} -c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=200`
  run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'])
  return `postgres://postgres@localhost/?host=${encodeURIComponent(folder)}`
}

/** As a power cut would: the server is killed without a word to its clients, then started again. */
export const crashCluster = (bin: string, folder: string): void => {
  const args = ['-D', join(folder, 'data'), '-m', 'immediate', '-w', '-l', join(folder, 'log'), 'restart']
  execFileSync(join(bin, 'pg_ctl'), args, { ...unprivileged(), cwd: folder, stdio: 'ignore' })
}

/** The first half of it; `crashCluster` starts a server that is not running with the options it had. */
export const haltCluster = (bin: string, folder: string): void => {
  const args = ['-D', join(folder, 'data'), '-m', 'immediate', '-w', 'stop']
  execFileSync(join(bin, 'pg_ctl'), args, { ...unprivileged(), cwd: folder, stdio: 'ignore' })
}

export const stopCluster = async (folder: string): Promise<void> => {
  const pid = postmasterOf(folder)
  if (pid !== null) {
    process.kill(pid, 'SIGQUIT')
    for (const deadline = Date.now() + 5_000; isAlive(pid) && Date.now() < deadline; await sleep(20)) {}
  }
  rmSync(folder, { recursive: true, force: true })
}

export const findPostgres = (): PostgresSource => {
  const { TEST_DATABASE_URL: url, [disposableVariable]: disposable } = process.env
  if (url) return { url, bin: binaries(), isDisposable: disposable === 'yes' }
  const bin = binaries() ?? install()
  return bin ? { folder: createFolder(), bin } : null
}

const binaries = (): string | null => {
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : []
  const candidates = [...versions.map((version) => join(packaged, version, 'bin')), configured()]
  return (
    candidates.find((bin) => bin && existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres'))) ??
    null
  )
}

const configured = (): string | null => {
  try {
    return execFileSync('pg_config', ['--bindir'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}

const install = (): string | null => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  process.stderr.write('PostgreSQL is not installed: running apt-get install -y postgresql\n')
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['install', '-y', 'postgresql'], { env, stdio: 'ignore', timeout: 300_000 })
  } catch {
    return null
  }
  return binaries()
}

/** PostgreSQL refuses to run as root. */
export const unprivileged = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8').match(/^(?:postgres|nobody):[^:]*:(\d+):(\d+):/gm)
  const found = (line?.find((each) => each.startsWith('postgres')) ?? line?.[0])?.split(':')
  return found ? { uid: Number(found[2]), gid: Number(found[3]) } : undefined
}

/** One of the workers that ask at the same time. */
const claim = (folder: string): boolean => {
  try {
    mkdirSync(join(folder, 'claim'))
    return true
  } catch {
    return false
  }
}

/** The process that made the folder has its number in the name. */
const ownerOf = (folder: string): number => Number(folder.split(prefix)[1]?.split('-')[0])

/** A process that is killed stops nothing, so a small one outlives it by a second and does. */
const keep = (folder: string): void => {
  const script = `while kill -0 "$1" 2>/dev/null && [ -d "$2" ]; do sleep 1; done
    [ -f "$2/data/postmaster.pid" ] && kill -QUIT "$(head -n 1 "$2/data/postmaster.pid")"
    rm -rf "$2"`
  spawn('sh', ['-c', script, 'keeper', String(ownerOf(folder)), folder], {
    detached: true,
    stdio: 'ignore',
  }).unref()
}

const postmasterOf = (folder: string): number | null => {
  const file = join(folder, 'data', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null
}
