import { createConversation } from '../../adapters/console/conversation.ts'
import { createConsoleMessenger } from '../../adapters/console/messenger.ts'
import { createApp } from '../../src/cli/start/app.ts'
import { showCards } from '../../src/kernel/cards/card-publisher.ts'
import { execute } from '../../src/kernel/change/applying/execute.ts'
import { createSentLog } from '../../src/kernel/claims/sent-log.ts'
import { hasClaim } from '../../src/kernel/law/law.ts'
import { askAllAgain, putBack } from '../../src/kernel/loss/put-back.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import { type Messenger, MessengerError } from '../../src/kernel/messenger/messenger.ts'
import { type Change, effectiveStates } from '../../src/kernel/model/change.ts'
import { buttonIdOf, editionOf, readButton } from '../../src/kernel/model/shown.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { canonicalJson } from '../../src/lib/codecs/canonical-json.ts'
import { actionsIn, type Verb, type View } from '../../src/lib/view/view.ts'
import { createRandom, pick } from '../random.ts'
import { customerOf, linkOf } from './commands.ts'
import { type Coming, through } from './doors.ts'
import { buttonGiven, byGiven, type Fault, intentGiven, policyGiven, storeGiven } from './faults.ts'
import {
  type Asked,
  approversOf,
  type Changer,
  customerFor,
  isBehind,
  isCounted,
  isListedIn,
  mayAsk,
  mayDecideIn,
  maySteer,
  needsIn,
  type Press,
  personIn,
  unmet,
  type Wanted,
  type Way,
  ways,
} from './reference.ts'
import { log, type Stage, servicesOf } from './stage.ts'
import type { Tally } from './tally.ts'
import {
  type Account,
  accountsOf,
  arriving,
  askersOf,
  customers,
  type Known,
  randomPolicy,
  randomWorld,
  someGroups,
  type World,
} from './world.ts'

type Request = Asked & {
  needs: Wanted[]
  presses: Press[]
  change: Change
  changers: Changer[]
  also: string | undefined
  /** When it was about to run: only what was before it counts against its budget. */
  claimedAt?: number
  /** The decision that was delivered last, to be delivered again. */
  last?: { by: Account; intent: Coming['intent']; delivery: string }
}

/** The requests of a history as they stood at one of its steps; what is only said here is remembered nowhere else. */
type Copy = Map<Request, Request>

const steps = 12
const steered = ways.filter(({ isSteered }) => isSteered)

