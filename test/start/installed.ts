import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export type InstalledPackage = { command: string; files: string[]; remove(): void }

/**
 * What `npm pack` makes, installed in an empty folder as npm would: the package itself, and beside it links to those of the
 * packages here that are not for development.
 */
export const installPackage = (): InstalledPackage => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-package-'))
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { encoding: 'utf8' })
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }]
  const own = join(folder, 'node_modules/bellhop')
  mkdirSync(own, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', own, '--strip-components=1'])
  for (const path of dependencies()) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    symlinkSync(resolve(path), join(folder, path))
  }
  mkdirSync(join(folder, 'node_modules/.bin'))
  const command = join(folder, 'node_modules/.bin/bellhop')
  const { bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { bin: { bellhop: string } }
  symlinkSync(join(own, bin.bellhop), command)
  return {
    command,
    files: files.map(({ path }) => path),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const dependencies = (): string[] => {
  const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  return Object.keys(packages).filter(
    (path) => !packages[path]?.dev && path.lastIndexOf('node_modules/') === 0,
  )
}
