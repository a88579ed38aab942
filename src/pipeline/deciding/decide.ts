import { cardReply } from '../../approvals/card.ts'
import { type LawEvent, step } from '../../approvals/law.ts'
import { eventOf } from '../../approvals/pressable.ts'
import { transition } from '../../approvals/transition.ts'
import { type KeyOwners, signingKeysOf, weigh } from '../../approvals/weigh.ts'
import type { Asker } from '../../command/context.ts'
import { definitionOf } from '../../command/registry.ts'
import type { Core } from '../../core/core.ts'
import { isDecider, mayDecide, partyOf, whyFrozen } from '../../core/people/authorization.ts'
import { changeFor } from '../../core/people/delegates.ts'
import { askGroups, type GroupsNow } from '../../core/people/membership.ts'
import { type CheckedSignature, checkSignature, whereToSign } from '../../core/people/passkeys.ts'
import { peopleWhoseTurn } from '../../core/people/turn.ts'
import { defined } from '../../defined.ts'
import type { Reply } from '../../messenger/inbound.ts'
import type { Change, Party } from '../../model/change.ts'
import type { Assertion } from '../../model/passkey.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { peopleBehind } from '../../policy/behind-request.ts'
import { asksMore, partiesOf } from '../../policy/clauses.ts'
import { othersWho } from '../../policy/deciders.ts'
import { votesFor } from '../../policy/delegation.ts'
import { whyNobody, whyNotTwo } from '../../policy/listed.ts'
import { approveNamesOf, mayApprove, rolesNow } from '../../policy/people.ts'
import type { Absence } from '../../storage/absences.ts'
import type { Store } from '../../storage/store.ts'
import { asksReason, buttonLabelOf, type Decision, isDecision } from '../../view/button-labels.ts'
import { fewNames } from '../../view/format.ts'
import { noSuchChange, type Refusal, refusal } from '../../view/refusals.ts'
import { text, type Verb } from '../../view/view.ts'
import { plainWords } from '../../view/words.ts'
import { executeOrLeave } from '../applying/execute.ts'
import { whyUnreviewed } from '../asking/alone.ts'
import { askAgain } from '../asking/ask-again.ts'
import { decideClauses, type Judgement, judgedAgain } from './decide-clauses.ts'
import { recordRefusal } from './record-refusal.ts'

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
  asker: Asker,
  pressed: Press,
  delivered: Delivered,
): Promise<Result<Reply>> => {
  const [id = '', seen] = pressed.id.split('.')
  const [before, absences] = await Promise.all([changeFor(core, asker, id), core.store.absences.active()])
  if (before === null) return no(noSuchChange(id))
  return core.tracing.ofChange(before, 'decide', async (note) => {
    note({ verb: pressed.verb })
    return decideOn(core, asker, pressed, delivered, { before, absences, seen })
  })
}