/** A few changes, with votes, edits of the file, restarts, moves between groups and outages in any order. */
export const liveOne = async (
  { store, now, signer, registry, services }: Stage,
  name: string,
  seed: number,
  tally: Tally,
  fault?: Fault,
): Promise<string[]> => {
  const random = createRandom(seed)
  const world: World = randomWorld(random, name)
  const first = { policy: world.policy, members: new Map(world.members) }
  const accounts = accountsOf(name)
  const actors = askersOf(name)
  const requests: Request[] = []
  const sent = createSentLog()
  /** The pages of the console, which a new start finds as they were. */
  const conversation = createConversation(Date.now)
  /** The cards that stand somewhere: before everybody there, or before one person alone, by the file of that time. */
  const standing: { platform: string; person: string | null; mark: string }[] = []
  const copies: Copy[] = []
  const found: string[] = []
  const note = (what: string): void => {
    found.push(`history ${name} (seed ${seed}): ${what}`)
  }

  const start = (given = world.policy) => {
    const policy = policyGiven(fault, given, first.policy, accounts)
    const app = createApp({
      registry: fault === 'api call alone' ? registry.alone : registry.all,
      ...{ policy, services: servicesOf(services, applied, written), log, now, signer, sent, tasks: false },
      store: { ...storeGiven(fault, store), links: linksOf(store.links) },
    })
    const membership = async (account: string) => {
      if (!world.isUp) throw new MessengerError('later', 'down')
      return (fault === 'old groups' ? first : world).members.get(account) ?? []
    }
    const none = { post: async () => '', edit: async () => undefined, direct: async () => '' }
    for (const platform of ['slack', 'discord']) app.join(noted({ platform, membership, ...none }))
    if (fault !== 'the console passes for a terminal')
      app.join(noted(createConsoleMessenger(conversation, new Map(), Promise.resolve())))
    return app
  }
  /** Every card that is posted is one that those who look there have read. */
  const noted = (messenger: Messenger): Messenger => {
    const { platform } = messenger
    return {
      ...messenger,
      post: ({ onlyFor, ...place }, view, file) => {
        stands(platform, onlyFor, view)
        return messenger.post({ onlyFor, ...place }, view, file)
      },
      direct: (account, view, file) => {
        stands(platform, account, view)
        return messenger.direct(account, view, file)
      },
    }
  }
  const stands = (platform: string, account: string | null, view: View) => {
    const person = account === null ? null : personIn(world, { platform, account } as Account)
    for (const [, mark] of marksOf(view)) standing.push({ platform, person, mark })
  }
  const isBeforeThem = (by: Account, change: Change): boolean => {
    const listed = world.policy.people.find(({ id }) => id === personIn(world, by))
    const looksAt = (platform: string) => by.platform === platform || listed?.accounts[platform] !== undefined
    return standing.some(
      ({ platform, person, mark }) =>
        mark === buttonIdOf(change) &&
        (person === null ? platform === 'console' || looksAt(platform) : person === personIn(world, by)),
    )
  }
  const linksOf = (links: Store['links']): Store['links'] => ({
    ...links,
    say: async (pair, saying) => {
      const request = await applied()
      const approvedBy = saying.approvedBy ?? (fault === 'a said link steers money' ? 'nobody' : null)
      await links.say(pair, { ...saying, approvedBy })
      tally.said++
      isLinked = true
      next.push(ask)
      if (request === undefined) return
      const { digest } = request.change
      const known = world.links[customerFor(request.amount) - 1]
      if (known !== undefined && approversOf(world, request, request.presses, digest).length > 0)
        known.word = saying.isOff ? 'off' : 'on'
    },
    write: async (pairs, by) => {
      if (fault !== 'fields pass for seen') await links.write(pairs, by)
    },
  })
  /** A field was about to be written: whatever came of it, the service may show it from now on. */
  const written = (customer: string): void => {
    const known = world.links[Number(customer.at(-1)) - 1]
    if (known !== undefined) known.isWritten = true
    tally.said++
    isLinked = true
    next.push(look, ask)
  }
  /** Somebody looks something up, and the bot learns what a service shows. */
  const look = async () => {
    const inField = customers.filter((n) => world.links[n - 1]?.isWritten)
    const n = pick(random, inField.length > 0 ? inField : customers)
    const known = world.links[n - 1]
    const service = random() < 0.2 ? 'billing' : 'email'
    if (known === undefined) return
    known[service] = true
    isLinked = true
    const source = service === 'billing' ? 'billing.findTransactions' : 'email.getSubscriber'
    await store.links.learn([{ pair: linkOf(name, n), source }])
  }
  /** A request leaves: everything that was and is asked for must be met by people who may do so now. */
  const applied = async (): Promise<Request | undefined> => {
    const underWay = [...app.core.applying, ...(lenient?.core.applying ?? [])]
    const id = underWay.find((one) => !ran.has(one)) ?? ''
    ran.add(id)
    // Several may be about to run; which was first is what the log of their claims says.
    for (const one of requests.filter(({ change: { id: its } }) => underWay.includes(its))) {
      const claimed = await store.changes.get(one.change.id)
      if (claimed?.state === 'applying')
        Object.assign(one, { change: claimed, claimedAt: one.claimedAt ?? claimed.updatedAt })
    }
    const change = await store.changes.get(id)
    const isIt = (one: Request) => one.change.id === id
    const request = requests.find(isIt) ?? requests.find((one) => one.change === nothing)
    if (change === null || request === undefined) {
      note('ran, and nobody asked for it')
      return undefined
    }
    request.change = change
    request.claimedAt ??= change.updatedAt
    const needs = [...request.needs, ...needsNow(request)]
    tally.runs++
    if (needs.some((need) => 'stage' in need && need.stage !== undefined)) tally.staged++
    if (needs.some(({ manager }) => manager !== undefined)) tally.managed++
    if (request.also !== undefined) tally.also++
    if (request.by.platform === 'mcp') tally.agents++
    if (request.way.standsFor !== undefined) tally.calls++
    if (request.way.names.includes('ticket voucher')) tally.outside++
    const missing = unmet(world, request, request.presses, change, needs)
    if (missing.length > 0) note(`ran without ${JSON.stringify(missing)}`)
    if (!mayAsk(world, request)) note('ran for somebody who may not ask for it')
    if (request.way.isSteered) {
      const by = (change.plan as { customers: string[] }).customers
      const may = customers.filter((n) => maySteer(world.links[n - 1] as Known))
      if (by.length > 0) tally.steered++
      if (by.join() !== may.map((n) => customerOf(name, n).id).join())
        note(
          `money went by links to ${by.join(' and ') || 'nobody'}, where ${may.join(' and ') || 'none'} may steer it`,
        )
    }
    if (random() < 0.2) throw new Error('the answer was lost')
    return request
  }
  const needsNow = (request: Asked & { change?: Change; claimedAt?: number }) => {
    const [budget] = world.policy.budgets
    const others = requests.filter((one) => one !== request)
    const spent = others
      .filter(
        ({ change, person, way, claimedAt = 0 }) =>
          person === request.person &&
          isSpent(change) &&
          claimedAt < (request.claimedAt ?? Infinity) &&
          isCounted(budget?.commands ?? [], way),
      )
      .reduce((sum, { way, amount }) => sum + (way.isMoney ? amount : 0), 0)
    const at = request.change?.createdAt ?? Infinity
    const isRepeated = others.some(
      ({ way, amount, change }) =>
        way.intent(amount) === request.way.intent(request.amount) && isAlive(change) && change.createdAt < at,
    )
    return needsIn(world.policy, request, { spent, isRepeated })
  }
  /** Whether somebody has said something of a link, or a service shown it: then money follows more often. */
  let isLinked = false
  /** What follows a link that was said: a look at what the service shows now, and a request that could go by it. */
  const next: (() => Promise<void>)[] = []
  let app = start()
  /** Where it is told of no rule. */
  const startLenient = () =>
    fault === 'whom else in place of a rule'
      ? start({ ...world.policy, policies: [], budgets: [] })
      : undefined
  let lenient = startLenient()
  const appOf = ({ also }: Pick<Request, 'also'>) => (also === undefined ? app : (lenient ?? app))
  const ran = new Set<string>()
  let deliveries = 0
  const shownTo = new Map<string, string>()
  const handle = async (
    by: Account,
    said: Coming['intent'],
    about: Pick<Request, 'also'> = { also: undefined },
    delivery = `${name}:${++deliveries}`,
  ) => {
    const intent = await buttonGiven(fault, store, intentGiven(fault, said))
    const inbound = await cameIn({ by, intent, delivery }, appOf(about))
    const reply: Reply = inbound === undefined ? { kind: 'repeated' } : await appOf(about).handle(inbound)
    if (reply.kind === 'refused' && reply.refusal.code === 'broken') note(reply.refusal.message)
    // What a program was shown, nobody has read.
    if (by.platform !== 'mcp')
      for (const [id, mark] of marksIn(reply))
        shownTo.set(`${personIn(world, arriving(world, by))} ${id}`, mark)
    return reply
  }
  /** As the adapter of where it comes from reads it; the terminal has nothing to read. */
  const cameIn = async ({ by, intent, delivery }: Coming, { bot }: typeof app) => {
    const { platform, account, workspace, operator } = by
    if (platform === 'terminal') {
      const from = { platform, account, name: account, groups: [] }
      const place = { channel: null, handle: null, direct: true }
      const given = fault === 'nameless terminal' ? undefined : operator
      return { delivery, from: { ...from, operator: given }, place, forms: false, intent }
    }
    tally[platform]++
    const { agents } = world.policy
    const groups = workspace === undefined ? (world.members.get(account) ?? []) : []
    const isHomeKnown = world.isHomeKnown || fault === 'home taken for granted'
    const coming = { by: byGiven(fault, by, agents), intent, delivery }
    const inbound = await through(coming, {
      registry: registry.all,
      bot,
      agents,
      groups,
      isHomeKnown,
      conversation,
    })
    if (inbound?.intent.kind === 'form') tally.forms++
    if (inbound?.intent.kind === 'press') tally.presses++
    return inbound
  }
  const ask = async () => {
    const sender = pick(random, actors)
    const by = arriving(world, sender)
    const same = random() < 0.5 ? requests.at(-1) : undefined
    const asked: Asked = {
      way: isLinked && random() < 0.7 ? pick(random, steered) : (same?.way ?? pick(random, ways)),
      amount: same?.amount ?? pick(random, [10, 40, 40, 90]),
      by,
      person: personIn(world, by),
      changers: [],
    }
    tally.asks++
    const also = random() < 0.15 ? `${name}p${1 + Math.floor(random() * 5)}` : undefined
    const needs: Wanted[] = [...needsNow(asked), ...alsoNeed(also)]
    const pending: Request = { ...asked, changers: [], also, needs, presses: [], change: nothing }
    requests.push(pending)
    const line = `${asked.way.line(name, asked.amount)}${also === undefined ? '' : ` --also ${also}`}`
    const reply = await handle(sender, { kind: 'line', line }, pending)
    if (reply.kind === 'change') pending.change = reply.change
    else if (pending.change === nothing) requests.splice(requests.indexOf(pending), 1)
    if (reply.kind === 'refused' && reply.refusal.code === 'unlisted') tally.unlisted++
    if (reply.kind === 'change' && !mayAsk(world, asked)) note('was asked for by somebody who may not')
    const isAsked = needs.some(({ kind }) => kind === 'approvals')
    if (reply.kind === 'change' && isAsked && !isListedIn(world, by)) note('asks for an approval, not listed')
    if (reply.kind === 'change' && world.isUp && random() < 0.5) {
      tally.posted++
      await showCards(appOf(pending).core, reply.change)
    }
  }
  /** Sometimes it is changed between the moment in which somebody was shown it and their decision. */
  const press = async (request: Request) => {
    const read = request.change
    if (random() < 0.15) await amend(request)
    const before = request.change
    const isOwn = before.clauses.every(({ kind }) => kind === 'confirm') && random() < 0.8
    const by = isOwn ? request.by : pickDecider(request)
    const intent: Coming['intent'] =
      random() < 0.5
        ? { kind: 'line', line: `approval approve ${before.id}` }
        : {
            kind: 'press',
            verb: isOwn ? 'confirm' : 'approve',
            id: buttonIdOf(read),
          }
    const isShown =
      intent.kind === 'press'
        ? buttonIdOf(read) === buttonIdOf(before)
        : hasRead(request, arriving(world, by))
    const delivery = `${name}:${++deliveries}`
    const earlier = [...request.presses]
    request.presses.push({ by: arriving(world, by), digest: before.digest })
    const reply = await handle(by, intent, request, delivery)
    if (reply.kind !== 'change') request.presses.pop()
    else {
      request.last = { by, intent, delivery }
      if (!isShown) note(`a ${intent.kind} decided about what was not shown`)
      checkTurn(request, earlier, by, reply.change)
      saw(request, before, reply.change)
      if (reply.change.digest !== before.digest && random() < 0.3) await pressAgain(request)
      // What is voted for in part is often changed, and decided by others: that is what a vote must not outlive, too.
      const isPartly = reply.change.state === 'pending' && reply.change.votes.length > 0
      if (isPartly && random() < 0.4)
        next.push(
          () => amend(request),
          () => press(request),
        )
      // Whoever has voted often leaves: that is what a vote must not outlive.
      if (by.platform !== 'terminal' && random() < 0.3) world.members.set(by.account, [])
    }
  }
  /** Where nothing is posted, an id is known from an answer alone; elsewhere a line is for what somebody was shown. */
  const hasRead = ({ change, by: asker, person }: Request, by: Account): boolean => {
    const own = personIn(world, by)
    const asked = asker.platform !== 'mcp' && [person, personIn(world, asker)].includes(own)
    return (
      shownTo.get(`${own} ${change.id}`) === buttonIdOf(change) ||
      (editionOf(change) === 1 && (by.platform === 'terminal' || asked || isBeforeThem(by, change)))
    )
  }
  /** Somebody who may decide about it, more often than not; those who changed it try, too. */
  const pickDecider = (request: Request): Account => {
    const able = accounts.filter((by) => mayDecideIn(world, request, by) && !isBehind(world, request, by))
    if (request.changers.length > 0 && random() < 0.3) return pick(random, request.changers)
    return pick(random, able.length > 0 && random() < 0.75 ? able : accounts)
  }
  /** Nobody's vote counts in a stage before those ahead of it are complete, as far as anybody can know it now. */
  const checkTurn = (request: Request, earlier: readonly Press[], by: Account, after: Change) => {
    const vote = after.votes.find((one) => one.by.account === by.account && one.by.platform === by.platform)
    const stage = vote?.stage
    if (stage === undefined || !world.isUp || after.digest !== request.change.digest) return
    const ahead = request.needs.filter((need) => 'stage' in need && (need.stage ?? stage) < stage)
    const missing = unmet(world, request, earlier, after, ahead)
    if (missing.length > 0) note(`voted in stage ${stage} before ${JSON.stringify(missing)}`)
  }
  /** A new plan of the same request: what was said to the old one is void, and who changed it asks from now on. */
  const amend = async (request: Request): Promise<void> => {
    if (!request.way.isMoney || request.way.standsFor !== undefined) return
    const before = request.change
    const sender = random() < 0.4 ? request.by : pickDecider(request)
    const by = arriving(world, sender)
    const amount = pick(
      random,
      [10, 40, 90].filter((one) => one !== request.amount),
    )
    const wasBehind = isBehind(world, request, by)
    const mightDecide = mayDecideIn(world, request, by)
    const line = `approval change ${before.id} --amount ${amount}`
    const reply = await handle(sender, { kind: 'line', line }, request)
    if (reply.kind !== 'change') return
    tally.changed++
    if (!wasBehind && !mightDecide) note('was changed by somebody who may not decide about it')
    if (!wasBehind && !isListedIn(world, by)) note('was changed by somebody who is not listed')
    Object.assign(request, { amount, presses: [], change: reply.change })
    if (!wasBehind) request.changers.push({ ...by, person: personIn(world, by) })
    request.needs = [...needsNow(request), ...alsoNeed(request.also)]
  }
  /** Two that wait are marked, read and approved; sometimes one of them is changed in between. */
  const batch = async (): Promise<void> => {
    const waiting = requests.filter(({ change, way }) => change.state === 'pending' && !isLink(way))
    const [one, other] = [pick(random, waiting), pick(random, waiting)]
    if (one === undefined || other === undefined || one === other) return
    if (lenient !== undefined && one.also !== other.also) return
    const both = [one, other]
    const sender = pickDecider(one)
    const id = both.map(({ change }) => change.id).join(',')
    const read = await handle(sender, { kind: 'press', verb: 'review', id }, one)
    const button =
      read.kind === 'answer' ? read.view.actions?.find(({ verb }) => verb === 'approve_all') : undefined
    if (button === undefined) return
    tally.batches++
    const seen = both.map((request) => ({ request, before: request.change }))
    if (random() < 0.5) await amend(pick(random, both))
    const by = arriving(world, sender)
    for (const { request, before } of seen) request.presses.push({ by, digest: before.digest })
    await handle(sender, { kind: 'press', verb: 'approve_all', id: button.id }, one)
    for (const { request, before } of seen) {
      const after = (await store.changes.get(before.id)) ?? before
      const isCast = after.votes.some(
        (vote) => vote.by.account === by.account && vote.by.platform === by.platform,
      )
      if (!isCast) request.presses = request.presses.filter((press) => press.by !== by)
      saw(request, request.change, after)
    }
  }
  /** Somebody asks back, and somebody answers: neither decides anything. */
  const talk = async (request: Request): Promise<void> => {
    const before = request.change
    const questions = (before.notes?.questions ?? []) as { answer?: object }[]
    const isOpen = questions.some(({ answer }) => answer === undefined)
    const sender = isOpen ? pick(random, [request.by, ...accounts]) : pickDecider(request)
    const by = arriving(world, sender)
    const verb: string = isOpen ? 'answer' : 'ask'
    const press = { kind: 'press' as const, verb: verb as Verb, id: before.id, reason: 'Why?' }
    const reply = await handle(sender, press, request)
    if (reply.kind !== 'change') return
    tally.questions++
    const { votes, state } = reply.change
    if (votes.length !== before.votes.length || state !== before.state) note(`${verb} decided something`)
    if (verb === 'answer' && !isBehind(world, request, by)) note('was answered by somebody else')
    if (verb === 'ask' && !mayDecideIn(world, request, by))
      note('was asked about by somebody who may not decide')
    request.change = reply.change
  }
  const saw = (request: Request, before: Change, after: Change) => {
    request.change = after
    if (after.digest !== before.digest) {
      tally.again++
      request.needs.push(...needsNow(request))
    } else if ((after.lapsed?.length ?? 0) > (before.lapsed?.length ?? 0)) tally.lapses++
    if (after.waiting !== undefined) tally.waits++
  }
  const pressAgain = async (request: Request) => {
    const { last } = request
    if (last === undefined) return
    tally.copies++
    const delivery = fault === 'new deliveries' ? undefined : last.delivery
    const reply = await handle(last.by, last.intent, request, delivery)
    if (reply.kind === 'change') note('a copy of a delivery decided')
  }
  const settle = async (request: Request) => {
    const sender = pick(random, accounts)
    const by = arriving(world, sender)
    const verb = random() < 0.5 ? 'happened' : 'did_not'
    const reply = await handle(
      sender,
      {
        kind: 'press',
        verb,
        id: request.change.id,
        reason: 'it was looked up',
      },
      request,
    )
    if (reply.kind !== 'change') return
    request.change = reply.change
    tally.settled++
    if (isBehind(world, request, by)) note('settled by somebody who stands behind it')
    if (!mayDecideIn(world, request, by)) note('settled by somebody who may not approve it')
    if (!isListedIn(world, by) || !isListedIn(world, request.by)) note('settled without two listed people')
  }
  const copy = () => {
    const asked = requests.filter(({ change, way }) => change !== nothing && !isLink(way))
    const asIs = ({ needs, changers, ...request }: Request): Request => ({
      ...request,
      needs: [...needs],
      changers: [...changers],
    })
    copies.push(new Map(asked.map((request) => [request, asIs(request)])))
  }
  const isForgotten = (change: Change): boolean => {
    const claimed = sent.changeOf(change.id)
    return claimed !== undefined && !hasClaim(change, claimed)
  }
  /**
   * Every request stands as it stood at an earlier step, but what was sent since is remembered outside. Nobody knows any more who
   * has voted for what, so from here on no vote of before counts.
   */
  const restore = async () => {
    const [then] = copies.length === 0 ? [] : [pick(random, copies)]
    if (then === undefined) return
    tally.restores++
    for (const [request, was] of then) {
      const last = await store.changes.get(was.change.id)
      if (last === null || canonicalJson(last) === canonicalJson(was.change)) continue
      await store.changes.swap({ ...was.change, version: last.version + 1 })
      if (!isForgotten(was.change)) Object.assign(request, was)
    }
    const stored = async () =>
      (await Promise.all(requests.map(({ change }) => store.changes.get(change.id)))).flatMap(
        (change) => change ?? [],
      )
    const words = `Restore ${tally.restores}`
    const loss = { since: now(), until: now(), words, entry: { id: '', at: now() }, isNew: true }
    const changes = (await stored()).filter(isForgotten).flatMap(({ id }) => sent.find(id) ?? [])
    await putBack(app.core, { changes, batches: [], steps: [], checkpoint: undefined, cards: [] }, loss)
    const list = async () => (await stored()).filter(isOpen)
    if (fault !== 'a restore passes for nothing')
      await askAllAgain({ ...app.core, store: { ...store, changes: { ...store.changes, list } } }, loss)
    // Whoever had voted is often followed by another: that is what their vote must not count for.
    next.push(
      ...requests
        .filter(({ change, presses }) => isOpen(change) && presses.length > 0)
        .map((request) => () => press(request)),
    )
    for (const request of requests) {
      request.change = (await store.changes.get(request.change.id)) ?? request.change
      delete request.last
      if (isOpen(request.change)) request.presses = []
    }
  }
  const retry = async (request: Request) => {
    const before = request.change
    saw(request, before, await execute(appOf(request).core, before.id))
  }
  const editPolicy = () => {
    const next = randomPolicy(random, name)
    world.policy = random() < 0.5 ? next : { ...world.policy, people: next.people }
    app = start()
    lenient = startLenient()
  }

  await ask()
  for (let step = 0; step < steps; step++) {
    for (const follow of next.splice(0)) await follow()
    if (random() < 0.3) copy()
    const request = requests.find(({ change }) => change.state === 'approved') ?? pick(random, requests)
    const chance = random()
    if (request === undefined || chance < (isLinked ? 0.2 : 0.1)) await ask()
    else if (chance < 0.24) editPolicy()
    else if (chance < 0.34) world.members.set(pick(random, actors).account, someGroups(random))
    else if (chance < 0.37) world.isUp = !world.isUp
    else if (chance < 0.39) world.isHomeKnown = !world.isHomeKnown
    else if (chance < 0.43) await look()
    else if (chance < 0.47) await restore()
    else if (chance < 0.51) await pressAgain(request)
    else if (chance < 0.55) await batch()
    else if (request.change.state === 'pending' && chance < 0.58) await amend(request)
    else if (request.change.state === 'pending' && chance < 0.62) await talk(request)
    else if (request.change.state === 'approved') await retry(request)
    else if (request.change.state === 'unknown') await settle(request)
    else if (request.change.state === 'pending' || chance > 0.97) await press(request)
  }
  return found
}

