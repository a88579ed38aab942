import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'

/** What builds and runs an image without an engine, and the Debian package that brings it. */
const packages = { buildah: 'buildah', debootstrap: 'debootstrap', ip: 'iproute2', runc: 'runc' }

const install = `apt-get install -y --no-install-recommends ${Object.values(packages).join(' ')}`
const path = [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter)

/** What a command prints. When it fails, the error holds what it said. */
export const run = async (command: string, ...args: string[]): Promise<string> => {
  const options = { env: { ...process.env, PATH: path }, maxBuffer: 1 << 26 }
  return (await promisify(execFile)(command, args, options)).stdout.trim()
}

/** Brings what is missing where that is allowed, and otherwise says which command does. */
export const requireTools = async (): Promise<void> => {
  if (process.getuid?.() !== 0)
    throw new Error('only root may start containers without an engine: sudo npm run prove:image')
  const missing = () => Object.keys(packages).filter((name) => !isInstalled(name))
  if (missing().length === 0) return
  if (!existsSync('/usr/bin/apt-get'))
    throw new Error(`${missing().join(', ')} must be installed. On Debian: ${install}`)
  process.stderr.write(`${missing().join(', ')} not installed: running ${install}\n`)
  await run('sh', '-c', `DEBIAN_FRONTEND=noninteractive ${install}`)
}

const isInstalled = (name: string): boolean =>
  path.split(delimiter).some((folder) => existsSync(`${folder}/${name}`))
