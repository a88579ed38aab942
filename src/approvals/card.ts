import { isDeepStrictEqual } from 'node:util'
import type { Reply } from '../messenger/inbound.ts'
import type { Change, ChangeState, Late } from '../model/change.ts'
import { ballotOf, fromWords, isConfirmOnly, progressOf, stageWords } from '../policy/clauses.ts'
import { buttonLabelOf, plural } from '../view/button-labels.ts'
import { cutBlocks, cutMiddle, weightOf } from '../view/cut.ts'
import { withoutAtEnd } from '../view/end.ts'
import { due, fewNames, when } from '../view/format.ts'
import { mentionText } from '../view/mentions.ts'
import {
  type Action,
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
} from '../view/view.ts'
import { visibleLine } from '../view/visible.ts'
import { sentence, type Words } from '../view/words.ts'
import { zonedMoment } from '../view/zones.ts'
import { actionsOf, moreActionsOf } from './card-buttons.ts'
import {
  boundedHead,
  type CardReader,
  clauseFacts,
  detailsOf,
  endBlock,
  leadFacts,
  shownBody,
  statementsOf,
  turnBlock,
  voterOf,
} from './card-head.ts'
import { emergencyBlocks } from './emergency.ts'
import { isEnded } from './law.ts'

/** A view with its buttons, be it none. */
export type Card = View & { actions: Action[] }

/**
 * The card of a change. What nobody should decide without having read stands first and is bounded, so that every
 * platform shows it whole; what is sent gets the room that is left, and everything else is in the details. `mentions` are
 * those whose turn it is, `reader` is who looks at it where nobody else does.
 */
export const cardOf = (change: Change, now: number, mentions: Mention[] = [], reader?: CardReader): Card =>
  headedView(change, now, { mentions, reader, body: [...driftChanges(change), ...shownBody(change)] })

/** A short copy of the card with the same buttons, posted anew so that people notice it. */
export const reminderOf = (change: Change, now: number, mentions: Mention[]): View =>
  headedView(change, now, { why: change.reminder?.why ?? 'Reminder', mentions, body: [] })

/** What stands first on the card and its buttons, for a place that lists several. */
export const headCardOf = (change: Change, now: number, reader?: CardReader): View =>
  headedView(change, now, { reader, body: [] })

type Around = { why?: string; mentions?: Mention[]; reader?: CardReader | undefined; body: readonly Block[] }

/**
 * The one place that makes the buttons of a change: nobody is given Approve without the requester, the deed, the amount,
 * what it is taken from, whom it goes to and every clause before it.
 */
const headedView = (change: Change, now: number, { why, mentions = [], reader, body }: Around): Card => {
  const title = cardTitle(change, why)
  const isOver = isEnded(change.state) && change.state !== 'unknown'
  const lead = isOver ? [] : leadFacts(change, title)
  const first = boundedHead({
    title,
    turn: change.state === 'pending' ? turnBlock(change, reader) : endBlock(change, stateLines(change, now)),
    status: statusNotes(change),
    talk: isOver ? [] : talkBlocks(change, 2),
    quote: isOver ? undefined : quoteOf(change),
    statements: isOver ? outcomeWarnings(change) : statementsOf(change).filter((one) => isStill(change, one)),
    lead,
  })
  const rest = isOver
    ? { blocks: [], isCut: false }
    : cutBlocks(body, room.card - first.weight - weightOf(mentionText({ mentions })))
  const isPartial = first.isCut || rest.isCut || hasUnseenSet(change)
  const head = isPartial ? [...first.blocks, note('plain', partialWords)] : first.blocks
  return {
    kind: isOver ? 'outcome' : change.state === 'unknown' ? 'unknown' : 'request',
    title: first.title,
    tone: tones[change.state],
    change: shownIn(change),
    ...(mentions.length === 0 ? {} : { mentions }),
    blocks: [...head, ...rest.blocks],
    essential: head.length,
    details: detailBlocks(change, lead),
    actions: [...actionsOf(change, now), ...moreActionsOf(change, now)],
  }
}

const shownIn = ({ id, requester, version }: Change): NonNullable<View['change']> => ({
  id,
  requester: requester.person,
  version,
})

/** What happened or would, as one sentence. */
const cardTitle = (change: Change, why?: string): string => {
  const { state, preview, outcome, ended } = change
  const before = why === undefined ? '' : `${why}: `
  if (state === 'pending' || state === 'approved' || state === 'applying') return `${before}${preview.title}`
  if (state === 'applied' && ended === null && isTitle(outcome?.message))
    return withoutAtEnd(visibleLine(outcome.message), '.')
  return `${before}${stateNames[state].charAt(0).toUpperCase()}${stateNames[state].slice(1)}: ${preview.title}`
}

