import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createCommands } from '../../commands/index.ts'
import { type App, createApp } from '../../src/app.ts'
import type { Change } from '../../src/approvals/change.ts'
import type { Intent, Reply } from '../../src/pipeline/inbound.ts'
import { loadPolicy } from '../../src/policy/load.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { createServices, type Services } from '../../src/services/client.ts'
import { createStore } from '../../src/storage/store.ts'
import type { Refusal } from '../../src/view/refusals.ts'
import type { Block, View } from '../../src/view/view.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'

const policy = `version: 1
people:
  - { id: ann, name: Ann, roles: [all] }
roles:
  all: { run: ["*"] }
`

/** The whole bot with a database and the sandbox, and one person who may run everything; the sandbox is fresh for every test. */
export const useBot = () => {
  let app: App
  let sandbox: Sandbox
  let services: Services
  let database: TestDatabase

  beforeAll(async () => {
    sandbox = await startSandbox()
    database = await openTestDatabase('sqlite')
    services = createServices(sandbox, { log: quiet })
    const registry = createCommands()
    const loaded = loadPolicy(policy, { file: 'bellhop.yml', commands: areasOf(registry.all) })
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
    const store = createStore(database.db, { now: Date.now })
    app = createApp({ registry, policy: loaded.policy, services, store, log: quiet, tasks: false })
    await app.start()
  })
  beforeEach(() => sandbox.reset())
  afterAll(async () => {
    await app.stop()
    await services.close()
    await database.close()
    await sandbox.close()
  })

  const handle = (intent: Intent): Promise<Reply> =>
    app.handle({
      delivery: randomUUID(),
      from: { platform: 'terminal', account: 'ann', name: 'Ann', groups: [] },
      place: { channel: null, handle: null, direct: true },
      forms: false,
      intent,
    })
  const say = (line: string) => handle({ kind: 'line', line })
  const press = (verb: 'next' | 'previous' | 'confirm', id: string) => handle({ kind: 'press', verb, id })

  const bot = {
    get sandbox() {
      return sandbox
    },
    /** What a query shows. */
    async look(line: string): Promise<View> {
      const reply = await say(line)
      if (reply.kind !== 'answer') throw unexpected(line, reply)
      return reply.view
    },
    async turn(view: View, verb: 'next' | 'previous'): Promise<View> {
      const action = view.actions?.find((one) => one.verb === verb)
      if (action === undefined) throw new Error(`there is no ${verb} button`)
      const reply = await press(verb, action.id)
      if (reply.kind !== 'answer') throw unexpected(verb, reply)
      return reply.view
    },
    async refused(line: string): Promise<Refusal> {
      const reply = await say(line)
      if (reply.kind !== 'refused') throw unexpected(line, reply)
      return reply.refusal
    },
    /** A change that waits to be confirmed. */
    async ask(line: string): Promise<Change> {
      const reply = await say(line)
      if (reply.kind !== 'change' || reply.change.state !== 'pending') throw unexpected(line, reply)
      return reply.change
    },
    async confirm({ id }: Change): Promise<Change> {
      const reply = await press('confirm', id)
      if (reply.kind !== 'change') throw unexpected('confirm', reply)
      return reply.change
    },
    async run(line: string): Promise<Change> {
      return bot.confirm(await bot.ask(line))
    },
    /** The bodies that reached an endpoint, in the order of arrival. */
    sent: (row: string): unknown[] =>
      sandbox.wire.filter((entry) => entry.row === row).map((entry) => entry.body),
  }
  return bot
}

export const factsIn = (view: View | null | undefined): Record<string, string> =>
  Object.fromEntries(
    blocksOf(view, 'facts').flatMap(({ facts }) => facts.map(({ label, value }) => [label, value])),
  )

export const diffIn = (view: View | null | undefined): Record<string, [string | null, string | null]> =>
  Object.fromEntries(
    blocksOf(view, 'diff').flatMap(({ changes }) =>
      changes.map(({ label, before, after }) => [label, [before, after]]),
    ),
  )

export const blocksOf = <K extends Block['kind']>(
  view: View | null | undefined,
  kind: K,
): Extract<Block, { kind: K }>[] =>
  (view?.blocks ?? []).filter((block): block is Extract<Block, { kind: K }> => block.kind === kind)

export const notesIn = (view: View | null | undefined): string =>
  blocksOf(view, 'note')
    .map(({ text }) => text)
    .join('\n')

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

const areasOf = (commands: ReturnType<typeof createCommands>['all']) =>
  commands.map((command) => ({ name: command.name, area: 'area' in command ? command.area : 'bellhop' })) as {
    name: string
    area: 'email'
  }[]

const unexpected = (line: string, reply: Reply) =>
  new Error(`${line}: ${reply.kind} ${JSON.stringify('refusal' in reply ? reply.refusal : reply)}`)
