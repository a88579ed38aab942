import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../lib/defined.ts'
import { serviceTitle } from '../../lib/services/endpoints/tables.ts'
import { plural, verbs } from '../../lib/view/button-labels.ts'
import { cutBlocks, cutMiddle, weightOf } from '../../lib/view/cut.ts'
import { withoutAtEnd } from '../../lib/view/end.ts'
import { due, fewNames, when } from '../../lib/view/format.ts'
import { mentionText } from '../../lib/view/mentions.ts'
import { theirs } from '../../lib/view/outside.ts'
import {
  type Action,
  address,
  type Block,
  type Fact,
  facts,
  list,
  type Mention,
  note,
  type Tone,
  text,
  type Verb,
  type View,
} from '../../lib/view/view.ts'
import { visibleLine } from '../../lib/view/visible.ts'
import { sentence, type Words } from '../../lib/view/words.ts'
import { zonedMoment } from '../../lib/view/zones.ts'
import { emergencyBlocks } from '../change/emergency.ts'
import { ballotOf, fromWords, isConfirmOnly, progressOf, stageWords } from '../law/clauses.ts'
import { isEnded, isSettled } from '../law/law.ts'
import { noteBlocks } from '../law/notes.ts'
import type { Reply } from '../messenger/inbound.ts'
import {
  type Change,
  type ChangeState,
  isUnsettled,
  type Late,
  openStates,
  states,
  unsettledStates,
} from '../model/change.ts'
import { freezeWords } from '../model/freeze.ts'
import { actionsOf, moreActionsOf, takeLabelOf } from './card-buttons.ts'
import {
  boundedHead,
  type CardReader,
  clauseFacts,
  countedFacts,
  detailsOf,
  endBlock,
  leadFacts,
  shownBody,
  statementsOf,
  turnBlock,
  voterOf,
} from './card-head.ts'

/** A view with its buttons, be it none. */
export type Card = View & { actions: Action[] }
/** A card, and whether it had no room for something of the plan. */
type DrawnCard = { view: Card; isCut: boolean }

/**
 * The card of a change. What nobody should decide without having read stands first and is bounded, so that every
 * platform shows it whole; what is sent gets the room that is left, and everything else is in the details. `mentions` are
 * those whose turn it is, `reader` is who looks at it where nobody else does.
 */
export const cardOf = (
  change: Change,
  now: number,
  mentions: Mention[] = [],
  reader?: CardReader,
): DrawnCard =>
  headedView(change, now, { mentions, reader, body: [...driftChanges(change), ...shownBody(change)] })

/** A short copy of the card with the same buttons, posted anew so that people notice it. */
export const reminderOf = (change: Change, now: number, mentions: Mention[]): View =>
  headedView(change, now, { why: change.reminder?.why ?? 'Reminder', mentions, body: [] }).view

/** What stands first on the card and its buttons, for a place that lists several. */
export const headCardOf = (change: Change, now: number, reader?: CardReader): View =>
  headedView(change, now, { reader, body: [] }).view

type Around = { why?: string; mentions?: Mention[]; reader?: CardReader | undefined; body: readonly Block[] }

/**
 * The one place that makes the buttons of a change: nobody is given Approve without the requester, the deed, the amount,
 * what it is taken from, whom it goes to and every clause before it.
 */
