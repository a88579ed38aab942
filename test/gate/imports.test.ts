import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

const forbidden = [
  ['src/app.ts', 'adapters/slack/thing.ts'],
  ['src/pipeline/stage.ts', 'commands/refund.ts'],
  ['src/main.ts', '@slack/bolt'],
  ['src/cli/say.ts', 'discord.js'],
  ['src/view/render.ts', 'discord-api-types/v10'],
  ['commands/refund.ts', '@slack/types'],
  ['commands/refund.ts', 'adapters/discord/thing.ts'],
  ['adapters/slack/thing.ts', 'adapters/discord/thing.ts'],
  ['adapters/discord/thing.ts', 'adapters/slack/thing.ts'],
  ['adapters/console/page.ts', 'adapters/slack/thing.ts'],
  ['adapters/console/page.ts', '@discordjs/rest'],
  ['adapters/discord/thing.ts', '@slack/web-api'],
  ['adapters/slack/thing.ts', 'commands/refund.ts'],
  ['adapters/slack/thing.ts', 'src/pipeline/stage.ts'],
  ['adapters/slack/thing.ts', 'src/storage/rows.ts'],
  ['adapters/console/page.ts', 'src/app.ts'],
  ['adapters/discord/thing.ts', 'src/approvals/law.ts'],
  ['src/policy/evaluate.ts', 'src/storage/rows.ts'],
  ['src/approvals/law.ts', 'src/services/client/client.ts'],
  ['src/command/define.ts', 'src/http/server.ts'],
  ['src/view/render.ts', 'src/services/client/client.ts'],
  ['src/app.ts', 'test/tool.ts'],
  ['src/app.ts', 'sandbox/sandbox.ts'],
  ['commands/refund.ts', 'sandbox/sandbox.ts'],
  ['src/sandbox/route.ts', 'src/storage/rows.ts'],
  ['src/app.ts', 'packs/email/index.ts'],
  ['packs/chat/links.ts', 'packs/email/index.ts'],
  ['src/runtime.ts', 'sandbox/sandbox.ts'],
  ['src/jobs/runner.ts', 'src/pipeline/stage.ts'],
  ['src/storage/rows.ts', 'src/audit/chain.ts'],
  ['src/pipeline/stage.ts', 'src/app.ts'],
  ['src/newcomer/first.ts', 'src/view/render.ts'],
] as const

const allowed = [
  ['src/main.ts', 'adapters/slack/thing.ts'],
  ['src/main.ts', 'commands/refund.ts'],
  ['src/cli/say.ts', 'commands/refund.ts'],
  ['adapters/slack/thing.ts', '@slack/bolt'],
  ['adapters/discord/thing.ts', 'discord.js'],
  ['adapters/discord/thing.ts', 'src/messenger/bot.ts'],
  ['adapters/slack/thing.ts', 'src/http/server.ts'],
  ['adapters/console/page.ts', 'src/view/render.ts'],
  ['commands/refund.ts', 'src/command/define.ts'],
  ['src/app.ts', 'src/storage/rows.ts'],
  ['test/tool.ts', '@slack/bolt'],
  ['src/pipeline/stage.ts', 'src/jobs/runner.ts'],
  ['src/storage/rows.ts', 'src/storage/database/open.ts'],
  ['src/sandbox/route.ts', 'src/services/row.ts'],
  ['packs/email/index.ts', 'commands/refund.ts'],
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
    type: "import type { Thing } from '../../adapters/slack/thing.ts'\n\nexport type App = Thing\n",
    'in-passing': "export type App = import('../../adapters/slack/thing.ts').Thing\n",
    're-export': "export * from '../../adapters/slack/thing.ts'\n",
    late: "export const app = () => import('../../adapters/slack/thing.ts')\n",
    around: "import '../../src/./../adapters/slack/thing.ts'\n",
  }
  project.write('adapters/slack/thing.ts', 'export type Thing = 1\n')
  for (const [way, text] of Object.entries(ways)) project.write(`src/pipeline/${way}.ts`, text)
  const lines = linesOf(project.check('imports').out)
  for (const way of Object.keys(ways))
    expect(lines).toContain(`src/pipeline/${way}.ts -> adapters/slack/thing.ts`)
})

test('a pure part may name the types of an impure one, and nothing else of it', () => {
  project.write('src/services/client/client.ts', 'export type Client = 1\nexport const client = 1\n')
  const clientFrom = "'../services/client/client.ts'"
  const fault = 'src/command/define.ts -> src/services/client/client.ts'

  project.write(
    'src/command/define.ts',
    `import type { Client } from ${clientFrom}\n\nexport type Define = Client\n`,
  )
  expect(linesOf(project.check('imports').out)).not.toContain(fault)

  project.write(
    'src/command/define.ts',
    `import type { Client } from ${clientFrom}\nexport { client } from ${clientFrom}\nexport type Define = Client\n`,
  )
  expect(linesOf(project.check('imports').out)).toContain(fault)
})

test('a type counts when a lower folder takes it from a higher one, and the line says where the order is', () => {
  const alone = createProject()
  alone.write('src/pipeline/stage.ts', 'export type Stage = 1\n')
  alone.write(
    'src/storage/rows.ts',
    "import type { Stage } from '../pipeline/stage.ts'\n\nexport type Row = Stage\n",
  )
  const { code, out } = alone.check('imports')
  alone.remove()
  expect(code).toBe(1)
  expect(out).toContain(
    'src/storage/rows.ts -> src/pipeline/stage.ts: src/storage/ stands below src/pipeline/ (src/cli/gate/layers.ts)',
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
