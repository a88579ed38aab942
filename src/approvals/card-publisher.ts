import type { Core } from '../core/core.ts'
import { peopleWhoseTurn, turnOf } from '../core/turn.ts'
import type { Inbound } from '../messenger/inbound.ts'
import { isRefusedForGood, type Messenger, MessengerError, type Place } from '../messenger/messenger.ts'
import type { Change, Platform } from '../model/change.ts'
import { isConfirmOnly, needsApproval } from '../policy/clauses.ts'
import { backoffMs, retry } from '../retry.ts'
import type { Cards } from '../storage/cards.ts'
import { DatabaseError } from '../storage/database/database.ts'
import type { Task } from '../storage/tasks.ts'
import type { View } from '../view/view.ts'
import { cardOf, endOf, lateView, reminderOf } from './card.ts'
import { isEnded } from './law.ts'

type Card = Awaited<ReturnType<Cards['of']>>[number]
export type PublisherCore = Pick<Core, 'store' | 'messengers' | 'policy' | 'log' | 'now'>

/**
 * A place where a copy of the card should be. Places are `origin`, `mirror`, `public`, `aside`, `direct:` with a person,
 * and `reminder:` with the number of the reminder and where it is.
 */
export type CardPlace = { platform: Platform; place: string; target: Place | { account: string } }

/** Who looks at a copy: its requester alone, somebody in person, or everybody there. */
type Audience = 'aside' | 'own' | 'direct' | 'shared'

const audienceOf = ({ clauses }: Change, place: string): Audience => {
  if (place.includes('direct:')) return 'direct'
  if (place === 'aside') return 'aside'
  return place === 'origin' && isConfirmOnly(clauses) ? 'own' : 'shared'
}

/** What stands in a place now. Where others read it too, it mentions those whose turn it is. */
export const viewFor = async (
  { policy, now, store }: Pick<PublisherCore, 'policy' | 'now' | 'store'>,
  change: Change,
  place: string,
): Promise<View> => {
  const audience = audienceOf(change, place)
  const mentionsThem =
    change.state === 'pending' && change.notify !== 'channel' && (audience === 'own' || audience === 'shared')
  const mentions = mentionsThem ? turnOf(policy, change, await store.absences.active()) : []
  return place.startsWith('reminder:')
    ? reminderOf(change, now(), mentions)
    : ownCardOf(change, audience, cardOf(change, now(), mentions))
}

/** As `viewFor`, for all copies of a card: what looks the same is drawn once. */
const viewsOf = (core: PublisherCore, change: Change): ((place: string) => Promise<View>) => {
  const drawn = new Map<Audience, Promise<View>>()
  return (place) => {
    if (place.startsWith('reminder:')) return viewFor(core, change, place)
    const audience = audienceOf(change, place)
    const view = drawn.get(audience) ?? viewFor(core, change, place)
    drawn.set(audience, view)
    return view
  }
}

/**
 * Brings every copy of a change's card up to date: posts missing copies and edits those that show an older
 * version. Safe to run any number of times; a platform that is down is tried again later.
 */
export const showCards = async (
  core: PublisherCore,
  change: Change,
  { anew = false }: { anew?: boolean } = {},
): Promise<void> => {
  const copies = await core.store.cards.of(change.id)
  const isIn = (those: readonly Pick<CardPlace, 'platform' | 'place'>[], { platform, place }: CardPlace) =>
    those.some((one) => one.platform === platform && one.place === place)
  const missing = (await wantedOf(core, change)).filter((wanted) => !isIn(copies, wanted))
  const refused = missing.length === 0 ? [] : await core.store.cards.refusedBy(change.id)
  const viewIn = viewsOf(core, change)
  const later: unknown[] = []
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (isRefusedForGood(error))
        core.log.warn({ err: error, kind: error.kind }, 'a card could not be brought up to date')
      else later.push(error)
    }
  }
  await Promise.all([
    ...copies
      .filter((copy) => anew || copy.version < change.version)
      .map((copy) =>
        attempt(async () => {
          const messenger = core.messengers.get(copy.platform)
          if (messenger === undefined) return
          await edit(core, change, messenger, copy, await viewIn(copy.place))
        }),
      ),
    ...missing
      .filter((wanted) => !isIn(refused, wanted))
      .map((wanted) => attempt(async () => postCopy(core, change, wanted, await viewIn(wanted.place)))),
  ])
  if (later.length > 0) throw later[0]
}

/**
 * A press on a copy that nobody knows of: its process died after it was posted and before its address was stored. From
 * now on it is kept up to date as the others are.
 */
