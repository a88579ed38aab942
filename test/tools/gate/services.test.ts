import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeAll(() => {
  project = createProject()
  project.write(
    'packs/parcels/endpoints.ts',
    "export const row = { noun: 'parcel', baseUrl: 'PARCELS_BASE_URL' }\n",
  )
  project.write('packs/parcels/kinds.ts', 'export const kinds = {\n  depot: {},\n}\n')
})
afterAll(() => project.remove())

test('a service, a noun of one, a kind and an environment name are found in src/, and nowhere else', () => {
  project.write('src/kernel/policy/rule.ts', "export const area = 'parcels'\n")
  project.write('src/lib/view/words.ts', 'export const parcel = 1\n')
  project.write('src/kernel/model/kind.ts', "\nexport const kind = 'depot'\n")
  project.write('src/cli/start/config.ts', "export const name = 'PARCELS_BASE_URL'\n")
  project.write('src/cli/tool.ts', "export const line = 'parcel get p1'\n")
  project.write('commands/parcel/get.ts', 'export const parcel = 1\n')
  const { code, out } = project.check('services')
  expect(code).toBe(1)
  expect(out).toContain('src/kernel/policy/rule.ts:1 names parcels')
  expect(out).toContain('src/lib/view/words.ts:1 names parcel')
  expect(out).toContain('src/kernel/model/kind.ts:2 names depot')
  expect(out).toContain('src/cli/start/config.ts:1 names PARCELS_BASE_URL')
  expect(out).not.toMatch(/src\/cli\/(?!start\/)/)
  expect(out).not.toContain('commands/')
})
