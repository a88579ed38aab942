import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { type Decision, isDecision, verbs } from '../../../lib/view/button-labels.ts'
import { fewNames } from '../../../lib/view/format.ts'
import { noSuchChange, type Refusal, refusal } from '../../../lib/view/refusals.ts'
import { text, type Verb } from '../../../lib/view/view.ts'
import { plainWords } from '../../../lib/view/words.ts'
import { isDecider, mayDecide, partyOf, refuseFrozen } from '../../actors/authorization.ts'
import { changeFor } from '../../actors/delegates.ts'
import { askGroups, type GroupsNow } from '../../actors/membership.ts'
import { type CheckedSignature, checkSignature, whereToSign } from '../../actors/passkeys.ts'
import { peopleWhoseTurn } from '../../actors/turn.ts'
import { cardReply } from '../../cards/card.ts'
import { eventOf } from '../../cards/pressable.ts'
import type { Actor } from '../../command/context.ts'
import { definitionOf } from '../../command/registry.ts'
import type { Core } from '../../core.ts'
import { asksMore, partiesOf } from '../../law/clauses.ts'
import { type LawEvent, step } from '../../law/law.ts'
import { type KeyOwners, signingKeysOf, weigh } from '../../law/weigh.ts'
import type { Reply } from '../../messenger/inbound.ts'
import type { Change, Party } from '../../model/change.ts'
import type { Assertion } from '../../model/passkey.ts'
import { readButton, type Shown, shownIn } from '../../model/shown.ts'
import { requestAuthors } from '../../policy/behind-request.ts'
import { othersWho } from '../../policy/deciders.ts'
import { votesFor } from '../../policy/delegation.ts'
import { refuseUndecidable, refuseUnlisted } from '../../policy/listed.ts'
import { approveNamesOf, mayApprove, rolesNow } from '../../policy/people.ts'
import type { Absence } from '../../store/absences.ts'
import type { Store } from '../../store/store.ts'
import { executeOrLeave } from '../applying/execute.ts'
import { refuseUnreviewed } from '../asking/alone.ts'
import { askAgain } from '../asking/ask-again.ts'
import { transition } from '../transition.ts'
import { decideClauses, type Judgement, judgedAgain } from './decide-clauses.ts'
import { recordRefusal } from './record-refusal.ts'
import { lastShown, olderCard, showFirst, shownNothing } from './shown.ts'

export type Press = {
  verb: Verb
  id: string
  reason?: string | undefined
  assertion?: Assertion | undefined
}

/** What is looked up together with the change. */
type Ahead = {
  isFirst: boolean
  absences: Absence[]
  frozen: Refusal | undefined
  decision: Judgement | undefined
  owners: KeyOwners
  /** Whether what was signed is used for the first time. */
  isFresh: boolean
}

/** The delivery that a decision came with, and whom to tell once both are on the disk. */
type Delivered = {
  delivery: string
  stored?: (() => void) | undefined
  /** What follows from it is begun by whoever asked for several at once. */
  isLater?: boolean
}

/** A decision about a change, by button or by line. A copy of its delivery waits for the first one, and changes nothing. */
export const decide = async (
  core: Core,
  actor: Actor,
  pressed: Press,
  delivered: Delivered,
): Promise<Result<Reply>> => {
  const { id, names, shown: carried } = readButton(pressed.id)
  const [before, absences] = await Promise.all([changeFor(core, actor, id), core.store.absences.active()])
  if (before === null) return no(noSuchChange(id))
  return core.tracing.ofChange(before, 'decide', async (note) => {
    note({ verb: pressed.verb })
    const isTalk =
      verbs[pressed.verb].does === 'talk' || (pressed.verb === 'cancel' && isBehind(core, actor, before))
    // Whoever talks about it, or takes back what is their own, need not have read it; a signature is of all that it is for.
    const isFree = isTalk || pressed.assertion !== undefined
    const shown = names ? carried : isFree ? shownIn(before) : await lastShown(core, actor, before)
    const decided = await decideOn(core, actor, pressed, delivered, { before, absences, shown, names })
    if (decided.ok || !isForAnother.has(decided.refusal.code)) return decided
    return ok(await showFirst(core, actor, id, decided.refusal))
  })
}

const isFreeze: ReadonlySet<Refusal['code']> = new Set(['frozen', 'store_lost'])
/** Of what was asked for while it was being frozen: its card says so from now on. */
export const showFrozen = async (core: Core, before: Change, refused: Refusal): Promise<void> => {
  if (before.frozen !== undefined) return
  await transition(core, before.id, async ({ frozen }) =>
    frozen === undefined ? ok({ kind: 'stand', about: 'frozen' }) : no(refused),
  )
}

