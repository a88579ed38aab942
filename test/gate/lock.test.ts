import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeEach(() => {
  project = createProject()
})
afterEach(() => project.remove())

test('a version range in package.json is refused', () => {
  for (const path of ['package.json', 'package-lock.json']) {
    project.edit(path, (json) => {
      const manifest = json.packages?.[''] ?? json
      manifest.dependencies.zod = '^4.0.0'
    })
  }
  expectFault('package.json asks for zod ^4.0.0')
})

test('a lock file with a download address is refused', () => {
  project.edit('package-lock.json', ({ packages }) => {
    packages['node_modules/zod'].resolved = 'https://registry.example/zod.tgz'
  })
  expectFault('node_modules/zod names a download address')
})

test('a package without a digest is refused', () => {
  project.edit('package-lock.json', ({ packages }) => {
    delete packages['node_modules/zod'].integrity
  })
  expectFault('node_modules/zod has no integrity')
})

test("a lock file without another platform's binary is refused", () => {
  project.edit('package-lock.json', ({ packages }) => {
    delete packages['node_modules/@biomejs/cli-darwin-arm64']
  })
  expectFault('node_modules/@biomejs/biome can need @biomejs/cli-darwin-arm64, which is not locked')
})

function expectFault(fault: string): void {
  const { code, out } = project.check('lock')
  expect(code).toBe(1)
  expect(out).toContain('FAILED  lock')
  expect(out).toContain(fault)
}
