import { chmodSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeEach(() => {
  project = createProject()
})
afterEach(() => project.remove())

test('a lock file that lost platform packages is whole again, whether or not the registry knows them', () => {
  const before = locked()
  const lost = Object.keys(before).filter(
    (path) =>
      /@(biomejs|esbuild|oxc-parser|oxc-resolver|rollup|typescript)\//.test(path) &&
      /darwin|win32|android|bsd|musl|arm-|riscv64|s390x|ppc64/.test(path),
  )
  expect(lost.length).toBeGreaterThan(80)
  project.edit('package-lock.json', ({ packages }) => {
    for (const path of lost) delete packages[path]
  })
  expect(project.check('lock').code).toBe(1)

  expect(complete('exit 1')).toMatchObject({ code: 0 })
  expect(Object.keys(locked())).toEqual(Object.keys(before))
  for (const path of lost) {
    const { os, cpu, libc, dev, optional, version } = locked()[path]
    expect({ os, cpu, libc, dev, optional, version }, path).toEqual({
      ...platformIn(before[path]),
      optional: true,
    })
  }
  expect(project.check('lock').code).toBe(0)
})

test('what the registry says goes before what a name suggests', () => {
  project.edit('package-lock.json', ({ packages }) => {
    delete packages['node_modules/@biomejs/cli-darwin-arm64']
  })
  const published = {
    os: ['darwin'],
    cpu: ['arm64', 'x64'],
    license: 'MIT',
    dist: { integrity: 'sha512-abc' },
  }
  complete(`echo '${JSON.stringify(published)}'`)
  expect(locked()['node_modules/@biomejs/cli-darwin-arm64']).toMatchObject({
    cpu: ['arm64', 'x64'],
    integrity: 'sha512-abc',
    license: 'MIT',
  })
})

/** Completes the lock file with an npm that answers as told, so that no registry is asked. */
function complete(answer: string) {
  project.write('bin/npm', `#!/bin/sh\n${answer}\n`)
  chmodSync(join(project.root, 'bin/npm'), 0o755)
  const PATH = `${join(project.root, 'bin')}${delimiter}${process.env.PATH}`
  return project.run(['tools/complete-lock.ts'], { ...process.env, PATH })
}

function locked() {
  return JSON.parse(readFileSync(join(project.root, 'package-lock.json'), 'utf8')).packages
}

function platformIn({ os, cpu, libc, dev, version }: Record<string, unknown>) {
  return { os, cpu, libc, dev, version }
}
