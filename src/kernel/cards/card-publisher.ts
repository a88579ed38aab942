import { isDeepStrictEqual } from 'node:util'
import { ok } from '../../lib/result.ts'
import { backoffMs, retry } from '../../lib/retry.ts'
import { isAway } from '../../lib/sql/database.ts'
import { verbs } from '../../lib/view/button-labels.ts'
import type { Verb, View } from '../../lib/view/view.ts'
import { turnOf } from '../actors/turn.ts'
import { type StepCore, transition } from '../change/transition.ts'
import type { Core } from '../core.ts'
import { isConfirmOnly, needsApproval } from '../law/clauses.ts'
import { isEnded, isSettled } from '../law/law.ts'
import { isRefusedForGood, type Messenger, MessengerError } from '../messenger/messenger.ts'
import type { Change, Platform } from '../model/change.ts'
import type { Cards } from '../store/cards.ts'
import type { Task } from '../store/tasks.ts'
import { aboutOf, countRefusal, deliver, firstTaken, type Refused, waysTo } from '../telling/deliver.ts'
import { cardOf, endOf, newsOf, reminderOf, type Card as Shown } from './card.ts'
import { type CardPlace, inPerson, isIn, isRefused, wantedOf } from './card-places.ts'
import { noteClosed } from './closed-channels.ts'
import { decidersNews, mayTell, recordCopy, toldPlace } from './copies.ts'

type Card = Awaited<ReturnType<Cards['of']>>[number]
export type PublisherCore = StepCore & Pick<Core, 'messengers' | 'policy' | 'log'>

/** Who looks at a copy: its requester alone, somebody in person, or everybody there. */
type Audience = 'aside' | 'own' | 'direct' | 'shared'

const audienceOf = ({ clauses, emergency }: Change, place: string): Audience => {
  if (place.includes('direct:')) return 'direct'
  if (place === 'aside') return 'aside'
  return place === 'origin' && isConfirmOnly(clauses) && emergency === undefined ? 'own' : 'shared'
}

/** What stands in a place now. Where others read it too, it mentions those whose turn it is. */
export const viewFor = async (
  { policy, now, store }: Pick<PublisherCore, 'policy' | 'now' | 'store'>,
  change: Change,
  place: string,
): Promise<View> => {
  const audience = audienceOf(change, place)
  const mentionsThem = change.state === 'pending' && change.notify !== 'channel' && audience === 'shared'
  const mentions = mentionsThem ? turnOf(policy, change, await store.absences.active()) : []
  if (place === toldPlace && isEnded(change.state)) return endOf(change, mayTell({ policy }, change))
  if (place === toldPlace || place === decidersNews)
    return newsOf(change, now(), undefined, place === toldPlace)
  return place.startsWith('reminder:')
    ? reminderOf(change, now(), mentions)
    : ownCardOf(policy, change, audience, cardOf(change, now(), mentions, readerOf(change, audience)).view)
}

/** In whose terms a copy is written: a requester who confirms it, or somebody who has it in person to decide. */
const readerOf = ({ clauses }: Change, audience: Audience) => {
  if (audience === 'direct') return 'decider' as const
  return audience !== 'shared' && isConfirmOnly(clauses) ? ('requester' as const) : undefined
}

/** As `viewFor`, for all copies of a card: what looks the same is drawn once. */
const viewsOf = (core: PublisherCore, change: Change): ((place: string) => Promise<View>) => {
  const drawn = new Map<Audience, Promise<View>>()
  return (place) => {
    if (place.startsWith('reminder:') || place === toldPlace || place === decidersNews)
      return viewFor(core, change, place)
    const audience = audienceOf(change, place)
    const view = drawn.get(audience) ?? viewFor(core, change, place)
    drawn.set(audience, view)
    return view
  }
}

/** A card that one side alone sees has no button that only the other may press. */
const ownCardOf = (policy: Core['policy'], change: Change, audience: Audience, card: Shown): Shown => {
  if (audience === 'direct' && change.state === 'pending')
    return { ...card, actions: card.actions.filter(({ verb }) => verbs[verb].isFor !== 'requester') }
  if (audience !== 'aside' && audience !== 'own') return card
  const isOthers = (verb: Verb) =>
    verbs[verb].does === 'finding' || (verb === 'tell' && !mayTell({ policy }, change))
  return { ...card, actions: card.actions.filter(({ verb }) => !isOthers(verb)) }
}