const isForAnother: ReadonlySet<Refusal['code']> = new Set(['changed_since', 'not_shown'])

const isBehind = ({ policy }: Core, { person }: Actor, change: Change): boolean =>
  requestAuthors(change, policy).includes(person)

const decideOn = async (
  core: Core,
  actor: Actor,
  pressed: Press,
  { delivery, stored = () => undefined, isLater = false }: Delivered,
  {
    before,
    absences,
    shown,
    names,
  }: { before: Change; absences: Absence[]; shown: Shown | undefined; names: boolean },
): Promise<Result<Reply>> => {
  const { id } = before
  const { verb, reason } = withFinding(pressed, before)
  if (!isDecision(verb)) return no(refusal('not_allowed_now', 'This button does nothing here.'))
  const press = { verb, id: pressed.id, reason }
  const unsaid = names ? olderCard : shownNothing
  const signing =
    pressed.assertion === undefined ? undefined : await checkSignature(core, actor, before, pressed.assertion)
  if (signing?.ok === false) return no(await recordRefusal(core, actor, before, signing.refusal))
  const signature = signing?.value
  const isSelf = isBehind(core, actor, before)
  const isAsked = !isSelf && verbs[verb].isFor === 'others' && isDecider(core.policy, actor, before)
  const unlisted = isAsked ? refuseUnlisted(core.policy, actor, before) : undefined
  if (unlisted !== undefined) return no(await recordRefusal(core, actor, before, unlisted))
  const delegators = absences.flatMap(({ by, to }) => (to === actor.person ? by : []))
  const groups = await askGroups(core, [...partiesOf(before.votes), ...delegators])
  if (verbs[press.verb].asks && !press.reason?.trim()) {
    const given = { ...press, reason: 'to be given' }
    const allowed = step(
      before,
      eventFor(core, actor, given, before, { groups, absences, owners: new Map() }, shown),
    )
    if (allowed.ok && shown === undefined) return no(unsaid)
    if (!allowed.ok) return no(await recordRefusal(core, actor, before, allowed.refusal))
    return ok({
      kind: 'reason',
      verb: press.verb,
      id: press.id,
      title: `${verbs[press.verb].label}: ${before.preview.title}`,
    })
  }
  const isYes = verbs[press.verb].does === 'vote'
  let isFirst = true
  const done = await transition<Ahead>(
    core,
    id,
    async (change, store, ahead) => {
      isFirst = ahead.isFirst
      if (!isFirst) return no(repeated)
      if (ahead.frozen !== undefined) return no(ahead.frozen)
      if (!ahead.isFresh) return no(usedSignature)
      const known = { groups, absences: ahead.absences, owners: ahead.owners }
      const event = eventFor(core, actor, press, change, known, shown, signature)
      if (shown === undefined && step(change, event).ok) return no(unsaid)
      if (event.kind === 'review' && step(change, event).ok) await store.emergencies.reviewed(change.id)
      if (event.kind !== 'vote') return ok(event)
      const judged = change.version === before.version ? ahead.decision : undefined
      const again = await askAgainFor(core, store, change, event, judged)
      const refused = again && refuseUndecidable(core.policy, change.requester, again.terms.clauses)
      if (refused !== undefined) return no(refused)
      if (again !== undefined || !step(change, event).ok) return ok(again ?? event)
      const unreviewed = await useEmergency(store, change, event.at)
      return unreviewed === undefined ? ok(event) : no(unreviewed)
    },
    {
      durability: 'buffered',
      ahead: async (store, away) => {
        const [first, absences, frozen, decision, owners] = await Promise.all([
          store.deliveries.first(delivery),
          away,
          isYes ? refuseFrozen(store, before.area, before.requester) : undefined,
          isYes ? decideClauses(core, store, judgedAgain(core, before), 'claim') : undefined,
          store.passkeys.ownersOf([
            ...signingKeysOf(before),
            ...(signature === undefined ? [] : [signature.signed.key]),
          ]),
        ])
        const isFresh = signature === undefined || (await useSignature(store, signature, owners))
        return { isFirst: first, absences, frozen, decision, owners, isFresh }
      },
    },
  )
  // What the first copy has written is on the disk too before any copy is answered.
  const durable = core.store.synced()
  if (!isFirst) {
    await durable
    core.count({ kind: 'repeated', platform: actor.platform })
    return ok({ kind: 'repeated' })
  }
  if (!done.ok) {
    await durable
    if (done.refusal.code === 'needs_passkey')
      return no(await whereToSign(core, actor, before.id, done.refusal))
    if (isFreeze.has(done.refusal.code)) await showFrozen(core, before, done.refusal)
    return no(await recordRefusal(core, actor, before, done.refusal))
  }
  const told = durable.then(stored)
  told.catch(() => undefined)
  core.onStep('voted', id)
  const { change } = done.value
  if (press.verb === 'remind') {
    await told
    return ok(remindedReply(change, peopleWhoseTurn(core.policy, change, absences)))
  }
  const after = isLater ? change : await executeOrLeave(core, change)
  await told
  return ok(cardReply(after, core.now(), { isDecided: true }))
}