/** Whom a requester asks besides: a need of its own. */
const alsoNeed = (also: string | undefined): Wanted[] =>
  also === undefined ? [] : [{ kind: 'approvals', count: 1, from: [], also }]

const isOpen = ({ state }: Change): boolean => ['pending', 'approved'].includes(state)
const isLink = ({ names }: Way): boolean => ['tie', 'untie', 'tag'].includes(names[0] ?? '')

const isSpent = ({ state }: Change): boolean => effectiveStates.some((one) => one === state)
const isAlive = (change: Change): boolean => isSpent(change) || ['pending', 'approved'].includes(change.state)

/** What an answer shows of requests, by what its buttons carry. */
const marksIn = (reply: Reply): [id: string, button: string][] => {
  if (reply.kind === 'change') return [[reply.change.id, buttonIdOf(reply.change)]]
  return reply.kind === 'answer' || reply.kind === 'refused' ? marksOf(reply.view) : []
}
const marksOf = (view: View): [id: string, button: string][] =>
  actionsIn(view).flatMap(({ id: button }): [string, string][] => {
    const { id, shown } = readButton(button)
    return shown === undefined ? [] : [[id, `${id}.${shown.digest}.${shown.edition}`]]
  })

/** Of a request that was not answered yet. */
const nothing = { id: '', state: 'failed', createdAt: Infinity } as Change
