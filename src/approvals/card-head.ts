import { isDeepStrictEqual } from 'node:util'
import { defined } from '../defined.ts'
import type { Change, Party } from '../model/change.ts'
import { ballotOf, fromWords, isConfirmOnly, progressOf, stageWords } from '../policy/clauses.ts'
import { plural } from '../view/button-labels.ts'
import { cutMiddle, cutName, cutText, cutWords, sharesOf, weightOf } from '../view/cut.ts'
import { due, fewNames, money, when } from '../view/format.ts'
import { allColumns, type Block, type Fact, mostAtOnce } from '../view/view.ts'
import { visibleLine } from '../view/visible.ts'
import { type Moment, mapText, plainWords, sentence, visibleWords, type Words } from '../view/words.ts'
import { zonedMoment } from '../view/zones.ts'

/** Weights that the platform with the least room can show together. */
const room = {
  title: 140,
  turn: 900,
  status: 400,
  name: 100,
  value: 150,
  statements: 600,
  quote: 300,
  talk: 700,
}

/** For whom a card is drawn, where one reader alone looks at it. */
export type CardReader = 'requester' | 'decider'

/** What stands below the title, in the order in which the eye meets it. */
type Head = {
  title: string
  turn: Extract<Block, { kind: 'turn' }>
  status: readonly Block[]
  /** Questions and answers. */
  talk: readonly Block[]
  quote: Block | undefined
  statements: readonly Block[]
  lead: readonly Fact[]
}

/** Each part within its bound, so that no other text pushes it off; `weight` is what it takes. */
export const boundedHead = (
  head: Head,
): { title: string; blocks: Block[]; weight: number; isCut: boolean } => {
  let weight = 0
  let isCut = false
  const boundedWords = (words: Words, most: number, cut = cutText): Words => {
    const whole = visibleWords(words)
    const shown = cutWords(whole, Math.floor(most), cut)
    isCut ||= shown !== whole
    weight += weightOf(plainWords(shown)) + 12
    return shown
  }
  const bounded = (text: string, most: number, cut = cutText): string =>
    plainWords(boundedWords(text, most, cut))
  const boundedTexts = (blocks: readonly Block[], most: number): Block[] => {
    const shares = sharesOf(
      blocks.map((one) => ('text' in one ? weightOf(plainWords(visibleWords(one.text))) : 0)),
      most,
    )
    return blocks.map((one, at) => {
      const share = shares[at] ?? 0
      if (one.kind === 'note') return { ...one, text: boundedWords(one.text, share, cutMiddle) }
      return one.kind === 'quote' ? { ...one, text: bounded(one.text, share) } : one
    })
  }
  const { turn, lead } = head
  const facts = lead.map(({ label, value, ...more }) => ({
    ...more,
    label,
    value: boundedWords(value, room.value),
  }))
  isCut ||= head.statements.length > mostAtOnce.statements
  const blocks: Block[] = [
    {
      ...turn,
      lines: turn.lines.map((line) => boundedWords(line, room.turn / turn.lines.length)),
      by: bounded(turn.by, 2 * room.name, cutName),
    },
    ...boundedTexts(head.status, room.status),
    ...boundedTexts(head.talk, room.talk),
    ...boundedTexts(head.quote === undefined ? [] : [head.quote], room.quote),
    ...boundedTexts(head.statements.slice(0, mostAtOnce.statements), room.statements),
    ...(facts.length === 0 ? [] : [{ kind: 'facts' as const, isLead: true as const, facts }]),
  ]
  return { title: bounded(head.title, room.title), blocks, weight, isCut }
}

/** Whose turn it is, clause by clause, in the terms of whoever reads it; then who asked. */
export const turnBlock = (change: Change, reader?: CardReader): Head['turn'] => {
  const lines = isConfirmOnly(change.clauses)
    ? [reader === 'requester' ? 'Yours to confirm' : `Needs a confirmation by ${change.requester.name}`]
    : clauseLines(change)
  return {
    kind: 'turn',
    lines: [
      ...(reader === 'decider' ? ['You can approve this'] : []),
      ...lines,
      ...(change.runAt === undefined
        ? []
        : [sentence`Runs at ${zonedMoment(change.runAt.at, change.runAt.zone)} if it is approved by then`]),
    ],
    by: `Asked by ${change.requester.name}`,
    ...timeIn('expires', due(change.expiresAt)),
  }
}

