import { beforeEach } from 'vitest'
import type { Change } from '../../src/kernel/model/change.ts'
import type { Refusal } from '../../src/lib/view/refusals.ts'
import type { View } from '../../src/lib/view/view.ts'
import { openTestApp, type TestAppOptions } from '../harness/app.ts'
import { unexpected } from './bot.ts'

export const teamPolicy = `version: 1
people:
  - { id: fay, name: Fay, roles: [finance] }
  - { id: finn, name: Finn, roles: [finance] }
  - { id: sam, name: Sam, roles: [support] }
roles:
  finance: { run: ["*"], approve: ["*"] }
  support: { run: ["api call", "addon *", downgrade] }
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: large refund, commands: [refund], require: { approvals: 1, from: [finance] } }
  - { name: small plan change, commands: [upgrade], amount: { upTo: 50 }, require: confirm }
  - { name: plan change, commands: [upgrade], require: { approvals: 1, from: [finance] } }
`

/** The whole bot and the sandbox, fresh for every test, with two people for whatever needs more than one. */
export const openTeamBot = async (options: Pick<TestAppOptions, 'front' | 'settings' | 'timings'> = {}) => {
  const app = await openTestApp({ policy: teamPolicy, tasks: false, ...options })
  const { sandbox } = app
  beforeEach(() => sandbox.reset())

  const bot = {
    ...app,
    /** What a query shows. */
    async look(line: string): Promise<View> {
      const reply = await app.say(line, 'fay')
      if (reply.kind !== 'answer') throw unexpected(line, reply)
      const { details = [], ...view } = reply.view
      return { ...view, blocks: [...view.blocks, ...details] }
    },
    async refused(line: string, person = 'fay'): Promise<Refusal> {
      const reply = await app.say(line, person)
      if (reply.kind !== 'refused') throw unexpected(line, reply)
      return reply.refusal
    },
    /** A change that waits for somebody. */
    async ask(line: string): Promise<Change> {
      const reply = await app.say(line, 'fay')
      if (reply.kind !== 'change' || reply.change.state !== 'pending') throw unexpected(line, reply)
      return reply.change
    },
    async settle({ id, clauses }: Change): Promise<Change> {
      const reply =
        clauses[0]?.kind === 'confirm'
          ? await app.press('confirm', id, 'fay')
          : await app.press('approve', id, 'finn')
      if (reply.kind !== 'change') throw unexpected(id, reply)
      return reply.change
    },
    async run(line: string): Promise<Change> {
      return bot.settle(await bot.ask(line))
    },
    /** The bodies that reached an endpoint, in the order of arrival. */
    sent: (row: string): unknown[] =>
      sandbox.wire.filter((entry) => entry.row === row).map((entry) => entry.body),
    /** Methods and paths in the order of arrival. */
    asked: (): string[] => sandbox.wire.map(({ method, path }) => `${method} ${path}`),
  }
  return bot
}
