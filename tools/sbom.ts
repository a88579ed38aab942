import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Lock, Locked } from './gate/lock.ts'

/**
 * `npm run sbom --silent > bellhop.cdx.json`: what runs, as npm lists it in CycloneDX. npm is shown a lock file without what is for
 * developers alone: with `--omit dev` it leaves out whatever a developer's package needs as well, a third of what runs.
 */
const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T
const { devDependencies: _, ...manifest } = read<Locked & { name: string }>('package.json')
const lock = read<Lock>('package-lock.json')
const packages = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true)
const { devDependencies: __, ...root } = lock.packages[''] ?? {}

const folder = mkdtempSync(join(tmpdir(), 'bellhop-sbom-'))
try {
  const cwd = join(folder, manifest.name)
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest))
  const shown = { ...lock, packages: { ...Object.fromEntries(packages), '': root } }
  writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify(shown))
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 })
  if (status !== 0) throw new Error(`npm cannot list what runs: ${stderr}`)
  // The same lock file gives the same bytes: no number by chance, and no time.
  const { serialNumber: _number, metadata, ...bom } = JSON.parse(stdout)
  const { timestamp: _time, ...about } = metadata
  process.stdout.write(`${JSON.stringify({ ...bom, metadata: about }, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