/** What has become of it, and who had a part in it. */
export const endBlock = (change: Change, lines: Words[]): Head['turn'] => ({
  kind: 'turn',
  lines,
  by: participantsOf(change),
  ...timeIn('', when(change.outcome?.at ?? change.ended?.at ?? change.updatedAt)),
})

const timeIn = (words: string, moment: Moment | string | undefined) =>
  typeof moment === 'object' ? { time: { words, moment } } : {}

/** "Asked by Sam, approved by Fay" */
const participantsOf = ({ requester, votes }: Pick<Change, 'requester' | 'votes'>): string => {
  const others = votes.filter(({ by }) => by.person !== requester.person)
  const confirmed = votes.length > others.length ? ' and confirmed' : ''
  const approved = others.length === 0 ? '' : `, approved by ${fewNames(others.map(voterOf))}`
  return `Asked${confirmed} by ${cutName(visibleLine(requester.name), room.name)}${approved}`
}

/** Each clause with the people who count for it; where there are several, what asks for which. */
const clauseLines = (change: Change): string[] => {
  const counted = countedClauses(change)
  const isOneRule = counted.every(({ clause }) => clause.stage !== undefined)
  return counted.map(({ clause, names, missing, isOpen }) => {
    const state = missing === 0 ? 'Has' : isOpen ? 'Needs' : 'Then needs'
    const stage = clause.stage === undefined ? '' : `Stage ${clause.stage}: `
    const needs = `${stage}${stage === '' ? state : state.toLowerCase()} ${plural(clause.count, 'approval')}${fromWords(clause)}`
    const why = counted.length > 1 && !isOneRule ? ` for ${clause.because}` : ''
    const so = names.length === 0 ? '' : missing > 0 ? `, has ${names.length}: ` : ': '
    return `${needs}${why}${so}${names.join(', ')}`
  })
}