/** The same with nothing cut, for whoever asks for the details. */
export const wholeCardOf = (change: Change, now: number): View => {
  const title = cardTitle(change)
  const quote = quoteOf(change)
  return {
    title,
    tone: tones[change.state],
    blocks: [
      change.state === 'pending' ? turnBlock(change) : endBlock(change, [statusOf(change, now)]),
      ...statusNotes(change),
      ...talkBlocks(change),
      ...(quote === undefined ? [] : [quote]),
      ...statementsOf(change),
      { kind: 'facts', facts: leadFacts(change, title) },
      ...driftChanges(change),
      ...shownBody(change),
      ...detailBlocks(change, leadFacts(change, title)),
    ],
  }
}

/** Whether the card had no room for something of the plan. */
export const isCutCard = (change: Change, now: number): boolean =>
  cardOf(change, now).blocks.some((block) => block.kind === 'note' && block.text === partialWords)

/** Everything that stands behind the card: the rest of the plan, what came back, the rule and its votes, ids and exact times. */
const detailBlocks = (change: Change, shown: readonly Fact[]): Block[] => [
  ...historyBlocks(change),
  ...detailsOf(change, shown),
  ...outcomeBlocks(change),
  ...((change.questions?.length ?? 0) > (isEnded(change.state) ? 0 : 2) ? talkBlocks(change) : []),
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

/** What spoke for it before it was sent may be so no longer. */
const isStill = ({ state }: Change, block: Block): boolean =>
  state !== 'unknown' || block.kind !== 'note' || block.tone !== 'good'

/** Once it is over, what was known of it then is history. */
const historyBlocks = (change: Change): Block[] => {
  const isOver = isEnded(change.state) && change.state !== 'unknown'
  const known = statementsOf(change).filter((one) => isOver || !isStill(change, one))
  return known.length === 0
    ? []
    : [
        text('As it was before:'),
        ...known.map((one): Block => (one.kind === 'note' ? { ...one, tone: 'plain' } : one)),
      ]
}

const quoteOf = ({ preview: { quote }, requester }: Change): Block | undefined =>
  quote === undefined ? undefined : { kind: 'quote', text: quote, by: requester.name }

const room = { card: 3_000, title: 140, reach: 400 }
const partialWords = 'Not everything is shown here: the details have the rest.'

/** A sentence that is short enough for a title and names no instant, which no title can show to each reader. */
const isTitle = (message: Words | undefined): message is string =>
  typeof message === 'string' && visibleLine(message) !== '' && weightOf(message) <= room.title

/** How it stands, unless the title says it all. */
const stateLines = (change: Change, now: number): Words[] =>
  change.state === 'applied' && change.ended === null && isTitle(change.outcome?.message)
    ? []
    : [statusOf(change, now)]

const statusNotes = (change: Change): Block[] => [
  ...emergencyBlocks(change),
  ...alarmBlocks(change),
  ...reachBlocks(change),
  ...checkedBlocks(change),
  ...driftBlocks(change),
  ...lapsedBlocks(change),
  ...agentBlocks(change),
  ...meaningBlocks(change),
]

/** What was asked about it and answered, the newest last. Whoever decides next reads that a question is open. */
const talkBlocks = ({ questions = [], state }: Change, most = questions.length): Block[] => {
  const isOpen = state === 'pending' && questions.some(({ answer }) => answer === undefined)
  return [
    ...questions
      .slice(Math.max(0, questions.length - most))
      .flatMap(({ by, text: asked, answer }): Block[] => [
        { kind: 'quote', text: asked, by: `${by.name} asks` },
        ...(answer === undefined
          ? []
          : [{ kind: 'quote' as const, text: answer.text, by: `${answer.by.name} answers` }]),
      ]),
    ...(isOpen ? [note('plain', 'Not answered yet. It can be decided all the same.')] : []),
  ]
}

/** Of a pinned set a preview shows the first few at most. */
const hasUnseenSet = ({ pinned, state }: Change): boolean =>
  pinned !== undefined && (state === 'pending' || state === 'approved' || state === 'unknown')

/** The state of the change in one sentence. */
export const statusOf = (change: Change, now?: number): Words => {
  const { state, clauses, ended, outcome, holdUntil, waiting } = change
  const by = ended === null ? '' : ` by ${voterOf(ended)}`
  const why = ended?.reason ? `: ${withoutAtEnd(ended.reason, '.')}` : ''
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
      return sentence`Failed, and nothing was done. ${outcome?.message}`
    case 'unknown': {
      const look = change.lookUps.length > 0 ? 'look it up' : 'look for it in the service itself'
      const told =
        change.late === undefined
          ? sentence`Nobody knows whether this happened. ${outcome?.message}`
          : lateWords(change.late)
      return sentence`${told} It is not tried again automatically: ${look}, then record what you found.`
    }
    case 'voided':
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
    return cardOf(change, now, [], isConfirmOnly(change.clauses) ? 'requester' : undefined)
  },
})

