import { z } from 'zod'
import { createApp } from '../../src/app.ts'
import { defineChange } from '../../src/command/define.ts'
import { createRegistry } from '../../src/command/registry.ts'
import { createLog } from '../../src/log.ts'
import { MessengerError } from '../../src/messenger/messenger.ts'
import { ok } from '../../src/model/result.ts'
import { execute } from '../../src/pipeline/execute.ts'
import type { Services } from '../../src/services/client/client.ts'
import type { Store } from '../../src/storage/store.ts'
import type { Verb } from '../../src/view/view.ts'
import { createRandom, pick } from '../random.ts'
import { type Asked, mayApproveIn, mayAsk, needsIn, type Press, personIn, unmet } from './reference.ts'
import { type Account, accounts, randomPolicy, randomWorld, some, type World } from './world.ts'

/** Faults of the bot's surroundings that the model must notice: it would notice the same fault of the bot. */
export type Fault = 'old groups' | 'foreign accounts'

type Request = Asked & { needs: ReturnType<typeof needsIn>; presses: Press[]; id?: string }
type History = {
  world: World
  random: () => number
  requests: Request[]
  ran: Request[]
  note(found: string): void
}
export type Tally = {
  runs: number
  asks: number
  waits: number
  lapses: number
  again: number
  settled: number
}

/** The commands of the model, which do nothing but tell the history that they ran. */
const commandsFor = (histories: Map<string, History>, store: Store) => {
  const input = z.object({ history: z.string().describe('History'), at: z.int().describe('Which request') })
  const define = (name: string, sameAs: string[], isMoney: boolean) =>
    defineChange({
      name,
      summary: 'A change of the model',
      area: isMoney ? 'billing' : 'email',
      input,
      positional: ['history', 'at'],
      examples: [`${name} h1 0`],
      uses: [],
      sameAs,
      plan: z.object({ history: z.string(), at: z.int(), amount: z.number() }),
      intent: ({ history }) => ({ history, name }),
      amountOf: ({ amount }) => ({ value: amount, currency: null }),
      prepare: async ({ history, at }) =>
        ok({ history, at, amount: histories.get(history)?.requests[at]?.amount ?? 0 }),
      preview: ({ at }) => ({ title: `${name} ${at}`, tone: 'warn', blocks: [] }),
      async apply({ history, at }) {
        const told = histories.get(history)
        const request = told?.requests[at]
        if (told === undefined || request === undefined) throw new Error('nobody asked for this')
        await judge(store, told, request)
        if (told.random() < 0.2) throw new Error('the answer was lost')
        return { message: 'Done.', understood: true }
      },
    })
  return createRegistry([
    define('pay', ['repay'], true),
    define('repay', ['pay'], true),
    define('note', [], false),
  ])
}

/** Called as a change runs: everything that was and is asked for must be met by people who may do so now. */
const judge = async (store: Store, history: History, request: Request): Promise<void> => {
  const { world, ran, note } = history
  const stored = request.id === undefined ? null : await store.changes.get(request.id)
  const [budget] = world.policy.budgets
  const own = ran.filter(({ by }) => personIn(world, by) === personIn(world, request.by) && by === request.by)
  const sum = own.reduce((total, one) => total + (one.isMoney ? one.amount : 0), request.amount)
  const needs = [
    ...request.needs,
    ...needsIn(world.policy, request),
    ...(request.isMoney && budget !== undefined && sum > budget.limit ? budget.then : []),
  ]
  ran.push(request)
  const missing = unmet(world, request, needs, request.presses, stored?.digest ?? '')
  if (missing.length > 0) note(`ran without ${JSON.stringify(missing)}`)
  if (!mayAsk(world, request)) note('ran for somebody who may not ask for it')
}

