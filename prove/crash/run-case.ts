import { setTimeout as sleep } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { features } from '../../src/features/index.ts'
import { useFeatures } from '../../src/kernel/feature.ts'
import { isConfirmOnly, needsApproval } from '../../src/kernel/law/clauses.ts'
import { verify } from '../../src/kernel/log/verify.ts'
import type { Inbound } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { createStore, type Store } from '../../src/kernel/store/store.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import type { Place } from '../databases.ts'
import { provePolicy } from '../policy.ts'
import type { CrashCase } from './cases.ts'
import { type FakeChatServer, startFakeChatServer } from './chat-server.ts'
import type { ChildSetup, childKillPoints } from './child.ts'
import { type ChildBot, lineBy, pressBy, startChildBot } from './child-bot.ts'
import { outsidePacks } from './packs.ts'

export type KillPoint = (typeof childKillPoints)[number] | 'sent'

/** What the law demands of a change whose process died there: its state after the restart, and requests on the wire by then. */
export const killPoints: Record<KillPoint, { words: string; state: Change['state']; requests: 0 | 1 }> = {
  taken: { words: 'command taken in', state: 'pending', requests: 0 },
  asked: { words: 'request stored', state: 'pending', requests: 0 },
  'card posted': { words: 'card posted', state: 'pending', requests: 0 },
  'card shown': { words: 'card shown', state: 'pending', requests: 0 },
  voted: { words: 'vote stored', state: 'applied', requests: 1 },
  claimed: { words: 'claimed', state: 'unknown', requests: 0 },
  sent: { words: 'request sent', state: 'unknown', requests: 1 },
  answered: { words: 'answer received', state: 'unknown', requests: 1 },
  stored: { words: 'outcome stored', state: 'applied', requests: 1 },
  'card updated': { words: 'card updated', state: 'applied', requests: 1 },
}

const beforePress: ReadonlySet<KillPoint> = new Set(['taken', 'asked', 'card posted', 'card shown'])

export type CaseResult = { outcome: string; violations: string[]; orphans: number }

const settleMs = 60_000

/** One life of one change: killed at the point, started again, and brought to its end. */
export const runCrashCase = async (
  one: CrashCase,
  point: KillPoint,
  place: Place,
  planted: Pick<ChildSetup, 'isForgetful'> = {},
): Promise<CaseResult> => {
  const environment = await openCrashEnvironment(place)
  try {
    return await killAndRecover(one, point, place, environment, planted)
  } finally {
    await environment.close()
  }
}

export type CrashEnvironment = {
  sandbox: Sandbox
  chatServer: FakeChatServer
  store: Store
  setup(killAt: ChildSetup['killAt']): ChildSetup
  onHang(hang: () => void): void
  children: ChildBot[]
  close(): Promise<void>
}

export const openCrashEnvironment = async (place: Place): Promise<CrashEnvironment> => {
  let hang = () => {}
  const sandbox = await startSandbox({
    packs: outsidePacks,
    log: (line) => line.endsWith('hang_after') && hang(),
  })
  const chatServer = await startFakeChatServer()
  const db = await openDatabase(place)
  useFeatures(features)
  await migrate(db, { now: Date.now })
  const store = createStore(db, { now: Date.now })
  const children: ChildBot[] = []
  return {
    sandbox,
    chatServer,
    store,
    children,
    setup: (killAt) => ({
      services: sandbox.services,
      chatServerUrl: chatServer.url,
      policy: provePolicy,
      killAt,
      settings: {},
    }),
    onHang: (then) => {
      hang = then
    },
    close: async () => {
      await Promise.all(children.map((child) => child.kill()))
      await sandbox.close()
      await chatServer.close()
      await db.close()
      await place.remove()
    },
  }
}