export const adoptCard = async (
  core: Pick<Core, 'store' | 'now' | 'wake'>,
  button: string,
  { pressedOn, from: { platform } }: Pick<Inbound, 'pressedOn' | 'from'>,
): Promise<void> => {
  if (pressedOn === undefined) return
  const id = button.split('.')[0] ?? ''
  const copies = await core.store.cards.of(id)
  if (copies.some((copy) => copy.platform === platform && copy.address === pressedOn)) return
  if ((await core.store.changes.get(id)) === null) return
  await core.store.cards.add({ changeId: id, platform, address: pressedOn, place: 'adopted' })
  await core.store.tasks.put({ kind: 'cards', key: `cards:${id}`, doc: { id }, dueAt: core.now() })
  core.wake()
}

/** A card that its requester alone sees has no button that only others may press. */
const ownCardOf = (change: Change, audience: Audience, card: View): View => {
  if (change.state !== 'unknown' || (audience !== 'aside' && audience !== 'own')) return card
  const { actions = [] } = card
  return { ...card, actions: actions.filter(({ verb }) => verb !== 'happened' && verb !== 'did_not') }
}

/** Tells the requester how it ended: in person, or where they asked, or among the approvals; whichever still takes it. */
export const notifyRequester = async (core: PublisherCore, change: Change): Promise<void> => {
  const { platform, account } = change.requester
  const messenger = core.messengers.get(platform)
  if (messenger === undefined) return
  const inChannel = (channel: string | null | undefined) =>
    channel
      ? [() => messenger.post({ channel, handle: null, onlyFor: null }, endOf(change, { isPublic: true }))]
      : []
  const ways = [
    () => messenger.direct(account, endOf(change)),
    ...inChannel(change.origin.platform === platform ? change.origin.channel : null),
    ...inChannel(core.policy.approvals[platform]),
  ]
  for (const tell of ways) {
    try {
      await tell()
      return
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
      core.log.warn({ err: error, changeId: change.id }, 'the outcome could not be posted there')
    }
  }
  core.log.error(
    { changeId: change.id },
    'the outcome could not be posted anywhere; the card and approval get show it',
  )
}

/** Whoever is told when something was learned late: those who asked and decided, and all who read the approvals. */
export type Listener = { platform: Platform } & ({ account: string } | { channel: string })

export const lateListenersOf = ({ policy }: Pick<Core, 'policy'>, change: Change): Listener[] => {
  const { requester, votes, late, ended } = change
  const people = [
    requester,
    ...votes.map(({ by }) => by),
    ...[late?.contradicts?.by, ended?.by].filter((one) => one !== undefined),
  ]
  const told = new Map(
    people.map(({ platform, account }) => [`${platform}:${account}`, { platform, account }]),
  )
  const channels = late?.contradicts
    ? Object.entries(policy.approvals).map(([platform, channel]) => ({ platform, channel }))
    : []
  return [...told.values(), ...channels]
}

export const tellLate = async (core: PublisherCore, change: Change, to: Listener): Promise<void> => {
  const messenger = core.messengers.get(to.platform)
  if (messenger === undefined || change.late === undefined) return
  const view = lateView(change, change.late)
  try {
    if ('account' in to) await messenger.direct(to.account, view)
    else await messenger.post({ channel: to.channel, handle: null, onlyFor: null }, view)
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    core.log.warn({ err: error, changeId: change.id }, 'what was learned late could not be told there')
  }
}

const pauses = { firstMs: 500, longestMs: 60_000 }

/** When to try again: when the platform says, or after a growing delay. */
export const retryAt = (task: Task, error: unknown, now: number): number => {
  const asked = error instanceof MessengerError ? error.retryAfterMs : undefined
  return now + (asked ?? backoffMs(pauses, task.attempts + 1))
}

/** By name, where the rule says so, and where nobody who could decide would see a card of it. */
export const tellsDirectly = ({ policy, messengers }: PublisherCore, change: Change): boolean => {
  const { state, clauses, origin, notify } = change
  if (state !== 'pending' || !needsApproval(clauses)) return false
  const isMirrored = Object.keys(policy.approvals).some((platform) => messengers.has(platform))
  const isUnseen = origin.direct && !isMirrored && !messengers.get(origin.platform)?.isShared
  return notify === 'direct' || (notify !== 'channel' && isUnseen)
}

/** One message for each person whose turn it is, in the messenger of the request if they are there. */
export const directPlaces = async (
  { policy, messengers, store }: PublisherCore,
  change: Change,
  prefix: string,
): Promise<CardPlace[]> =>
  peopleWhoseTurn(policy, change, await store.absences.active()).flatMap(({ id, accounts }) => {
    const platform = [change.origin.platform, ...Object.keys(accounts)].find(
      (one) => messengers.has(one) && Object.hasOwn(accounts, one),
    )
    const account = platform === undefined ? undefined : accounts[platform]
    return platform === undefined || account === undefined
      ? []
      : { platform, place: `${prefix}${id}`, target: { account } }
  })

