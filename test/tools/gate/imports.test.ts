import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

const forbidden = [
  ['src/cli/start/app.ts', 'adapters/slack/thing.ts'],
  ['src/kernel/request/stage.ts', 'commands/refund.ts'],
  ['src/main.ts', '@slack/bolt'],
  ['src/cli/say.ts', 'discord.js'],
  ['src/lib/view/render.ts', 'discord-api-types/v10'],
  ['commands/refund.ts', '@slack/types'],
  ['commands/refund.ts', 'adapters/discord/thing.ts'],
  ['adapters/slack/thing.ts', 'adapters/discord/thing.ts'],
  ['adapters/discord/thing.ts', 'adapters/slack/thing.ts'],
  ['adapters/console/page.ts', 'adapters/slack/thing.ts'],
  ['adapters/console/page.ts', '@discordjs/rest'],
  ['adapters/discord/thing.ts', '@slack/web-api'],
  ['adapters/slack/thing.ts', 'commands/refund.ts'],
  ['adapters/slack/thing.ts', 'src/kernel/request/stage.ts'],
  ['adapters/slack/thing.ts', 'src/kernel/store/rows.ts'],
  ['adapters/console/page.ts', 'src/cli/start/app.ts'],
  ['adapters/discord/thing.ts', 'src/kernel/law/law.ts'],
  ['src/kernel/policy/evaluate.ts', 'src/kernel/store/rows.ts'],
  ['src/kernel/law/law.ts', 'src/lib/services/client/client.ts'],
  ['src/kernel/command/define.ts', 'src/lib/http/server.ts'],
  ['src/lib/view/render.ts', 'src/lib/services/client/client.ts'],
  ['src/cli/start/app.ts', 'test/tool.ts'],
  ['src/cli/start/app.ts', 'sandbox/sandbox.ts'],
  ['commands/refund.ts', 'sandbox/sandbox.ts'],
  ['src/lib/sandbox/route.ts', 'src/kernel/store/rows.ts'],
  ['src/cli/start/app.ts', 'packs/email/index.ts'],
  ['packs/chat/links.ts', 'packs/email/index.ts'],
  ['packs/email/index.ts', 'commands/refund.ts'],
  ['packs/email/index.ts', 'adapters/slack/thing.ts'],
  ['src/cli/start/runtime.ts', 'sandbox/sandbox.ts'],
  ['src/lib/sql/open.ts', 'src/kernel/store/rows.ts'],
  ['src/kernel/request/stage.ts', 'src/features/parcels/index.ts'],
  ['src/features/parcels/index.ts', 'src/cli/start/app.ts'],
  ['src/kernel/request/stage.ts', 'src/cli/start/app.ts'],
  ['packs/email/index.ts', 'commands/refund.ts'],
  ['src/newcomer/first.ts', 'src/lib/view/render.ts'],
  ['src/cli/start/app.ts', 'src/features/parcels/index.ts'],
  ['commands/index.ts', 'src/features/parcels/index.ts'],
  ['adapters/slack/thing.ts', 'src/features/parcels/index.ts'],
  ['test/tool.ts', 'src/features/parcels/index.ts'],
  ['test/features/stamps/tool.ts', 'src/features/parcels/index.ts'],
  ['src/features/stamps/index.ts', 'src/features/parcels/index.ts'],
] as const

const allowed = [
  ['src/main.ts', 'adapters/slack/thing.ts'],
  ['src/main.ts', 'commands/refund.ts'],
  ['src/cli/say.ts', 'commands/refund.ts'],
  ['adapters/slack/thing.ts', '@slack/bolt'],
  ['adapters/discord/thing.ts', 'discord.js'],
  ['adapters/discord/thing.ts', 'src/kernel/messenger/bot.ts'],
  ['adapters/slack/thing.ts', 'src/lib/http/server.ts'],
  ['adapters/console/page.ts', 'src/lib/view/render.ts'],
  ['commands/refund.ts', 'src/kernel/command/define.ts'],
  ['src/cli/start/app.ts', 'src/kernel/store/rows.ts'],
  ['test/tool.ts', '@slack/bolt'],
  ['src/kernel/jobs/runner.ts', 'src/kernel/request/stage.ts'],
  ['src/features/parcels/index.ts', 'src/kernel/request/stage.ts'],
  ['src/kernel/store/rows.ts', 'src/lib/sql/open.ts'],
  ['src/lib/sandbox/route.ts', 'src/lib/services/row.ts'],
  ['commands/refund.ts', 'packs/email/index.ts'],
  ['src/features/index.ts', 'src/features/parcels/index.ts'],
  ['commands/parcel/find.ts', 'src/features/parcels/index.ts'],
  ['test/features/parcels/tool.ts', 'src/features/parcels/index.ts'],
] as const

let project: Project
beforeAll(() => {
  project = createProject()
})
afterAll(() => project.remove())

