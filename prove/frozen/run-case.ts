import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { defaultTimings } from '../../src/kernel/timings.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { StopPoint } from '../crash/child.ts'
import { type ChildBot, lineBy, pressBy, startChildBot } from '../crash/child-bot.ts'
import {
  type CrashEnvironment,
  idOf,
  openCrashEnvironment,
  pressYes,
  settled,
  waitFor,
} from '../crash/run-case.ts'
import type { Place } from '../databases.ts'

/** How long it stands still, and what people do meanwhile. */
export type Standstill = 'short' | 'long' | 'long, settled' | 'long, asked again'

/** A refund that is claimed when its process stops is given up by the others; at these points nothing has left yet. */
const isClaimed: ReadonlySet<StopPoint> = new Set(['claimed', 'renewed', 'answered'])
export const standstillsOf = (point: StopPoint): Standstill[] =>
  isClaimed.has(point) ? ['short', 'long', 'long, settled', 'long, asked again'] : ['short', 'long']

type Settings = { point: StopPoint; standstill: Standstill; isUnfenced?: boolean }

const payment = 'pay_frozen'
const line = `refund ${payment} 20`

/** One refund by a process that stands still at a point, beside another one that goes on; then it wakes. Returns what was violated. */
export const runFrozenCase = async (settings: Settings, place: Place): Promise<string[]> => {
  const environment = await openCrashEnvironment(place)
  try {
    return await freezeAndWake(settings, place, environment)
  } finally {
    for (const { process } of environment.children) process.kill('SIGCONT')
    await environment.close()
  }
}

const freezeAndWake = async (
  { point, standstill, isUnfenced = false }: Settings,
  place: Place,
  environment: CrashEnvironment,
): Promise<string[]> => {
  const { sandbox, store, chatServer, children } = environment
  const { transactions } = sandbox.state.billing
  const [some] = transactions
  if (some === undefined) throw new Error('the sandbox has no payments')
  transactions.push({ ...some, id: payment, amount: 10_000, refunded_amount: 0, status: 'paid' })
  const violations: string[] = []
  const demand = (isTrue: boolean, words: string) => {
    if (!isTrue) violations.push(words)
  }
  const requests = () => sandbox.wire.filter(({ row }) => row === 'refundPayment').length
  const setup = environment.setup(null)
  const frozen = await startChildBot({ ...setup, stopAt: point, isUnfenced }, place)
  const other = await startChildBot(setup, place)
  children.push(frozen, other)

  const asking = frozen.handle(lineBy('U0SUPPORT', line))
  if (point === 'asked') await stopped(frozen)
  else await asking
  const [asked] = await store.changes.list({ limit: 1 })
  if (asked === undefined) return ['nothing was asked for']
  const { id } = asked
  const pressing = point === 'asked' ? asking : frozen.handle(pressYes(asked))
  await stopped(frozen)

  const isLong = standstill !== 'short'
  const isGivenUp = isLong && isClaimed.has(point)
  await sleep(isLong ? defaultTimings.lifeMs + 2_000 : 1_000)
  if (isGivenUp) {
    const lost = await waitFor(store, id, ({ state }) => state === 'unknown')
    demand(lost.state === 'unknown', `was not given up: ${lost.state}`)
  }
  const isSettled = standstill === 'long, settled' || standstill === 'long, asked again'
  if (isSettled) {
    await other.handle(pressBy('U0FINANCE', 'did_not', idOf(asked), { reason: 'not in billing' }))
  }
  const again = standstill === 'long, asked again' ? await refundAgain(other) : undefined

  frozen.process.kill('SIGCONT')
  await Promise.race([pressing, sleep(20_000)])
  if (point === 'asked') await other.handle(pressYes(asked))
  const hadLeft = point === 'answered'
  const expected = isGivenUp ? (hadLeft ? 1 : 0) : 1
  const change = await waitFor(store, id, (one) =>
    isGivenUp ? one.late !== undefined : one.state === 'applied',
  )
  await settled(store, change)
  const sent = requests() - (again === undefined ? 0 : 1)
  demand(sent === expected, `${sent} requests of the first refund and should be ${expected}`)
  demand(again === undefined || again.state === 'applied', `asked again, it is ${again?.state}`)
  if (!isGivenUp) {
    demand(change.state === 'applied', `is ${change.state} and should be applied`)
    return violations
  }
  demand(change.late?.learned === (hadLeft ? 'applied' : 'failed'), `learned ${change.late?.learned}`)
  const isContradicted = isSettled && hadLeft
  const state = isSettled && !isContradicted ? 'not_applied' : 'unknown'
  demand(change.state === state, `is ${change.state} and should be ${state}`)
  const words = isContradicted ? 'ALARM' : 'Learned late'
  const silent = () =>
    [...chatServer.cards].flatMap(([address, { views, channel }]) => {
      const last = views.at(-1)
      const isOfThis = JSON.stringify(last ?? {}).includes(id) && channel !== null
      return last && isOfThis && !textOfView(last).includes(words) ? address : []
    })
  const isTold = () =>
    chatServer.directMessages.some(
      ({ view }) => JSON.stringify(view).includes(id) && textOfView(view).includes(words),
    )
  // An older edit of the other process may just have passed; direct messages follow the cards.
  const isDone = () => silent().length === 0 && isTold()
  for (const until = Date.now() + 20_000; !isDone() && Date.now() < until; ) await sleep(50)
  for (const address of silent()) demand(false, `the card ${address} does not say: ${words}`)
  demand(isTold(), `nobody was told: ${words}`)
  return violations
}

/** As the card said: it did not happen, so it is asked for and approved once more. */
const refundAgain = async (bot: ChildBot): Promise<Change> => {
  const asked = changeIn(await bot.handle(lineBy('U0SUPPORT2', line)))
  return changeIn(await bot.handle(pressYes(asked)))
}

const changeIn = (reply: Reply | undefined): Change => {
  if (reply?.kind !== 'change') throw new Error(`no change: ${JSON.stringify(reply)}`)
  return reply.change
}

/** The kernel says so. */
const stopped = async ({ process: { pid } }: ChildBot): Promise<void> => {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(20)) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    if (stat.slice(stat.lastIndexOf(')')).startsWith(') T')) return
  }
  throw new Error('the point was never reached')
}