/** One change or two, with votes, edits of the file, restarts, moves between groups and outages in any order. */
export const liveOne = async (
  { store, histories, registry }: ReturnType<typeof createStage>,
  name: string,
  seed: number,
  tally: Tally,
  fault?: Fault,
): Promise<string[]> => {
  const random = createRandom(seed)
  const world = randomWorld(random, name)
  const found: string[] = []
  const history: History = {
    world,
    random,
    requests: [],
    ran: [],
    note: (what) => found.push(`history ${name} (seed ${seed}): ${what}`),
  }
  histories.set(name, history)
  const firstGroups = new Map(world.members)
  const start = () => {
    const app = createApp({ registry, policy: world.policy, services, store, log, tasks: false })
    app.join({
      platform: 'slack',
      post: async () => '',
      edit: async () => undefined,
      direct: async () => '',
      membership: async (account) => {
        if (!world.isUp) throw new MessengerError('later', 'down')
        return (fault === 'old groups' ? firstGroups : world.members).get(account) ?? []
      },
    })
    return app
  }
  let app = start()
  let deliveries = 0
  const handle = (by: Account, intent: Parameters<typeof app.handle>[0]['intent']) => {
    const groups =
      by.platform === 'slack' && by.workspace === undefined ? (world.members.get(by.account) ?? []) : []
    const workspace = fault === 'foreign accounts' ? undefined : by.workspace
    return app.handle({
      delivery: `${name}:${++deliveries}`,
      from: { platform: by.platform, account: by.account, name: by.account, groups, workspace },
      place: { channel: null, handle: null, direct: true },
      forms: false,
      intent,
    })
  }
  const ask = async () => {
    const command = pick(random, ['pay', 'repay', 'note'])
    const isMoney = command !== 'note'
    const names = isMoney ? ['pay', 'repay'] : ['note']
    const asked = {
      names,
      isMoney,
      amount: pick(random, [10, 40, 90]),
      by: pick(random, accounts.slice(0, 6)),
    }
    const request: Request = { ...asked, needs: needsIn(world.policy, asked), presses: [] }
    const at = history.requests.push(request) - 1
    const reply = await handle(asked.by, { kind: 'line', line: `${command} ${name} ${at}` })
    tally.asks++
    if (reply.kind === 'change') request.id = reply.change.id
  }
  const press = async (request: Request) => {
    const before = await store.changes.get(request.id ?? '')
    if (before === null) return
    const isOwn = before.clauses.some(({ kind }) => kind === 'confirm') && random() < 0.7
    const by = isOwn ? request.by : pick(random, accounts)
    request.presses.push({ by, digest: before.digest })
    const verb: Verb = isOwn ? 'confirm' : 'approve'
    const reply = await handle(by, { kind: 'press', verb, id: `${before.id}.${before.digest.slice(0, 10)}` })
    if (reply.kind !== 'change') request.presses.pop()
    else if (reply.change.digest !== before.digest) tally.again++
    else if ((reply.change.lapsed?.length ?? 0) > (before.lapsed?.length ?? 0)) tally.lapses++
    if (reply.kind === 'change' && reply.change.waiting !== undefined) tally.waits++
  }
  const settle = async (request: Request) => {
    const before = await store.changes.get(request.id ?? '')
    if (before?.state !== 'unknown') return
    const by = pick(random, accounts)
    const verb: Verb = random() < 0.5 ? 'happened' : 'did_not'
    const reply = await handle(by, { kind: 'press', verb, id: before.id, reason: 'it was looked up' })
    if (reply.kind !== 'change') return
    tally.settled++
    if (personIn(world, by) === personIn(world, request.by)) history.note('settled by its requester')
    if (!mayApproveIn(world, request, by)) history.note('settled by somebody who may not approve it')
  }

  await ask()
  for (let step = 0; step < 14; step++) {
    const request = pick(random, history.requests)
    const chance = random()
    if (chance < 0.5) await press(request)
    else if (chance < 0.54) await ask()
    else if (chance < 0.62) {
      world.policy =
        random() < 0.5
          ? randomPolicy(random, name)
          : { ...world.policy, people: randomPolicy(random, name).people }
      app = start()
    } else if (chance < 0.8)
      world.members.set(pick(random, accounts).account, some(random, ['G1', 'G2', 'G3'], 0.4))
    else if (chance < 0.84) world.isUp = !world.isUp
    else if (chance < 0.9) await settle(request)
    else if (request.id !== undefined) {
      const after = await execute(app.core, request.id)
      if (after.waiting !== undefined) tally.waits++
    }
  }
  tally.runs += history.ran.length
  histories.delete(name)
  return found
}

/** What all histories on one database share. */
export const createStage = (store: Store) => {
  const histories = new Map<string, History>()
  return { store, histories, registry: commandsFor(histories, store) }
}

const log = createLog('silent')
/** The model's commands read and call nothing. */
const services = { readers: {}, under: () => ({}) } as unknown as Services