const killAndRecover = async (
  one: CrashCase,
  point: KillPoint,
  place: Place,
  environment: CrashEnvironment,
  planted: Pick<ChildSetup, 'isForgetful'>,
): Promise<CaseResult> => {
  const { sandbox, chatServer, store, children } = environment
  const law = lawFor(one, point)
  const violations: string[] = []
  const demand = (isTrue: boolean, words: string) => {
    if (!isTrue) violations.push(words)
  }
  const requests = () => sandbox.wire.filter(({ method }) => method !== 'GET').length
  const expected = one.hasRequest ? law.requests : 0
  await one.before?.(store)

  const first = await startChildBot(environment.setup(point === 'sent' ? null : point), place)
  children.push(first)
  const line = lineBy('U0SUPPORT', one.line)
  const asked = await first.handle(line)
  if (asked !== undefined && asked.kind !== 'change') {
    return { outcome: 'not asked', violations: [`was refused: ${JSON.stringify(asked)}`], orphans: 0 }
  }
  const press = asked === undefined ? undefined : pressYes(asked.change)
  const isPressed = !beforePress.has(point)
  if (isPressed) {
    if (point === 'sent') {
      for (const method of ['POST', 'PUT', 'DELETE'] as const) sandbox.fault({ method, kind: 'hang_after' })
      environment.onHang(() => first.process.kill('SIGKILL'))
    }
    if (asked !== undefined) {
      await settled(store, asked.change)
      if (press !== undefined) first.handle(press)
    }
  }
  const died = await Promise.race([first.gone.then(() => true), sleep(20_000, false)])
  if (!died) return { outcome: 'lived', violations: ['the point was never reached'], orphans: 0 }
  sandbox.clearFaults()

  const second = await startChildBot({ ...environment.setup(null), ...planted }, place)
  children.push(second)
  const stored = await firstChange(store)
  if (stored === undefined) return { outcome: 'lost', violations: ['the change is gone'], orphans: 0 }
  const { id } = stored
  const restarted = await waitFor(store, id, (change) => change.state === law.state)
  demand(restarted.state === law.state, `is ${restarted.state} and should be ${law.state}`)
  demand(requests() === expected, `${requests()} requests on the wire and should be ${expected}`)
  await deliverAgain(second, isPressed ? [line, press] : [line])
  const made = await store.changes.list({ limit: 2 })
  demand(made.length === 1, 'the same delivery asked for a second change')
  const again = (await store.changes.get(id)) as Change
  demand(again.state === law.state, `is ${again.state} after its deliveries came again`)
  demand(requests() === expected, `${requests()} requests after its deliveries came again`)

  if (restarted.state === 'pending') await second.handle(pressYes(restarted))
  if (restarted.state === 'unknown') {
    await second.handle(pressBy('U0FINANCE', 'happened', idOf(restarted), { reason: 'seen in the service' }))
  }
  if (one.settle !== undefined) {
    await waitFor(store, id, ({ state }) => state === 'accepted' || state === 'applied')
    one.settle(sandbox)
  }
  const ended = await waitFor(store, id, (change) => change.state === 'applied')
  demand(ended.state === 'applied', `ended ${ended.state} and should be applied`)
  await settled(store, ended)
  const wanted = one.hasRequest ? Math.max(expected, restarted.state === 'pending' ? 1 : 0) : 0
  demand(requests() === wanted, `${requests()} requests in the end and should be ${wanted}`)

  const verdict = await verified(store)
  demand(verdict.ok, `the audit chain is broken: ${verdict.ok || verdict.sentence}`)
  const entries = await store.audit.find({ changeId: id, limit: 100 })
  const kinds = entries.map(({ kind }) => kind)
  demand(kinds.filter((kind) => kind === 'claimed').length === 1, `claims in the audit: ${kinds.join(', ')}`)
  demand(kinds.filter((kind) => kind === 'asked').length === 1, `requests in the audit: ${kinds.join(', ')}`)

  const orphans = await pressOrphans(environment, second, ended)
  const copies = await store.cards.of(id)
  for (const [address, card] of chatServer.cards) {
    const last = card.views.at(-1)
    demand(
      (last?.actions ?? []).every(({ verb, isMore }) => verb === 'receipt' || isMore === true),
      `a card still has buttons: ${address}`,
    )
  }
  demand(
    copies.every(({ version }) => version === ended.version),
    'a card shows an older state than the end',
  )
  demand(copies.length >= 1, 'there is no card')
  if (needsApproval(ended.clauses)) {
    demand(
      chatServer.directMessages.some(({ account }) => account === 'U0SUPPORT'),
      'the requester was not told',
    )
  }
  return { outcome: restarted.state === 'pending' ? 'pending, then applied' : law.state, violations, orphans }
}