const headedView = (change: Change, now: number, { why, mentions = [], reader, body }: Around): DrawnCard => {
  const title = cardTitle(change, why)
  const isOver = isKnownEnd(change)
  const lead = isOver ? [] : leadFacts(change, title)
  const first = boundedHead({
    title,
    turn: change.state === 'pending' ? turnBlock(change, reader) : endBlock(change, stateLines(change, now)),
    status: statusNotes(change),
    talk: isOver ? [] : noteBlocks(change, 2),
    quote: isOver ? undefined : quoteOf(change),
    statements: statementsNow(change),
    lead,
    counted: isOver ? [] : countedFacts(change, lead),
  })
  const rest = isOver
    ? { blocks: [], isCut: false }
    : cutBlocks(body, room.card - first.weight - weightOf(mentionText({ mentions })))
  const isCut = first.isCut || rest.isCut || hasUnseenSet(change)
  const head = isCut
    ? [...first.blocks, note('plain', 'Not everything is shown here: the details have the rest.')]
    : first.blocks
  const view: Card = {
    kind: isOver ? 'outcome' : isUnsettled(change.state) ? 'unknown' : 'request',
    title: first.title,
    tone: tones[change.state],
    change: shownIn(change),
    ...(mentions.length === 0 ? {} : { mentions }),
    blocks: [...head, ...rest.blocks],
    essential: head.length,
    details: detailBlocks(change, lead),
    actions: [...actionsOf(change, now), ...moreActionsOf(change, now)],
  }
  return { view, isCut }
}

const shownIn = ({ id, requester, version }: Change): NonNullable<View['change']> => ({
  id,
  requester: requester.person,
  version,
})

/** What happened or would, as one sentence. */
const cardTitle = (change: Change, why?: string): string => {
  const { state, preview, outcome, ended, withheld } = change
  const before = `${why === undefined ? '' : `${why}: `}${withheld === undefined ? '' : `${withheld.before}: `}`
  if (state === 'pending' || state === 'approved' || state === 'applying') return `${before}${preview.title}`
  if (state === 'applied' && ended === null && isTitle(outcome?.message))
    return withoutAtEnd(visibleLine(outcome.message), '.')
  if (state === 'voided' && withheld !== undefined && outcome?.message === withheld.why)
    return `${withheld.after}: ${preview.title}`
  return `${before}${stateNames[state].charAt(0).toUpperCase()}${stateNames[state].slice(1)}: ${preview.title}`
}

/** The same with nothing cut, for whoever asks for the details. */
export const wholeCardOf = (change: Change, now: number): View => {
  const title = cardTitle(change)
  const quote = quoteOf(change)
  const lead = leadFacts(change, title)
  const asked: Block[] = [{ kind: 'facts', facts: lead }, ...driftChanges(change), ...shownBody(change)]
  const isOver = isKnownEnd(change)
  return {
    title,
    tone: tones[change.state],
    blocks: [
      change.state === 'pending' ? turnBlock(change) : endBlock(change, [statusOf(change, now)]),
      ...statusNotes(change),
      ...noteBlocks(change),
      ...(quote === undefined ? [] : [quote]),
      ...statementsNow(change),
      ...(isOver ? [] : asked),
      ...detailBlocks(change, lead, isOver ? asked : []),
    ],
  }
}

/** Everything that stands behind the card: the rest of the plan, what came back, the rule and its votes, ids and exact times. */
const detailBlocks = (change: Change, shown: readonly Fact[], body: readonly Block[] = []): Block[] => [
  ...askedBlocks(change, [...body, ...detailsOf(change, shown)]),
  ...outcomeBlocks(change),
  ...(noteBlocks(change).length > noteBlocks(change, isEnded(change.state) ? 0 : 2).length
    ? noteBlocks(change)
    : []),
  facts({
    Reason: isEnded(change.state) ? change.preview.quote : undefined,
    ...votesOf(change),
    Rule: change.rule,
    Asked: when(change.createdAt),
    Expires: change.state === 'pending' ? due(change.expiresAt) : undefined,
    Line: change.line,
    Change: change.id,
  }),
]

/** Over, and it is known how. */
const isKnownEnd = ({ state }: Pick<Change, 'state'>): boolean => isSettled(state)

/** What speaks for and against it as it stands. */
const statementsNow = (change: Change): Block[] =>
  isKnownEnd(change) ? outcomeWarnings(change) : statementsOf(change).filter((one) => isStill(change, one))