/**
 * Brings every copy of a change's card up to date: posts missing copies and edits those that show an older
 * version. Safe to run any number of times; a platform that is down is tried again later. Where an approvals channel does
 * not take the card, those who decide get it in person, and every copy says so. `again`: also where this platform's
 * approvals channel had refused it.
 */
export const showCards = async (
  core: PublisherCore,
  change: Change,
  { anew = false, again }: { anew?: boolean; again?: Platform } = {},
): Promise<void> => {
  const { cards } = core.store
  const copies = await cards.of(change.id)
  const wanted = await wantedOf(core, change)
  const untried = wanted.filter(
    (one) =>
      !isIn(copies, one) &&
      (one.platform === again || !isRefused(change, one.platform, one.place, toOf(one))),
  )
  const refused = untried.some(({ place }) => !isForDeciders(place)) ? await cards.refusedBy(change.id) : []
  const viewIn = viewsOf(core, change)
  const later: unknown[] = []
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      later.push(error)
      return undefined
    }
  }
  const postAll = async (places: readonly CardPlace[], viewOf = viewIn): Promise<Posted[]> => {
    const posted = await Promise.all(
      places.map((place) =>
        attempt(async () => ({ place, by: await postCopy(core, change, place, await viewOf(place.place)) })),
      ),
    )
    return posted.filter((one) => one !== undefined)
  }
  const [edited, posted] = await Promise.all([
    Promise.all(
      copies
        .filter((copy) => anew || copy.version < change.version)
        .map((copy) => attempt(() => editCopy(core, change, copy, viewIn))),
    ),
    postAll(untried.filter((one) => !isIn(refused, one))),
  ])
  if (!isSettled(change.state)) {
    const lost = edited.filter((copy) => copy !== undefined)
    const anyway = await postAll(wanted.filter((one) => isForDeciders(one.place) && isIn(lost, one)))
    await tellInPerson(core, change, [...posted, ...anyway], postAll)
  }
  if (later.length > 0) throw later[0]
}

/** Where the approvals channel does not take a card, those who decide get it in person, in the same moment. */
const tellInPerson = async (
  core: PublisherCore,
  change: Change,
  posted: readonly Posted[],
  postAll: (places: readonly CardPlace[], viewOf: () => Promise<View>) => Promise<Posted[]>,
): Promise<void> => {
  const reach = reachAfter(change, posted)
  if (reach === undefined && change.reach === undefined) return
  const told = { ...change, reach }
  const copies = await core.store.cards.of(change.id)
  const people = (await inPerson(core, told, 'direct:')).filter(
    (one) => !isIn(copies, one) && !isRefused(told, one.platform, one.place),
  )
  const view = viewFor(core, told, 'direct:')
  await noteReach(core, change, [...posted, ...(await postAll(people, () => view))])
}

/** Where those look who decide: a refusal there is on the card, until it is mended. */
const isForDeciders = (place: string): boolean => place === 'mirror' || place.startsWith('direct:')

const toOf = ({ target }: Pick<CardPlace, 'target'>): string =>
  'account' in target ? target.name : (target.channel ?? '')

/** What became of a card that was to be posted: undefined where the place took it. */
type Posted = { place: CardPlace; by: Refused | undefined }

const reachAfter = ({ reach }: Change, posted: readonly Posted[]): Change['reach'] => {
  const isAnew = ({ platform, place }: { platform: Platform; place: string }) =>
    posted.some((one) => isIn([{ platform, place }], one.place))
  const refusals = [
    ...(reach?.refusals ?? []).filter((one) => !isAnew(one)),
    ...posted.flatMap(({ place: { platform, place, target }, by }) =>
      by === undefined || !isForDeciders(place)
        ? []
        : { platform, place, to: toOf({ target }), why: by.error.words },
    ),
  ]
  return refusals.length === 0 ? undefined : { refusals, asked: reach?.asked ?? [] }
}

/** Stores on the change whom its card did not reach, which every copy then shows, and has closed channels tried again. */
const noteReach = async (core: PublisherCore, change: Change, posted: readonly Posted[]): Promise<void> => {
  const after = reachAfter(change, posted)
  const people = (await core.store.cards.of(change.id)).flatMap(({ place }) =>
    place.startsWith('direct:') ? place.slice('direct:'.length) : [],
  )
  const nameOf = (id: string) => core.policy.people.find((one) => one.id === id)?.name ?? id
  const reach = after && { ...after, asked: [...new Set(people)].map(nameOf) }
  if (isDeepStrictEqual(reach, change.reach)) return
  await transition(core, change.id, async () => ok({ kind: 'reach', reach }))
  for (const { place, by } of posted) {
    if (by !== undefined && place.place === 'mirror')
      await noteClosed(core, place.platform, toOf(place), by.error)
  }
}

