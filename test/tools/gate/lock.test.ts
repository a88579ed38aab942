import { afterEach, beforeEach, expect, test } from 'vitest'
import { supplyFaults } from '../../../tools/gate/lock.ts'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeEach(() => {
  project = createProject()
})
afterEach(() => project.remove())

test('every fault of the lock file is named, in one run', () => {
  for (const path of ['package.json', 'package-lock.json']) {
    project.edit(path, (json) => {
      const manifest = json.packages?.[''] ?? json
      manifest.dependencies.zod = '^4.0.0'
    })
  }
  project.edit('package-lock.json', ({ packages }) => {
    packages['node_modules/zod'].resolved = 'https://registry.example/zod.tgz'
    delete packages['node_modules/knip'].integrity
    delete packages['node_modules/@biomejs/cli-darwin-arm64']
  })
  const { code, out } = project.check('lock')
  expect(code).toBe(1)
  expect(out).toContain('FAILED  lock')
  for (const fault of [
    'package.json asks for zod ^4.0.0',
    'node_modules/zod names a download address',
    'node_modules/knip has no integrity',
    'node_modules/@biomejs/biome can need @biomejs/cli-darwin-arm64, which is not locked',
  ]) {
    expect(out).toContain(fault)
  }
})

test('what runs has a licence that somebody looked at, and nobody has given it up', () => {
  expect(supplyFaults('node_modules/a', { license: 'Apache-2.0 AND LGPL-3.0-or-later' })).toEqual([])
  expect(supplyFaults('node_modules/a', { license: 'GPL-3.0' })).toEqual([expect.stringContaining('GPL-3.0')])
  expect(supplyFaults('node_modules/a', {})).toEqual([expect.stringContaining('licence none')])
  expect(supplyFaults('node_modules/a', { license: 'MIT', deprecated: 'use b' })).toEqual([
    'node_modules/a is deprecated: use b',
  ])
  expect(supplyFaults('node_modules/a', { dev: true, license: 'GPL-3.0' })).toEqual([])
})