/** What spoke for it before it was sent may be so no longer. */
const isStill = ({ state }: Change, block: Block): boolean =>
  !isUnsettled(state) || block.kind !== 'note' || block.tone !== 'good'

/** What was planned and known when it was asked: once it may have been sent, that is said of then, here and nowhere else. */
const askedBlocks = (change: Change, planned: readonly Block[]): Block[] => {
  const isOver = isKnownEnd(change)
  const known = statementsOf(change, isOver ? 'approved' : change.state)
    .filter((one) => isOver || !isStill(change, one))
    .map((one): Block => (one.kind === 'note' ? { ...one, tone: 'plain' } : one))
  const all = [...known, ...planned]
  const isPast = isOver || known.length > 0
  return isPast && all.length > 0
    ? [text(sentence`When it was asked, at ${when(change.createdAt)}:`), ...all]
    : all
}

const quoteOf = ({ preview: { quote }, requester }: Change): Block | undefined =>
  quote === undefined ? undefined : { kind: 'quote', text: quote, by: requester.name }

/** A reason is told whole: it may have so many characters. */
const longReason = 500
const room = { card: 3_000, title: 140, reach: 400, who: 60 }

/** A sentence that is short enough for a title and names no instant, which no title can show to each reader. */
const isTitle = (message: Words | undefined): message is string =>
  typeof message === 'string' && visibleLine(message) !== '' && weightOf(message) <= room.title

/** How it stands, unless the title says it all. */
const stateLines = (change: Change, now: number): Words[] =>
  change.state === 'applied' && change.ended === null && isTitle(change.outcome?.message)
    ? []
    : change.state === 'accepted'
      ? [change.outcome?.message ?? '']
      : [statusOf(change, now)]

/** What is said of how it stands, in the order of the card, and the states in which it is so. */
type StatusNote = { holds: readonly ChangeState[]; of: (change: Change) => Block[] }
const notesByState = (): StatusNote[] => [
  { holds: states, of: emergencyBlocks },
  { holds: states, of: alarmBlocks },
  { holds: ['pending', ...unsettledStates], of: reachBlocks },
  { holds: ['unknown'], of: checkedBlocks },
  { holds: ['pending'], of: frozenBlocks },
  { holds: ['pending'], of: driftBlocks },
  { holds: ['pending'], of: standbyBlocks },
  { holds: ['pending'], of: stuckBlocks },
  { holds: ['pending'], of: suggestionBlocks },
  { holds: ['pending', 'approved'], of: lapsedBlocks },
  { holds: ['pending'], of: agentBlocks },
  { holds: unsettledStates, of: meaningBlocks },
]

const statusNotes = (change: Change): Block[] =>
  notesByState().flatMap(({ holds, of }) => (holds.includes(change.state) ? of(change) : []))

/** Of a pinned set a preview shows the first few at most. */
const hasUnseenSet = ({ pinned, state }: Change): boolean =>
  pinned !== undefined && state !== 'applying' && openStates.some((one) => one === state)