/** What would be done at once is accepted by a service that settles it later. */
const lawFor = ({ settle }: CrashCase, point: KillPoint): (typeof killPoints)[KillPoint] => {
  const law = killPoints[point]
  return settle !== undefined && law.state === 'applied' ? { ...law, state: 'accepted' } : law
}

/** Each delivery three times over, at the same moment: what a platform does that heard no answer. */
export const deliverAgain = async (bot: ChildBot, deliveries: (Inbound | undefined)[]): Promise<void> => {
  const copies = deliveries.flatMap((one) => (one === undefined ? [] : [one, one, one]))
  await Promise.all(copies.map((copy) => bot.handle(copy)))
}

/** Cards that were posted in the moment of the kill: somebody presses a button on each. How many there were. */
const pressOrphans = async (
  { chatServer, store }: CrashEnvironment,
  bot: ChildBot,
  change: Change,
): Promise<number> => {
  const known = new Set((await store.cards.of(change.id)).map(({ address }) => address))
  const orphans = [...chatServer.cards].filter(([address]) => !known.has(address))
  for (const [pressedOn, { platform, views }] of orphans) {
    const [button] = views.at(-1)?.actions ?? []
    if (button === undefined) continue
    const account = platform === 'slack' ? 'U0FINANCE' : '400000000000000002'
    await bot.handle(pressBy(account, button.verb, button.id, { platform, pressedOn, reason: 'pressed' }))
  }
  if (orphans.length > 0) await settled(store, change)
  return orphans.length
}

export const idOf = (change: Change): string => buttonIdOf(change)

export const pressYes = (change: Change) =>
  isConfirmOnly(change.clauses)
    ? pressBy('U0SUPPORT', 'confirm', idOf(change))
    : pressBy('400000000000000002', 'approve', idOf(change), { platform: 'discord' })

/** What was taken in and not asked for yet is asked for by the next process. */
const firstChange = async (store: Store): Promise<Change | undefined> => {
  for (const until = Date.now() + settleMs; ; await sleep(50)) {
    const [change] = await store.changes.list({ limit: 1 })
    if (change !== undefined || Date.now() > until) return change
  }
}

/**
 * The new process numbers what the dead one left: within moments, on a busy machine within seconds, and before the lease
 * of the dead one ends.
 */
export const verified = async (store: Store): ReturnType<typeof verify> => {
  for (const deadline = Date.now() + 4_000; ; await sleep(100)) {
    const verdict = await verify(store)
    const isWaiting = !verdict.ok && verdict.problem === 'unnumbered'
    if (!isWaiting || Date.now() > deadline) return verdict
  }
}

export const waitFor = async (
  store: Store,
  id: string,
  isThere: (change: Change) => boolean,
): Promise<Change> => {
  for (const until = Date.now() + settleMs; ; await sleep(50)) {
    const change = (await store.changes.get(id)) as Change
    if (isThere(change) || Date.now() > until) return change
  }
}

/** Nothing is left to show or to tell. */
export const settled = async (store: Store, change: Change): Promise<void> => {
  for (const until = Date.now() + settleMs; Date.now() < until; await sleep(50)) {
    const { cards = 0, tell = 0 } = await store.tasks.pending()
    const copies = await store.cards.of(change.id)
    const isShown = copies.length > 0 && copies.every(({ version }) => version === change.version)
    if (cards + tell === 0 && isShown) return
  }
}