test('every import in a forbidden direction is named, and no other', () => {
  plant([...forbidden, ...allowed], (to) => `import '${to}'\n`)
  const lines = linesOf(project.check('imports').out)
  for (const [from, to] of forbidden) expect(lines, `${from} -> ${to}`).toContain(`${from} -> ${to}`)
  for (const [from, to] of allowed) expect(lines, `${from} -> ${to}`).not.toContain(`${from} -> ${to}`)
})

test('an import counts however it is written', () => {
  const ways = {
    type: "import type { Thing } from '../../../adapters/slack/thing.ts'\n\nexport type App = Thing\n",
    'in-passing': "export type App = import('../../../adapters/slack/thing.ts').Thing\n",
    're-export': "export * from '../../../adapters/slack/thing.ts'\n",
    late: "export const app = () => import('../../../adapters/slack/thing.ts')\n",
    around: "import '../../../src/./../adapters/slack/thing.ts'\n",
  }
  project.write('adapters/slack/thing.ts', 'export type Thing = 1\n')
  for (const [way, text] of Object.entries(ways)) project.write(`src/kernel/request/${way}.ts`, text)
  const lines = linesOf(project.check('imports').out)
  for (const way of Object.keys(ways))
    expect(lines).toContain(`src/kernel/request/${way}.ts -> adapters/slack/thing.ts`)
})

test('a pure part may name the types of an impure one, and nothing else of it', () => {
  project.write('src/lib/services/client/client.ts', 'export type Client = 1\nexport const client = 1\n')
  const clientFrom = "'../../lib/services/client/client.ts'"
  const fault = 'src/kernel/command/define.ts -> src/lib/services/client/client.ts'

  project.write(
    'src/kernel/command/define.ts',
    `import type { Client } from ${clientFrom}\n\nexport type Define = Client\n`,
  )
  expect(linesOf(project.check('imports').out)).not.toContain(fault)

  project.write(
    'src/kernel/command/define.ts',
    `import type { Client } from ${clientFrom}\nexport { client } from ${clientFrom}\nexport type Define = Client\n`,
  )
  expect(linesOf(project.check('imports').out)).toContain(fault)
})

test('a type counts when a lower floor takes it from a higher one, and the line says where the floors are', () => {
  const alone = createProject()
  alone.write('src/kernel/request/stage.ts', 'export type Stage = 1\n')
  alone.write(
    'src/lib/sql/rows.ts',
    "import type { Stage } from '../../kernel/request/stage.ts'\n\nexport type Row = Stage\n",
  )
  const { code, out } = alone.check('imports')
  alone.remove()
  expect(code).toBe(1)
  expect(out).toContain(
    'src/lib/sql/rows.ts -> src/kernel/request/stage.ts: src/lib stands below src/kernel (tools/gate/floors.ts)',
  )
})

test('a feature imports another that it names in its needs', () => {
  const stamps = (needs: string) =>
    `import { labels } from '../labels/index.ts'\n\nexport const stamps = { needs: [${needs}], labels }\n`
  project.write('src/features/labels/index.ts', 'export const labels = 1\n')
  project.write('src/features/letters/index.ts', stamps('labels'))
  project.write('src/features/notes/index.ts', stamps('letters'))
  const { out } = project.check('imports')
  expect(out).not.toContain('src/features/letters/index.ts -> src/features/labels/index.ts')
  expect(out).toContain(
    'src/features/notes/index.ts -> src/features/labels/index.ts: the feature notes does not name the feature labels in its needs',
  )
})

test('a cycle is told with its whole way round', () => {
  const alone = createProject()
  alone.write('src/one.ts', "import './two.ts'\n\nexport type One = 1\n")
  alone.write('src/two.ts', "import './three.ts'\n")
  alone.write('src/three.ts', "import type { One } from './one.ts'\n\nexport type Three = One\n")
  const { code, out } = alone.check('imports')
  alone.remove()
  expect(code).toBe(1)
  expect(out).toMatch(/a cycle: (src\/(one|two|three)\.ts( -> )?){4}/)
})

test('a check that sees no imports fails instead of passing', () => {
  const alone = createProject()
  alone.edit('tsconfig.json', (json) => {
    json.include = ['nowhere']
  })
  const { code, out } = alone.check('imports')
  alone.remove()
  expect(code).toBe(1)
  expect(out).toContain('gone blind')
})

function plant(pairs: (readonly [string, string])[], toImport: (to: string) => string): void {
  const files = Map.groupBy(pairs, ([from]) => from)
  for (const [, to] of pairs) if (isFile(to) && !files.has(to)) project.write(to, 'export {}\n')
  for (const [from, imports] of files) {
    const up = '../'.repeat(from.split('/').length - 1)
    project.write(from, imports.map(([, to]) => toImport(isFile(to) ? up + to : to)).join(''))
  }
}

function isFile(to: string): boolean {
  return to.endsWith('.ts')
}

function linesOf(out: string): string[] {
  return out.split('\n').map((line) => line.trim().replace(/:.*/, ''))
}
