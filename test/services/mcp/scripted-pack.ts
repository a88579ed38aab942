import { z } from 'zod'
import { definePack } from '../../../src/cli/packs/define.ts'
import { answer } from '../../../src/kernel/command/answer.ts'
import { defineQuery } from '../../../src/kernel/command/define.ts'
import { openView } from '../../../src/kernel/command/open-view.ts'
import { defineServiceChange } from '../../../src/kernel/command/service-change.ts'
import { ok } from '../../../src/lib/result.ts'
import { answersAsRecorded } from '../../../src/lib/sandbox/endpoint/answers-with.ts'
import { defineSandbox } from '../../../src/lib/sandbox/service-sandbox.ts'
import { defineRow, defineService } from '../../../src/lib/services/endpoints/row.ts'
import { scriptedTools } from './scripted.ts'

const body = z.object({ how: z.string() })
const row = { method: 'POST', noun: 'scripted', shown: true, body, answer: z.unknown() } as const

const service = defineService({
  name: 'scripted',
  title: 'Scripted',
  auth: 'bearer',
  mcp: { tools: scriptedTools, tokenAs: 'SCRIPTED_KEY' },
  environment: { baseUrl: 'SCRIPTED_MCP_URL', keys: { token: 'SCRIPTED_TOKEN' } },
  rows: {
    look: defineRow({ ...row, path: '/look', effect: 'read', summary: 'Look' }),
    act: defineRow({ ...row, path: '/act', effect: 'once', summary: 'Act' }),
    actStrictly: defineRow({
      ...row,
      path: '/act',
      effect: 'once',
      summary: 'Do something',
      errorMeansNotDone: true,
    }),
  },
})

declare module '../../../src/lib/services/endpoints/row.ts' {
  interface Tables {
    scripted: typeof service
  }
}

const input = z.object({ how: z.string().describe('How') })
const result = { content: [{ type: 'text', text: 'made up' }] }

/** The pack of the scripted server. */
export const scripted = definePack({
  ...service,
  surface: 1,
  commands: [
    defineQuery({
      name: 'scripted look',
      summary: 'Look at something',
      area: 'scripted',
      input,
      positional: ['how'],
      examples: ['scripted look well'],
      uses: ['scripted.look'],
      run: async ({ how }, { read }) =>
        answer(openView('Look', (await read('scripted.look', { body: { how } })).data)),
    }),
    defineServiceChange({
      name: 'scripted act',
      summary: 'Do something',
      area: 'scripted',
      input,
      positional: ['how'],
      examples: ['scripted act well'],
      uses: ['scripted.act'],
      plan: input,
      prepare: async (plan) => ok(plan),
      preview: () => ({ title: 'Act', tone: 'plain', blocks: [] }),
      row: 'scripted.act',
      request: ({ how }) => ({ body: { how } }),
      done: (_, { data }) => ({ message: 'Done.', view: openView('Act', data) }),
    }),
  ],
  sandbox: async () =>
    defineSandbox<Record<string, never>, typeof service.rows>({
      seed: () => ({}),
      handlers: {
        look: answersAsRecorded(result),
        act: answersAsRecorded(result),
        actStrictly: answersAsRecorded(result),
      },
    }),
})