/** Whoever reminds people reads whom. */
const remindedReply = (
  { command, preview, reminder }: Change,
  people: readonly { name: string }[],
): Extract<Reply, { kind: 'answer' }> => {
  const names = fewNames(
    people.map(({ name }) => name),
    'those who may approve it',
  )
  const blocks = [text(preview.title), text(`They read: ${reminder?.why ?? 'Reminder'}.`)]
  return { kind: 'answer', command, view: { title: `Reminded: ${names}`, tone: 'good', blocks } }
}

/** Who agrees with what the bot found gives that as the reason, with one click; who does not says why. */
const withFinding = (press: Press, { checked }: Change): Press => {
  if (checked === undefined || press.reason?.trim()) return press
  const isAgreed =
    (press.verb === 'happened' && checked.happened === true) ||
    (press.verb === 'did_not' && checked.happened === false)
  return isAgreed ? { ...press, reason: plainWords(checked.message) } : press
}

/** Of all that could be done alone, one thing is until somebody else has looked at it. */
const useEmergency = async (
  store: Pick<Store, 'emergencies' | 'changes' | 'lock'>,
  { id, emergency, requester }: Change,
  at: number,
): Promise<Refusal | undefined> => {
  if (emergency === undefined) return undefined
  await store.lock({ alone: ['emergency'] })
  const unreviewed = await refuseUnreviewed(store, requester, id)
  if (unreviewed === undefined) await store.emergencies.use({ changeId: id, person: requester.person, at })
  return unreviewed
}

/** One signature is one vote, by a key that is still there. */
const useSignature = async (
  { passkeys }: Pick<Store, 'passkeys'>,
  { challenge, counter, signed }: CheckedSignature,
  owners: KeyOwners,
): Promise<boolean> => {
  if (owners.get(signed.key) !== signed.person || !(await passkeys.use(challenge, 'sign'))) return false
  await passkeys.count(signed.key, counter)
  return true
}

const usedSignature = refusal('bad_signature', 'This signature was used before, or its passkey was removed.')
const repeated = refusal('not_pending', 'This was decided by an earlier copy of the same delivery.')

/** Where it is not known what was shown, what the law would say to somebody who was shown all of it. */
const eventFor = (
  core: Core,
  actor: Actor,
  { verb, reason = '' }: Press & { verb: Decision },
  change: Change,
  { groups, absences, owners }: { groups: GroupsNow; absences: readonly Absence[]; owners: KeyOwners },
  shown: Shown | undefined,
  signature?: CheckedSignature,
): LawEvent => {
  const { policy } = core
  const isSelf = isBehind(core, actor, change)
  const rolesOf = (party: Party) => rolesNow(policy, party, groups(party))
  const away = votesFor(policy, change, actor, absences, rolesOf)
  const isOwnRight = away !== undefined || mayApprove(policy, actor, approveNamesOf(change))
  return eventOf(verb, {
    by: partyOf(actor),
    for: away,
    mayVote: !isSelf && mayDecide(policy, actor, change),
    at: core.now(),
    shown: shown ?? shownIn(change),
    reason,
    others: () => othersWho(policy, change),
    vote: () => ({
      weighed: weigh(core, change, rolesOf, absences, owners),
      ...defined({ signed: signature?.signed }),
      ...(isOwnRight ? {} : { granted: true as const }),
    }),
  })
}

/** A vote that would count, while the policy has come to ask for more than its card shows: people look again. */
const askAgainFor = async (
  core: Core,
  store: Store,
  change: Change,
  vote: LawEvent,
  known: Judgement | undefined,
): Promise<ReturnType<typeof askAgain> | undefined> => {
  const definition = definitionOf(core.registry, change)
  if (definition === undefined || !step(change, vote).ok) return undefined
  const decision = known ?? (await decideClauses(core, store, judgedAgain(core, change), 'claim'))
  if (!asksMore(change.clauses, decision.clauses)) return undefined
  return askAgain(definition, change, change, decision, core.now())
}
