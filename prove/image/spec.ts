import { chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What an image says about how it is run. */
export type ImageConfig = {
  User: string
  Env: string[]
  Entrypoint: string[] | null
  Cmd: string[]
  WorkingDir: string
  Volumes: Record<string, unknown> | null
  Healthcheck?: { Test: string[] }
}

export type Mount = { source: string; destination: string; readOnly: boolean }

export type ContainerOptions = {
  image: string
  /** Its name on the network. */
  host: string
  /** In the place of the image's own command. */
  command?: string[] | undefined
  env?: Record<string, string>
  mounts: Mount[]
  readOnly: boolean
  /** Nothing that root may do, and no way to get it. */
  unprivileged: boolean
}

/** The parts of a bundle's config.json that are ours; `runc spec` fills in the rest. */
export type Spec = {
  process: Record<string, unknown>
  root: { path: string; readonly: boolean }
  hostname: string
  mounts: { destination: string; type: string; source: string; options: string[] }[]
  linux: { namespaces: { type: string; path?: string }[] }
}

type Found = { config: ImageConfig; root: string; bundle: string; networkSpace: string }

/** What an engine leaves to root in a container unless told otherwise. */
const usual = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETPCAP',
  'SETUID',
]

/** Does what an engine does with an image: volumes as the image wants them, its user, its environment. */
export const specFor = (
  spec: Spec,
  { host, command, env, mounts, readOnly, unprivileged }: ContainerOptions,
  { config, root, bundle, networkSpace }: Found,
): Spec => {
  const unnamed = Object.keys(config.Volumes ?? {})
    .filter((path) => !mounts.some(({ destination }) => destination === path))
    .map((path): Mount => ({ source: join(bundle, basename(path)), destination: path, readOnly: false }))
  const all = [...mounts, ...unnamed]
  for (const mount of all) createVolume(mount, root)
  const capabilities = unprivileged ? [] : usual.map((name) => `CAP_${name}`)
  return {
    ...spec,
    hostname: host,
    root: { path: root, readonly: readOnly },
    process: {
      args: [...(config.Entrypoint ?? []), ...(command ?? config.Cmd)],
      env: Object.entries({ ...variablesOf(config.Env), ...env }).map(([name, value]) => `${name}=${value}`),
      cwd: config.WorkingDir || '/',
      user: userOf(config.User, root),
      capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
      noNewPrivileges: unprivileged,
    },
    mounts: [
      ...spec.mounts,
      ...all.map(({ source, destination, readOnly }) => ({
        source,
        destination,
        type: 'bind',
        options: ['rbind', readOnly ? 'ro' : 'rw'],
      })),
    ],
    linux: {
      ...spec.linux,
      namespaces: spec.linux.namespaces.map(({ type }) =>
        type === 'network' ? { type, path: networkSpace } : { type },
      ),
    },
  }
}

/** A volume that nobody has used yet is a folder with the owner that the image gave to its place. */
const createVolume = ({ source, destination }: Mount, root: string): void => {
  if (existsSync(source)) return
  const { uid, gid } = statSync(join(root, destination))
  mkdirSync(source)
  chownSync(source, uid, gid)
}

const userOf = (user: string, root: string): { uid: number; gid: number } => {
  const accounts = readFileSync(join(root, 'etc/passwd'), 'utf8').split('\n')
  const account = accounts
    .map((line) => line.split(':'))
    .find(([name, , uid]) => name === (user || 'root') || uid === user)
  if (!account) throw new Error(`the image runs as ${user}, which is no account of its own`)
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

/** `NAME=value`, one a line, as in an image and in a file of variables. */
export const variablesOf = (lines: string[]): Record<string, string> =>
  Object.fromEntries(lines.filter(Boolean).map((line) => [line.replace(/=.*/, ''), line.replace(/.*?=/, '')]))