/**
 * Shows the newest version on one copy. A copy that can no longer be shown is forgotten and returned; the requester then
 * gets theirs in person, unless they are told the end anyway.
 */
const editCopy = async (
  core: PublisherCore,
  change: Change,
  copy: Card,
  viewIn: (place: string) => Promise<View>,
): Promise<Card | undefined> => {
  const { cards } = core.store
  const messenger = core.messengers.get(copy.platform)
  if (messenger === undefined) return undefined
  const view = await viewIn(copy.place)
  try {
    await edit(core, change, messenger, copy, view)
    return undefined
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    countRefusal(core, messageOf(change, copy.place), copy.platform, error)
    // It stands there as it was: what was pressed on it is answered, and the next version is tried again.
    if (error.kind === 'broken') return undefined
    const isTold = isEnded(change.state) && needsApproval(change.clauses)
    if (copy.place === 'origin' && !isTold) await showAside(core, change, messenger, view)
    await cards.remove(change.id, copy.platform, copy.address)
    if (isForDeciders(copy.place) && !isEnded(change.state)) return copy
    await cards.refuse(change.id, copy.platform, copy.place)
    return copy
  }
}

const edit = async (
  core: PublisherCore,
  change: Change,
  messenger: Messenger,
  copy: Card,
  view: View,
): Promise<void> => {
  await messenger.edit(copy.address, view)
  if (await core.store.cards.shown(change.id, copy.platform, copy.address, change.version)) return
  // Another process has edited it meanwhile, and nobody knows which edit came last: the newest is shown once more.
  const newest = await core.store.changes.get(change.id)
  if (newest !== null && newest.version > change.version)
    await edit(core, newest, messenger, copy, await viewFor(core, newest, copy.place))
}

/** A place that does not take the card is returned with what it said, and the requester is shown theirs somewhere else. */
export const postCopy = async (
  core: PublisherCore,
  change: Change,
  { platform, place, target }: CardPlace,
  view: View,
): Promise<Refused | undefined> => {
  const ways =
    'account' in target
      ? waysTo(core, { ...target, platform }, (messenger, account) => messenger.direct(account, view))
      : [{ platform, send: (messenger: Messenger) => messenger.post(target, view) }]
  const { sent, refusals } = await firstTaken(core, messageOf(change, place), ways)
  if (sent !== undefined) {
    await keep(core, change, { platform: sent.platform, place, address: sent.value })
    return undefined
  }
  const messenger = core.messengers.get(platform)
  if (place === 'origin' && messenger !== undefined) await showAside(core, change, messenger, view)
  if (!isForDeciders(place)) await patiently(() => core.store.cards.refuse(change.id, platform, place))
  return refusals.at(-1)
}

const messageOf = (change: Change, place: string) => ({
  kind: place.startsWith('reminder:') ? ('reminder' as const) : ('card' as const),
  to: change.requester.name,
  about: aboutOf(change),
})

/** To the requester in person. */
const showAside = async (
  core: PublisherCore,
  change: Change,
  { platform }: Messenger,
  view: View,
): Promise<void> => {
  const copies = await core.store.cards.of(change.id)
  if (copies.some(({ place }) => place === 'aside')) return
  const ways = waysTo(core, { ...change.requester, platform }, (messenger, account) =>
    messenger.direct(account, view),
  )
  const sent = await deliver(core, messageOf(change, 'aside'), ways)
  if (sent !== undefined)
    await keep(core, change, { platform: sent.platform, place: 'aside', address: sent.value })
}

const keep = (
  core: StepCore,
  { id, version }: Change,
  copy: { platform: Platform; place: CardPlace['place']; address: string },
): Promise<void> => patiently(() => recordCopy(core, { changeId: id, version, ...copy }))

/**
 * A card that is posted but not recorded would keep its buttons forever, so this waits until the database is
 * back.
 */
const patiently = (work: () => Promise<void>): Promise<void> =>
  retry(work, (error, failures) => (isAway(error) && failures <= 40 ? 500 : undefined))

const pauses = { firstMs: 500, longestMs: 60_000 }

/** When to try again: when the platform says, or after a growing delay. */
export const retryAt = (task: Task, error: unknown, now: number): number => {
  const asked = error instanceof MessengerError ? error.retryAfterMs : undefined
  return now + (asked ?? backoffMs(pauses, task.attempts + 1))
}