/** The state of the change in one sentence. */
export const statusOf = (change: Change, now?: number): Words => {
  const { state, clauses, ended, outcome, holdUntil, waiting } = change
  const by = ended === null ? '' : ` by ${voterOf(ended)}`
  const why = ended?.reason ? `: ${theirs(withoutAtEnd(ended.reason, '.'), longReason)}` : ''
  switch (state) {
    case 'pending':
      return isConfirmOnly(clauses) ? `Needs a confirmation by ${change.requester.name}.` : waitingFor(change)
    case 'approved':
      if (waiting !== undefined) return `Approved, but it does not run yet. ${waiting}`
      return holdUntil === undefined || (now !== undefined && holdUntil <= now)
        ? 'Approved; about to run.'
        : sentence`Approved. It runs at ${zonedMoment(holdUntil, change.runAt?.zone ?? 'UTC')}, unless somebody cancels it.`
    case 'applying':
      return 'Running now.'
    case 'applied':
      return ended === null ? (outcome?.message ?? 'Done.') : `Done, according to ${ended.by.name}${why}.`
    case 'failed':
      return change.late?.reversed
        ? sentence`It was accepted, and did not stay so. ${outcome?.message}`
        : sentence`Failed, and nothing was done. ${outcome?.message}`
    case 'unknown': {
      const look = change.lookUps.length > 0 ? 'look it up' : 'look for it in the service itself'
      const told =
        change.late === undefined
          ? sentence`Nobody knows whether this happened. ${outcome?.message}`
          : lateWords(change.late)
      return sentence`${told} It is not tried again automatically: ${look}, then record what you found.`
    }
    case 'held':
      return sentence`${heldWords(change)} ${outcome?.message}`
    case 'accepted':
      return sentence`Accepted, not settled yet. ${outcome?.message}`
    case 'voided':
      if (change.withheld !== undefined && outcome?.message === change.withheld.why) return outcome.message
      return sentence`No longer valid, and nothing was done. ${outcome?.message}`
    case 'not_applied':
      return `It did not happen, according to ${ended?.by.name ?? 'somebody'}${why}.`
    case 'rejected':
      return `Rejected${by}${why}.`
    case 'cancelled':
      return `Cancelled${by}.`
    case 'expired':
      return 'Expired before enough people decided.'
  }
}

/** "Held by Stripe until Fay approves it there." */
const heldWords = ({ atService }: Change): string => {
  const { service = '', by = '' } = atService ?? {}
  const who = by === '' ? 'somebody' : theirs(by, room.who)
  return `Held by ${serviceTitle(service)} until ${who} approves it there.`
}

/** The answer to whoever asked or decided. Most see the card itself, so it is drawn where somebody looks. */
export const cardReply = (
  change: Change,
  now: number,
  more: { isDecided?: boolean } = {},
): Extract<Reply, { kind: 'change' }> => ({
  kind: 'change',
  change,
  ...more,
  get view() {
    return cardOf(change, now, [], isConfirmOnly(change.clauses) ? 'requester' : undefined).view
  },
})

/** What would be asked, for whoever would ask it; nobody else is asked yet. */
export const draftCardOf = (change: Change, now: number): { view: View; isCut: boolean } => {
  const { view, isCut } = cardOf(change, now, [], 'requester')
  const { change: _, details: __, actions: ___, ...shown } = view
  const blocks = shown.blocks.map((block): Block => {
    if (block.kind !== 'turn') return block
    const { time: _, ...turn } = block
    return { ...turn, by: 'Nobody is asked yet' }
  })
  return { view: { ...shown, blocks }, isCut }
}

/** What one of those who talk about it is told: the card in short, with why they read it now and what they can press. */
export const newsOf = (change: Change, now: number, why: string | undefined, isActor: boolean): View => {
  const { view } = headedView(change, now, { ...defined({ why }), body: [] })
  const hidden = isActor ? 'others' : 'requester'
  return { ...view, actions: view.actions.filter(({ verb }) => verbs[verb].isFor !== hidden) }
}

/** The message to the requester when the change has ended; the quiet line names everybody who had a part in it. */
export const endOf = (change: Change, mayTell = false): View => {
  const { view } = headedView(change, change.updatedAt, { body: [] })
  // What is left to decide is for others.
  const isLeft = (verb: Verb) => verbs[verb].isAtEnd && (mayTell || verb !== 'tell')
  return { ...view, actions: view.actions.filter(({ verb }) => isLeft(verb)) }
}

/** What those who decided are told when something was learned late. */
export const lateView = (change: Change, late: Late): View => {
  const tone = late.contradicts === null ? 'warn' : 'bad'
  return {
    title: change.preview.title,
    tone,
    change: shownIn(change),
    blocks: [...alarmBlocks(change), note(tone, lateWords(late)), endBlock(change, [])],
    details: detailBlocks(change, []),
  }
}