const decideOn = async (
  core: Core,
  asker: Asker,
  pressed: Press,
  { delivery, stored = () => undefined, isLater = false }: Delivered,
  { before, absences, seen }: { before: Change; absences: Absence[]; seen: string | undefined },
): Promise<Result<Reply>> => {
  const { id } = before
  const { verb, reason } = withFinding(pressed, before)
  if (!isDecision(verb)) return no(refusal('not_allowed_now', 'This button does nothing here.'))
  const press = { verb, id: pressed.id, reason }
  const signing =
    pressed.assertion === undefined ? undefined : await checkSignature(core, asker, before, pressed.assertion)
  if (signing?.ok === false) return no(await recordRefusal(core, asker, before, signing.refusal))
  const signature = signing?.value
  const isSelf = peopleBehind(before, core.policy).includes(asker.person)
  const isAsked = !isSelf && isForOthers.has(verb) && isDecider(core.policy, asker, before)
  const unlisted = isAsked ? whyNotTwo(core.policy, asker, before) : undefined
  if (unlisted !== undefined) return no(await recordRefusal(core, asker, before, unlisted))
  const delegators = absences.flatMap(({ by, to }) => (to === asker.person ? by : []))
  const groups = await askGroups(core, [...partiesOf(before.votes), ...delegators])
  if (asksReason.has(press.verb) && !press.reason?.trim()) {
    const given = { ...press, reason: 'to be given' }
    const allowed = step(
      before,
      eventFor(core, asker, given, before, { groups, absences, owners: new Map() }),
    )
    if (!allowed.ok) return no(await recordRefusal(core, asker, before, allowed.refusal))
    return ok({
      kind: 'reason',
      verb: press.verb,
      id: press.id,
      title: `${buttonLabelOf[press.verb]}: ${before.preview.title}`,
    })
  }
  const isYes = press.verb === 'approve' || press.verb === 'confirm'
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
      const event = eventFor(core, asker, press, change, known, seen, signature)
      if (event.kind === 'review' && step(change, event).ok) await store.emergencies.reviewed(change.id)
      if (event.kind !== 'vote') return ok(event)
      const judged = change.version === before.version ? ahead.decision : undefined
      const again = await askAgainFor(core, store, change, event, judged)
      const refused = again && whyNobody(core.policy, change.requester, again.terms.clauses)
      if (refused !== undefined) return no(refused)
      if (again !== undefined || !step(change, event).ok) return ok(again ?? event)
      const unreviewed = await useEmergency(store, change, event.at)
      return unreviewed === undefined ? ok(event) : no(unreviewed)
    },
    {
      durability: 'buffered',
      ahead: async (store) => {
        const [first, absences, frozen, decision, owners] = await Promise.all([
          store.deliveries.first(delivery),
          store.absences.active(),
          isYes ? whyFrozen(store, before.area, before.requester) : undefined,
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
    core.count({ kind: 'repeated', platform: asker.platform })
    return ok({ kind: 'repeated' })
  }
  if (!done.ok) {
    await durable
    if (done.refusal.code === 'needs_passkey')
      return no(await whereToSign(core, asker, before.id, done.refusal))
    return no(await recordRefusal(core, asker, before, done.refusal))
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

/** What somebody else than the requester says about a request. */
const isForOthers: ReadonlySet<Decision> = new Set([
  'approve',
  'reject',
  'ask',
  'happened',
  'did_not',
  'mark_reviewed',
])

/** Of all that could be done alone, one thing is until somebody else has looked at it. */
const useEmergency = async (
  store: Pick<Store, 'emergencies' | 'changes' | 'lock'>,
  { id, emergency, requester }: Change,
  at: number,
): Promise<Refusal | undefined> => {
  if (emergency === undefined) return undefined
  await store.lock({ alone: ['emergency'] })
  const unreviewed = await whyUnreviewed(store, requester, id)
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

/** A button carries the start of the digest that its card showed; a line speaks of what is there now. */
const eventFor = (
  core: Core,
  asker: Asker,
  { verb, reason = '' }: Press & { verb: Decision },
  change: Change,
  { groups, absences, owners }: { groups: GroupsNow; absences: readonly Absence[]; owners: KeyOwners },
  seen?: string,
  signature?: CheckedSignature,
): LawEvent => {
  const { policy } = core
  const isSelf = peopleBehind(change, policy).includes(asker.person)
  const rolesOf = (party: Party) => rolesNow(policy, party, groups(party))
  const away = votesFor(policy, change, asker, absences, rolesOf)
  const isOwnRight = away !== undefined || mayApprove(policy, asker, approveNamesOf(change))
  return eventOf(verb, {
    by: partyOf(asker),
    for: away,
    mayVote: !isSelf && mayDecide(policy, asker, change),
    at: core.now(),
    reason,
    others: () => othersWho(policy, change),
    vote: () => {
      const isCurrent = seen === undefined || (seen !== '' && change.digest.startsWith(seen))
      return {
        digest: isCurrent ? change.digest : seen,
        weighed: weigh(core, change, rolesOf, absences, owners),
        ...defined({ signed: signature?.signed }),
        ...(isOwnRight ? {} : { granted: true as const }),
      }
    },
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
