import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs besides the browser and PostgreSQL that tests give documents to, and Debian's packages that have them. */
export const packageOf = {
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
  nginx: 'nginx-light',
  caddy: 'caddy',
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
} as const
export type ProgramName = keyof typeof packageOf

export const foldersOnPath = (): string[] => (process.env.PATH ?? '').split(delimiter).filter(Boolean)

export const findProgram = (name: ProgramName): string | undefined =>
  [...foldersOnPath(), '/usr/sbin'].map((folder) => join(folder, name)).find(isProgram)

/** Installs Debian's own where that is possible without asking anybody: as root, with apt. */
export function installPackages(packages: readonly string[]): void {
  if (packages.length === 0 || process.getuid?.() !== 0 || !isProgram('/usr/bin/apt-get')) return
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  spawnSync('apt-get', ['update', '-qq'], options)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