const alarmBlocks = ({ late, state }: Change): Block[] => {
  if (late === undefined || (late.contradicts === null && isUnsettled(state))) return []
  if (late.contradicts === null || state !== 'unknown') return [note('warn', lateWords(late))]
  const { by, happened } = late.contradicts
  return [
    note(
      'bad',
      happened
        ? `ALARM: ${by.name} said that this happened, and it did not.`
        : `ALARM: ${by.name} said that this did not happen, and ${late.learned === 'applied' ? 'it did' : 'it was sent after all'}. If it was asked for again meanwhile, it may have happened twice.`,
    ),
  ]
}

const lateWords = ({ learned, message, at, reversed }: Late): Words => {
  if (reversed) return sentence`Taken back, at ${when(at)}: ${message}`
  const known = {
    applied: 'it happened',
    failed: 'it did not happen',
    unknown: 'it was sent, but nobody knows the outcome',
    held: 'the service holds it',
    accepted: 'the service has accepted it',
  }
  return sentence`Learned late, at ${when(at)}: ${known[learned]}. ${message}`
}

/** What the bot found when it looked; somebody still says what it means. */
const checkedBlocks = ({ checked }: Change): Block[] => {
  if (checked === undefined) return []
  const { happened, message, n, at } = checked
  const found = { true: 'Found', false: 'Not found', null: 'Could not tell' }[`${happened}`]
  const asked =
    happened === null ? '' : ` Press “${happened ? verbs.happened.label : verbs.did_not.label}” if you agree.`
  return [note('plain', sentence`${found}, at ${when(at)} (look ${n}): ${message}${asked}`)]
}

/** What the two buttons mean. */
const meaningBlocks = ({ state, requester }: Change): Block[] => [
  note(
    'plain',
    `${state === 'unknown' ? '' : `If the service never says how it ends, somebody other than ${requester.name} can. `}“${verbs.happened.label}” records it as done. “${verbs.did_not.label}” records that nothing was done, and it can be asked for again.`,
  ),
]

const waitingFor = (change: Change): string => {
  const open = progressOf(change.clauses, ballotOf(change)).flatMap(({ clause, missing, isOpen }) =>
    clause.kind === 'approvals' && isOpen
      ? `${plural(missing, 'approval')}${fromWords(clause)}${stageWords(clause)}`
      : [],
  )
  return `Needs ${open.join(' and ')}.`
}

const votesOf = (change: Change): Record<string, Words> =>
  Object.fromEntries(clauseFacts(change).map(({ label, value }) => [label, value]))

/** A request that waits where nobody looks says so, and who has it all the same. */
const reachBlocks = ({ reach }: Change): Block[] => {
  if (reach === undefined) return []
  const { refusals, asked } = reach
  const channels = refusals.filter(({ place }) => place === 'mirror')
  const people = refusals.filter(({ place }) => place !== 'mirror')
  const words = [
    asked.length === 0
      ? 'Nobody who may decide about it has it in person: tell one of them, who finds it by approval list.'
      : `${fewNames(asked)} ${asked.length === 1 ? 'has' : 'have'} it in person.`,
    ...channels.map(({ why }) => `The approvals channel did not take this card. ${why}.`),
    ...(people.length === 0
      ? []
      : [`${fewNames(people.map(({ to }) => to))} could not be reached in person. ${people[0]?.why}.`]),
  ]
  return words.map((one, at) =>
    note(at === 0 && asked.length === 0 ? 'warn' : 'plain', cutMiddle(visibleLine(one), room.reach)),
  )
}

const lapsedBlocks = ({ lapsed = [] }: Change): Block[] =>
  lapsed.map(({ name, why }) => note('warn', `The vote of ${name} no longer counts: ${why}.`))

/** Before anybody decides: nobody has checked what a program wrote. */
const agentBlocks = ({ requester }: Change): Block[] =>
  requester.agent === undefined
    ? []
    : [note('plain', 'An agent asks: every text in this request is its own words.')]

