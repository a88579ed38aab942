import { setTimeout as sleep } from 'node:timers/promises'
import type { Inbound } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import type { Place } from '../databases.ts'
import { type ChildBot, lineBy, pressBy, startChildBot } from './child-bot.ts'
import {
  type CaseResult,
  type CrashEnvironment,
  deliverAgain,
  idOf,
  openCrashEnvironment,
  pressYes,
  settled,
  verified,
  waitFor,
} from './run-case.ts'

type Talk = {
  words: string
  /** What the law demands after the restart. */
  state: Change['state']
  requests: 0 | 2
  line: string
  /** At which of its steps the process dies, and which time. */
  killAt: 'voted' | 'changed'
  nth?: number
  /** What comes before, and the delivery that it dies of. */
  fatal(bot: ChildBot, changes: [Change, Change]): Promise<Inbound>
  /** What must be in the audit log, once however often it was delivered. */
  entry: string
  isThere(change: Change): boolean
  end: 'applied' | 'cancelled'
}

const decider = 'U0FINANCE'
const question = (change: Change) => lineBy(decider, `approval ask ${change.id} --question 'Which invoice?'`)
const questionsOf = ({ notes }: Change) => (notes?.questions ?? []) as { answer?: object }[]

/** The steps of a request that people talk about before they decide. */
export const talkPoints = {
  question: {
    words: 'question stored',
    state: 'pending',
    requests: 0,
    line: 'refund pay_1001 20',
    killAt: 'voted',
    fatal: async (_, [change]) => question(change),
    entry: 'question',
    isThere: (change) => questionsOf(change).length === 1,
    end: 'applied',
  },
  answer: {
    words: 'answer stored',
    state: 'pending',
    requests: 0,
    line: 'refund pay_1001 20',
    killAt: 'voted',
    nth: 2,
    fatal: async (bot, [change]) => {
      await bot.handle(question(change))
      return lineBy('U0SUPPORT', `approval answer ${change.id} --answer INV-513`)
    },
    entry: 'answer',
    isThere: (change) => questionsOf(change)[0]?.answer !== undefined,
    end: 'applied',
  },
  changed: {
    words: 'change of it stored',
    state: 'pending',
    requests: 0,
    line: 'refund pay_1001 20',
    killAt: 'changed',
    fatal: async (_, [change]) => lineBy('U0SUPPORT', `approval change ${change.id} --amount 15`),
    entry: 'changed',
    isThere: ({ amount, round }) => amount === 15 && round === 1,
    end: 'applied',
  },
  retimed: {
    words: 'change of its time stored',
    state: 'pending',
    requests: 0,
    line: 'refund pay_1001 20 --at "in 5h"',
    killAt: 'changed',
    fatal: async (bot, [change]) => {
      await bot.handle(pressYes(change))
      return lineBy(decider, `approval change ${change.id} --at "in 3h"`)
    },
    entry: 'changed',
    isThere: ({ runAt, votes }) => (runAt?.at ?? Infinity) < Date.now() + 4 * 3_600_000 && votes.length === 0,
    end: 'cancelled',
  },
  several: {
    words: 'first vote of several stored',
    state: 'applied',
    requests: 2,
    line: 'refund pay_1001 20',
    killAt: 'voted',
    fatal: async (bot, changes) => {
      const ids = changes.map(({ id }) => id).join(',')
      const read = await bot.handle(pressBy(decider, 'review', ids))
      const all =
        read?.kind === 'answer' ? read.view.actions?.find(({ verb }) => verb === 'approve_all') : undefined
      return pressBy(decider, 'approve_all', all?.id ?? 'not offered')
    },
    entry: 'approved',
    isThere: ({ votes }) => votes.length === 1,
    end: 'applied',
  },
} as const satisfies Record<string, Talk>
export type TalkPoint = keyof typeof talkPoints

/** One request that is talked about, killed at the point, started again, delivered again and brought to its end. */
export const runTalkCase = async (point: TalkPoint, place: Place): Promise<CaseResult> => {
  const environment = await openCrashEnvironment(place)
  try {
    return await talkAndRecover(talkPoints[point], place, environment)
  } finally {
    await environment.close()
  }
}

const talkAndRecover = async (
  law: Talk,
  place: Place,
  { setup, sandbox, store, children }: CrashEnvironment,
): Promise<CaseResult> => {
  const violations: string[] = []
  const demand = (isTrue: boolean, words: string) => {
    if (!isTrue) violations.push(words)
  }
  const requests = () => sandbox.wire.filter(({ method }) => method !== 'GET').length
  const first = await startChildBot({ ...setup(law.killAt), nth: law.nth ?? 1 }, place)
  children.push(first)
  const asked = await askTwo(first, law.line)
  for (const change of asked) await settled(store, change)
  const fatal = await law.fatal(first, asked)
  first.handle(fatal)
  const died = await Promise.race([first.gone.then(() => true), sleep(20_000, false)])
  if (!died) return { outcome: 'lived', violations: ['the point was never reached'], orphans: 0 }

  const second = await startChildBot(setup(null), place)
  children.push(second)
  await deliverAgain(second, [fatal])
  const about = law.requests === 2 ? asked : asked.slice(0, 1)
  for (const { id } of about) {
    const restarted = await waitFor(store, id, ({ state }) => state === law.state)
    demand(restarted.state === law.state, `is ${restarted.state} and should be ${law.state}`)
    demand(law.isThere(restarted), `what was stored is not there: ${JSON.stringify(restarted)}`)
    const entries = await store.audit.find({ changeId: id, limit: 100 })
    const kinds = entries.map(({ kind }) => kind)
    demand(kinds.filter((kind) => kind === law.entry).length === 1, `in the audit: ${kinds.join(', ')}`)
  }
  demand(requests() === law.requests, `${requests()} requests on the wire and should be ${law.requests}`)

  const [{ id }] = asked
  const waiting = (await store.changes.get(id)) as Change
  if (law.end === 'cancelled') await second.handle(pressBy('U0SUPPORT', 'cancel', idOf(waiting)))
  else if (waiting.state === 'pending') await second.handle(pressYes(waiting))
  const ended = await waitFor(store, id, ({ state }) => state === law.end)
  demand(ended.state === law.end, `ended ${ended.state} and should be ${law.end}`)
  const wanted = law.end === 'cancelled' ? 0 : Math.max(law.requests, 1)
  demand(requests() === wanted, `${requests()} requests in the end and should be ${wanted}`)
  await settled(store, ended)
  const copies = await store.cards.of(id)
  demand(
    copies.every(({ version }) => version === ended.version),
    'a card shows an older state than the end',
  )
  const verdict = await verified(store)
  demand(verdict.ok, `the audit chain is broken: ${verdict.ok || verdict.sentence}`)
  return { outcome: law.state, violations, orphans: 0 }
}

const askTwo = async (bot: ChildBot, line: string): Promise<[Change, Change]> => {
  const changes: Change[] = []
  for (const one of [line, line.replace('pay_1001', 'pay_1003')]) {
    const reply = await bot.handle(lineBy('U0SUPPORT', one))
    if (reply?.kind !== 'change') throw new Error(`was refused: ${JSON.stringify(reply)}`)
    changes.push(reply.change)
  }
  return changes as [Change, Change]
}
