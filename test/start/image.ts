import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Image = {
  /** Outside the clone, which the user of the image may not be allowed to enter. */
  node: string
  folder: string
  data: string
  env: Record<string, string>
  entrypoint: string[]
  command: string[]
  health: string[]
  remove(): void
}

/** What the Dockerfile puts together, in a folder; `npm ci --omit=dev` is done by copying what is installed here. */
export const buildImage = (): Image => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
  const lines = dockerfile.split('\n')
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-image-'))
  const data = mkdtempSync(join(tmpdir(), 'bellhop-image-data-'))
  const copied = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1))
  for (const path of copied) cpSync(path, join(folder, path), { recursive: true })
  for (const path of installed()) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    // Half of the files are for compilers and readers; leaving them out saves the time to copy them.
    const filter = (name: string) => !/\.(d\.[cm]?ts|map|md)$/.test(name)
    cpSync(path, join(folder, path), { recursive: true, filter })
  }
  cpSync('node_modules/.package-lock.json', join(folder, 'node_modules/.package-lock.json'))
  for (const [, script = ''] of dockerfile.matchAll(/^RUN node (\S+)$/gm))
    execFileSync(process.execPath, [script], { cwd: folder, stdio: 'pipe' })
  const node = join(folder, 'node')
  cpSync(process.execPath, node)
  allow(folder, 'a=rX')
  const user = userOf()
  if (user !== undefined) chownSync(data, user.uid, user.gid)
  const remove = () => {
    allow(folder, 'u+w')
    for (const made of [folder, data]) rmSync(made, { recursive: true, force: true })
  }
  return { node, folder, data, ...told(lines, folder), remove }
}

/** Root may write anywhere, so as root the image is run by somebody who may not. */
export const userOf = (): { uid: number; gid: number } | undefined =>
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

const told = (lines: string[], folder: string) => {
  const list = (start: string): string[] => {
    const line = lines.find((each) => each.startsWith(start)) ?? ''
    return JSON.parse(line.slice(line.indexOf('[')))
  }
  const env = lines.find((line) => line.startsWith('ENV ')) ?? ''
  return {
    env: Object.fromEntries(
      env
        .split(' ')
        .slice(1)
        .map((pair) => pair.replace('=/app/', `=${folder}/`).split('=') as [string, string]),
    ),
    entrypoint: list('ENTRYPOINT'),
    command: list('CMD'),
    health: list('HEALTHCHECK'),
  }
}

/** Everything that is not for development, without the Node that the image moves elsewhere. */
const installed = (): string[] => {
  const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  return Object.entries(packages)
    .filter(([path, { dev }]) => !dev && !path.includes('/node-linux-'))
    .map(([path]) => path)
    .filter((path) => path.lastIndexOf('node_modules/') === 0)
}

const allow = (folder: string, mode: string): void => {
  execFileSync('chmod', ['-R', mode, folder])
}