/** The same as facts, for whoever looks closely. */
export const clauseFacts = (change: Change): Fact[] => {
  const counted = countedClauses(change)
  return counted.map(({ clause, names }, at) => {
    const isTwice = counted.some((other, place) => place < at && other.clause.because === clause.because)
    return {
      label: counted.length < 2 ? 'Votes' : `Votes for ${clause.because}${isTwice ? ` (${at + 1})` : ''}`,
      value: `${names.length} of ${clause.count}${fromWords(clause)}${stageWords(clause)}${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
    }
  })
}

const countedClauses = (change: Change) => {
  const nameOf = new Map(change.votes.map((vote) => [vote.by.person, voterOf(vote)]))
  return progressOf(change.clauses, ballotOf(change)).flatMap(({ clause, people, missing, isOpen }) =>
    clause.kind === 'approvals'
      ? [{ clause, missing, isOpen, names: people.map((person) => nameOf.get(person) ?? person) }]
      : [],
  )
}

/** Under both names, where somebody votes for somebody else. */
export const voterOf = ({ by, for: away }: { by: Party; for?: Party | undefined }): string =>
  away === undefined ? by.name : `${by.name} for ${away.name}`

/** What is known of the amount, where the title does not say it. */
export const amountWordsOf = ({
  amount,
  currency,
}: Pick<Change, 'amount' | 'currency'>): string | undefined =>
  amount === null ? undefined : money(amount, { code: currency })

/** The few facts to compare: the amount unless the title says it, what it is taken from and whom it goes to, then the command's own. */
export const leadFacts = (change: Change, title: string): Fact[] => {
  const amount = amountWordsOf(change)
  const own = ownFacts(change)
  const first: Fact[] = [
    ...(amount === undefined
      ? own.filter(({ label }) => label === 'Amount')
      : title.includes(amount)
        ? []
        : [{ label: 'Amount', value: amount }]),
    ...own.filter(({ label }) => lifted.has(label)),
  ]
  const others = own.filter(({ label }) => label !== 'Amount' && label !== 'Reason' && !lifted.has(label))
  return [...first, ...others].slice(0, Math.max(first.length, mostAtOnce.facts))
}

/** What the card shows of a preview besides: what differs and what is sent, not its facts and remarks. */
export const shownBody = ({ preview }: Pick<Change, 'preview'>): Block[] =>
  preview.blocks.filter(({ kind }) => kind !== 'facts' && kind !== 'note').map(plainBlock)

/** Everything of a preview that stands on no card. A field of the request by the name of a fact of the card says that it is one. */
export const detailsOf = (change: Pick<Change, 'preview'>, shown: readonly Fact[]): Block[] => {
  const own = change.preview.blocks.find(isOwnFacts)
  return change.preview.blocks.flatMap((block): Block[] => {
    if (block.kind === 'note') return block.tone === 'plain' ? [plainBlock(block)] : []
    if (block.kind !== 'facts') return []
    const facts = block.facts
      .filter(({ label }) => block !== own || label !== 'Reason' || change.preview.quote === undefined)
      .filter(
        (fact) =>
          block !== own ||
          !shown.some(({ label, value }) => label === fact.label && isDeepStrictEqual(value, fact.value)),
      )
      .map(({ label, value, time }) => ({
        label: block === own ? label : unmistakable(label),
        value,
        ...defined({ time }),
      }))
    return facts.length === 0 ? [] : [{ kind: 'facts', facts }]
  })
}

/** Against it: what the policy warns of, then what the preview does. For it: what was looked up. */
export const statementsOf = ({ warnings, preview }: Pick<Change, 'warnings' | 'preview'>): Block[] => [
  ...warnings.map((text): Block => ({ kind: 'note', tone: 'warn', text })),
  ...preview.blocks.filter((block) => block.kind === 'note' && isRisk(block.tone)),
  ...preview.blocks.filter((block) => block.kind === 'note' && block.tone === 'good'),
]

export const isRisk = (tone: string): boolean => tone === 'warn' || tone === 'bad'

const plainBlock = (block: Block): Block => {
  if (block.kind === 'diff') {
    return { ...block, changes: block.changes.map((one) => ({ ...one, label: unmistakable(one.label) })) }
  }
  if (block.kind === 'table') {
    const whole = allColumns(block)
    return { ...whole, rows: whole.rows.map(([first = '', ...cells]) => [unmistakable(first), ...cells]) }
  }
  if (block.kind === 'text' || block.kind === 'note') return { ...block, text: unmistakableWords(block.text) }
  return block
}

/** What it is taken from and to whom it goes, as commands call it. */
const lifted: ReadonlySet<string> = new Set([
  'Payment',
  'Customer',
  'Subscription',
  'New plan',
  'Recipients',
  'To',
  'Lists',
])
const reserved =
  /^(?:(?:payment|customer|subscription|new plan|recipients|to|rule|expires|runs)$|(?:asked|amount|votes?|needs|has \d+|your turn|yours|you can)\b)/

/** The first facts of a preview are the command's own; those behind them may be named by whoever asked. */
const ownFacts = ({ preview }: Pick<Change, 'preview'>): Fact[] => {
  const first = preview.blocks.find(isOwnFacts)
  return first?.kind === 'facts' ? first.facts : []
}

const isOwnFacts = (block: Block): boolean => block.kind === 'facts' && !block.isSent

const unmistakableWords = (words: Words): Words => {
  let isFirst = true
  return mapText(words, (text) => {
    const shown = isFirst ? unmistakable(text) : text
    isFirst = false
    return shown
  })
}

/** Words that begin like no line of the card. */
export const unmistakable = (label: string): string => {
  const plain = visibleLine(label)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return reserved.test(plain) ? `Field "${label}"` : label
}