const wantedOf = async (core: PublisherCore, change: Change): Promise<CardPlace[]> => {
  const { policy, messengers } = core
  const { origin, requester, clauses, state } = change
  const needsPeople = needsApproval(clauses)
  const isPrivate = isConfirmOnly(clauses)
  const here = { channel: origin.channel, handle: origin.handle }
  const wanted: CardPlace[] = [
    {
      platform: origin.platform,
      place: 'origin',
      target: { ...here, onlyFor: isPrivate ? requester.account : null },
    },
  ]
  if (tellsDirectly(core, change)) wanted.push(...(await directPlaces(core, change, 'direct:')))
  // Only the requester sees a confirm card; everybody in the channel sees the outcome.
  if (isPrivate && !origin.direct && (state === 'applied' || state === 'unknown')) {
    wanted.push({ platform: origin.platform, place: 'public', target: { ...here, onlyFor: null } })
  }
  if (needsPeople || state === 'unknown') {
    for (const [platform, channel] of Object.entries(policy.approvals)) {
      const isOrigin = platform === origin.platform && channel === origin.channel && needsPeople
      if (!isOrigin) {
        wanted.push({ platform, place: 'mirror', target: { channel, handle: null, onlyFor: null } })
      }
    }
  }
  return wanted.filter(({ platform }) => messengers.has(platform))
}

/**
 * A private message can expire before the outcome is known, so a requester who confirmed in one gets the
 * outcome in a new message. Other requesters are told in any case.
 */
const edit = async (
  core: PublisherCore,
  change: Change,
  messenger: Messenger,
  copy: Card,
  view: View,
): Promise<void> => {
  const { cards } = core.store
  try {
    await messenger.edit(copy.address, view)
    if (await cards.shown(change.id, copy.platform, copy.address, change.version)) return
    // Another process has edited it meanwhile, and nobody knows which edit came last: the newest is shown once more.
    const newest = await core.store.changes.get(change.id)
    if (newest !== null && newest.version > change.version)
      await edit(core, newest, messenger, copy, await viewFor(core, newest, copy.place))
  } catch (error) {
    const isGone = isRefusedForGood(error)
    const isOwn = copy.place === 'origin' && !needsApproval(change.clauses)
    if (!isGone || !isOwn || !isEnded(change.state)) throw error
    core.log.warn({ err: error, changeId: change.id }, 'the requester gets the card in another place')
    await showAside(core, change, messenger, view)
    await cards.remove(change.id, copy.platform, copy.address)
    await cards.refuse(change.id, copy.platform, copy.place)
  }
}

/** A place that can never show the card is stored, and the requester is shown the card somewhere else. */
export const postCopy = async (
  core: PublisherCore,
  change: Change,
  { platform, place, target }: CardPlace,
  view: View,
): Promise<void> => {
  const messenger = core.messengers.get(platform)
  if (messenger === undefined) return
  try {
    const posted = 'account' in target ? messenger.direct(target.account, view) : messenger.post(target, view)
    await keep(core, change, { platform, place, address: await posted })
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    core.log.warn({ err: error, changeId: change.id, place }, 'a card could not be posted there')
    if (place === 'origin') await showAside(core, change, messenger, view)
    await patiently(() => core.store.cards.refuse(change.id, platform, place))
  }
}

/** To the requester in person. If that is refused too, `approval get` still shows the card. */
const showAside = async (
  core: PublisherCore,
  change: Change,
  messenger: Messenger,
  view: View,
): Promise<void> => {
  const { platform } = messenger
  const copies = await core.store.cards.of(change.id)
  if (copies.some((copy) => copy.platform === platform && copy.place === 'aside')) return
  try {
    const address = await messenger.direct(change.requester.account, view)
    await keep(core, change, { platform, place: 'aside', address })
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    core.log.warn({ err: error, changeId: change.id }, 'the requester could not be shown the card')
  }
}

const keep = (
  { store }: PublisherCore,
  { id, version }: Change,
  copy: { platform: Platform; place: CardPlace['place']; address: string },
): Promise<void> => patiently(() => store.cards.add({ changeId: id, version, ...copy }))

/**
 * A card that is posted but not recorded would keep its buttons forever, so this waits until the database is
 * back.
 */
const patiently = (work: () => Promise<void>): Promise<void> =>
  retry(work, (error, failures) =>
    error instanceof DatabaseError && error.kind === 'down' && failures <= 40 ? 500 : undefined,
  )
