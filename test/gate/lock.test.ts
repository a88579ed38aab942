import { afterEach, beforeEach, expect, test } from 'vitest'
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
