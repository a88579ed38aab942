import { beforeAll, beforeEach } from 'vitest'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import type { Refusal } from '../../src/lib/view/refusals.ts'
import type { Block, View } from '../../src/lib/view/view.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { fromOf, openTestApp, type TestApp } from '../harness/app.ts'

const policy = `version: 1
people:
  - { id: ann, name: Ann, roles: [all] }
roles:
  all: { run: ["*"] }
`

type DropFirst<F> = F extends (first: never, ...rest: infer R) => unknown ? R : never

/** One person who may run everything, before a sandbox that is fresh for every test. */
export const useBot = () => {
  let test: TestApp
  beforeAll(async () => {
    test = await openTestApp({ policy, tasks: false })
  })
  beforeEach(() => test.sandbox.reset())
  const say = (line: string) => test.say(line, 'ann')
  const press = (verb: 'next' | 'previous' | 'confirm', id: string) => test.press(verb, id, 'ann')

  const bot = {
    say,
    suggest: (...[param, typed, within]: DropFirst<TestApp['app']['bot']['suggest']>) =>
      test.app.bot.suggest(fromOf('ann'), param, typed, within),
    get sandbox() {
      return test.sandbox
    },
    /** What a query shows, with what stands behind it. */
    async look(line: string): Promise<View> {
      const reply = await say(line)
      if (reply.kind !== 'answer') throw unexpected(line, reply)
      const { details = [], ...view } = reply.view
      return { ...view, blocks: [...view.blocks, ...details] }
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
      test.sandbox.wire.filter((entry) => entry.row === row).map((entry) => entry.body),
  }
  return bot
}

export const factsIn = (view: View | null | undefined): Record<string, string> =>
  Object.fromEntries(
    blocksOf(view, 'facts').flatMap(({ facts }) =>
      facts.map(({ label, value }) => [label, plainWords(value)]),
    ),
  )

export const diffIn = (view: View | null | undefined): Record<string, [string | null, string | null]> =>
  Object.fromEntries(
    blocksOf(view, 'diff').flatMap(({ changes }) =>
      changes.map(({ label, before, after }) => [
        label,
        [before === null ? null : plainWords(before), after === null ? null : plainWords(after)],
      ]),
    ),
  )

export const blocksOf = <K extends Block['kind']>(
  view: View | null | undefined,
  kind: K,
): Extract<Block, { kind: K }>[] =>
  (view?.blocks ?? []).filter((block): block is Extract<Block, { kind: K }> => block.kind === kind)

export const notesIn = (view: View | null | undefined): string =>
  blocksOf(view, 'note')
    .map(({ text }) => plainWords(text))
    .join('\n')

export const unexpected = (line: string, reply: Reply) =>
  new Error(`${line}: ${reply.kind} ${JSON.stringify('refusal' in reply ? reply.refusal : reply)}`)