/** In the place of its Approve or Confirm. */
const frozenBlocks = ({ frozen, clauses }: Change): Block[] => {
  if (frozen === undefined) return []
  const what = isConfirmOnly(clauses) ? 'confirmed' : 'approved'
  return [note('warn', sentence`${freezeWords(frozen)} This cannot be ${what} until somebody unfreezes it.`)]
}

/** What it needs cannot come from those who remain, and who can help. */
export const stuckBlocks = ({ stuck }: Pick<Change, 'stuck'>): Block[] =>
  stuck === undefined ? [] : [note('warn', stuck.why), note('plain', stuck.help)]

/** What was approved before somebody asked for another time runs all the same. */
const standbyBlocks = ({ standby }: Change): Block[] =>
  standby?.holdUntil === undefined
    ? []
    : [
        note(
          'plain',
          sentence`Until the new time is approved, it stays approved for ${zonedMoment(standby.holdUntil, standby.runAt?.zone ?? 'UTC')}, and runs then. ${verbs.cancel.label} or ${verbs.reject.label} ends both.`,
        ),
      ]

const suggestionBlocks = ({ suggestion, requester }: Change): Block[] =>
  suggestion === undefined
    ? []
    : [
        note(
          'plain',
          `${suggestion.by.name} suggests: ${cutMiddle(visibleLine(suggestion.title), room.title)}. ${requester.name} takes it with “${takeLabelOf(suggestion)}”, and the vote of ${suggestion.by.name} stands for it.`,
        ),
      ]

const driftBlocks = ({ drift }: Change): Block[] => (drift === null ? [] : [note('warn', drift.message)])

const driftChanges = ({ drift, state }: Change): Block[] =>
  drift === null || state !== 'pending' || drift.changes.length === 0
    ? []
    : [{ kind: 'diff', changes: drift.changes }]

/** The blocks of the outcome that the preview does not already show. */
const outcomeBlocks = ({ outcome, preview, state, lookUps, atService }: Change): Block[] => [
  ...(outcome?.view?.blocks ?? []).filter(
    (block) => !preview.blocks.some((one) => isDeepStrictEqual(withoutRoles(one), withoutRoles(block))),
  ),
  ...(atService === undefined ? [] : atServiceBlocks(atService)),
  ...(isUnsettled(state) && lookUps.length > 0
    ? [text('These commands can show whether it happened:'), list(lookUps)]
    : []),
]

const atServiceBlocks = ({ service, id, said, link }: NonNullable<Change['atService']>): Block[] => [
  facts({ [`Id in ${serviceTitle(service)}`]: id, [`State in ${serviceTitle(service)}`]: said }),
  ...(link === undefined ? [] : [address(`In ${serviceTitle(service)}`, link)]),
]

const withoutRoles = (block: Block) =>
  block.kind === 'facts' ? block.facts.map(({ label, value }) => [label, value]) : block

const outcomeWarnings = ({ outcome }: Change): Block[] =>
  outcome?.warning ? [note('warn', outcome.warning)] : []

const tones: Record<ChangeState, Tone> = {
  pending: 'warn',
  approved: 'plain',
  applying: 'plain',
  applied: 'good',
  failed: 'bad',
  unknown: 'bad',
  rejected: 'bad',
  expired: 'plain',
  cancelled: 'plain',
  voided: 'bad',
  not_applied: 'plain',
  held: 'warn',
  accepted: 'warn',
}

/** The name of a state as people read it; stored names differ. */
export const stateNames: Record<ChangeState, string> = {
  pending: 'waiting',
  approved: 'approved',
  applying: 'running',
  applied: 'done',
  failed: 'failed',
  unknown: 'outcome unknown',
  rejected: 'rejected',
  expired: 'expired',
  cancelled: 'cancelled',
  voided: 'no longer valid',
  not_applied: 'did not happen',
  held: 'held',
  accepted: 'accepted, not settled yet',
}