/** What one of those who talk about it is told: the card in short, with why they read it now and what they can press. */
export const newsOf = (change: Change, now: number, why: string, isAsker: boolean): View => {
  const view = headedView(change, now, { why, body: [] })
  const hidden: ReadonlySet<Verb> = new Set(isAsker ? ['approve', 'reject', 'ask'] : ['cancel', 'answer'])
  return { ...view, actions: view.actions.filter(({ verb }) => !hidden.has(verb)) }
}

/** The message to the requester when the change has ended; the quiet line names everybody who had a part in it. */
export const endOf = (change: Change, mayTell = false): View => {
  const view = headedView(change, change.updatedAt, { body: [] })
  // What is left to decide is for others.
  const left: ReadonlySet<Verb> = new Set([
    'receipt',
    'again',
    'show_all',
    ...(mayTell ? ['tell' as const] : []),
  ])
  return { ...view, actions: (view.actions ?? []).filter(({ verb }) => left.has(verb)) }
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
  if (late === undefined || (late.contradicts === null && state === 'unknown')) return []
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

const lateWords = ({ learned, message, at }: Late): Words => {
  const known = {
    applied: 'it happened',
    failed: 'it did not happen',
    unknown: 'it was sent, but nobody knows the outcome',
  }
  return sentence`Learned late, at ${when(at)}: ${known[learned]}. ${message}`
}

/** What the bot found when it looked; somebody still says what it means. */
const checkedBlocks = ({ state, checked }: Change): Block[] => {
  if (state !== 'unknown' || checked === undefined) return []
  const { happened, message, n, at } = checked
  const found = { true: 'Found', false: 'Not found', null: 'Could not tell' }[`${happened}`]
  const asked =
    happened === null
      ? ''
      : ` Press “${happened ? buttonLabelOf.happened : buttonLabelOf.did_not}” if you agree.`
  return [note('plain', sentence`${found}, at ${when(at)} (look ${n}): ${message}${asked}`)]
}

/** What the two buttons mean. */
const meaningBlocks = ({ state }: Change): Block[] =>
  state !== 'unknown'
    ? []
    : [
        note(
          'plain',
          `“${buttonLabelOf.happened}” records it as done. “${buttonLabelOf.did_not}” records that nothing was done, and it can be asked for again.`,
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
const reachBlocks = ({ reach, state }: Change): Block[] => {
  if (reach === undefined || (state !== 'pending' && state !== 'unknown')) return []
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

const lapsedBlocks = ({ lapsed = [], state }: Change): Block[] =>
  state === 'pending' || state === 'approved'
    ? lapsed.map(({ name, why }) => note('warn', `The vote of ${name} no longer counts: ${why}.`))
    : []

/** Before anybody decides: nobody has checked what a program wrote. */
const agentBlocks = ({ requester, state }: Change): Block[] =>
  requester.agent === undefined || state !== 'pending'
    ? []
    : [note('plain', 'An agent asks: every text in this request is its own words.')]

const driftBlocks = ({ drift, state }: Change): Block[] =>
  drift === null || state !== 'pending' ? [] : [note('warn', drift.message)]

const driftChanges = ({ drift, state }: Change): Block[] =>
  drift === null || state !== 'pending' || drift.changes.length === 0
    ? []
    : [{ kind: 'diff', changes: drift.changes }]

/** The blocks of the outcome that the preview does not already show. */
const outcomeBlocks = ({ outcome, preview, state, lookUps }: Change): Block[] => [
  ...(outcome?.view?.blocks ?? []).filter(
    (block) => !preview.blocks.some((one) => isDeepStrictEqual(one, block)),
  ),
  ...(state === 'unknown' && lookUps.length > 0
    ? [text('These commands can show whether it happened:'), list(lookUps)]
    : []),
]

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
}
