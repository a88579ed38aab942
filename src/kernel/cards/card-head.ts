import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../lib/defined.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { cutMiddle, cutName, cutText, cutWords, sharesOf, weightOf } from '../../lib/view/cut.ts'
import { due, fewNames, money, when } from '../../lib/view/format.ts'
import { allColumns, type Block, type Fact, maxAtOnce, note } from '../../lib/view/view.ts'
import { visibleLine } from '../../lib/view/visible.ts'
import { type Moment, mapText, plainWords, sentence, visibleWords, type Words } from '../../lib/view/words.ts'
import { zonedMoment } from '../../lib/view/zones.ts'
import { ballotOf, fromWords, isConfirmOnly, progressOf, stageWords } from '../law/clauses.ts'
import type { Change, Party } from '../model/change.ts'
import { warningsIn } from '../model/warning.ts'

/** Weights that the platform with the least room can show together. */
const room = {
  title: 140,
  turn: 900,
  status: 400,
  name: 100,
  value: 150,
  values: 1_050,
  statements: 600,
  quote: 300,
  talk: 700,
  counted: 300,
}

/**
 * For whom a card is drawn, where one reader alone looks at it: who confirms their own, who decides, or somebody who reads in
 * one line whose turn it is instead.
 */
export type CardReader = 'requester' | 'decider' | { line: string }

/** To whoever decides, on a card of theirs. */
export const yourTurn = 'You can approve this'

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
  /** What is sent besides. */
  counted: readonly Block[]
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
  const shares = sharesOf(
    lead.map(({ value }) => Math.min(room.value, weightOf(plainWords(visibleWords(value))))),
    room.values,
  )
  const facts = lead.map(({ label, value, role: _, ...more }, at) => ({
    ...more,
    label,
    value: boundedWords(value, shares[at] ?? 0),
  }))
  isCut ||= head.statements.length > maxAtOnce.statements
  const blocks: Block[] = [
    {
      ...turn,
      lines: turn.lines.map((line) => boundedWords(line, room.turn / turn.lines.length)),
      by: bounded(turn.by, 2 * room.name, cutName),
    },
    ...boundedTexts(head.status, room.status),
    ...boundedTexts(head.talk, room.talk),
    ...boundedTexts(head.quote === undefined ? [] : [head.quote], room.quote),
    ...boundedTexts(head.statements.slice(0, maxAtOnce.statements), room.statements),
    ...(facts.length === 0 ? [] : [{ kind: 'facts' as const, isLead: true as const, facts }]),
    ...boundedTexts(head.counted, room.counted),
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
      ...(reader === 'decider' && change.frozen === undefined ? [yourTurn] : []),
      ...(typeof reader === 'object' ? [reader.line] : []),
      ...lines,
      ...(change.runAt === undefined
        ? []
        : [sentence`Runs at ${zonedMoment(change.runAt.at, change.runAt.zone)} if it is approved by then`]),
    ],
    by: `Asked by ${change.requester.name}`,
    asker: change.requester.name,
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
export const voterOf = ({
  by,
  for: away,
  inAdvance,
}: { by: Party; for?: Party | undefined } & Pick<Change['votes'][number], 'inAdvance'>): string => {
  if (inAdvance !== undefined) return `${by.name} in advance (${inAdvance.left})`
  return away === undefined ? by.name : `${by.name} for ${away.name}`
}

/** What is known of the amount, where the title does not say it. */
export const amountWordsOf = ({
  amount,
  currency,
}: Pick<Change, 'amount' | 'currency'>): string | undefined =>
  amount === null ? undefined : money(amount, { code: currency })

/**
 * The facts to compare: the amount unless the title says it, what it is taken from and whom it goes to, every field of the
 * request that is decided, then a few more of the command's own.
 */
export const leadFacts = (change: Change, title: string): Fact[] => {
  const amount = amountWordsOf(change)
  const all = requestFacts(change)
  const decided: Fact[] = [
    ...(amount === undefined
      ? all.filter(({ role }) => role === 'amount')
      : title.includes(amount)
        ? []
        : [{ label: 'Amount', value: amount }]),
    ...all.filter(({ role }) => role === 'target'),
    ...all.filter(({ role }) => role === 'source'),
    ...all.filter(({ role }) => role === 'subject'),
  ]
  const own = ownFacts(change)
  const more = all.filter((one) => one.role === 'detail' || (one.role === undefined && own.includes(one)))
  return [...decided, ...more].slice(0, Math.max(decided.length, maxAtOnce.facts))
}

/** What else is sent and stands in the details alone. */
export const countedFacts = (change: Change, lead: readonly Fact[]): Block[] => {
  const behind = requestFacts(change).filter(
    ({ role, label }) => role === 'detail' && !lead.some((one) => one.label === label),
  )
  return behind.length === 0
    ? []
    : [
        note(
          'plain',
          `${plural(behind.length, 'more value')} of the request ${behind.length === 1 ? 'stands' : 'stand'} in the details: ${fewNames(behind.map(({ label }) => cutName(visibleLine(label), room.name)))}.`,
        ),
      ]
}

/** The facts of a preview, the command's own first. */
const requestFacts = ({ preview }: Pick<Change, 'preview'>): Fact[] => {
  const own = ownFacts({ preview })
  const all = markedBlocks(preview).flatMap((block) => (block.kind === 'facts' ? block.facts : []))
  return [...own, ...all.filter((one) => !own.includes(one))]
}

/** What the card shows of a preview besides: what differs and what is sent, not its facts and remarks. */
export const shownBody = ({ preview }: Pick<Change, 'preview'>): Block[] =>
  markedBlocks(preview)
    .filter(({ kind }) => kind !== 'facts' && kind !== 'note')
    .map((block) => (block.kind === 'table' ? allColumns(block) : block))

/** Everything of a preview that stands on no card. */
export const detailsOf = ({ preview }: Pick<Change, 'preview'>, shown: readonly Fact[]): Block[] =>
  markedBlocks(preview).flatMap((block): Block[] => {
    if (block.kind === 'note') return block.tone === 'plain' ? [block] : []
    if (block.kind !== 'facts') return []
    const facts = block.facts
      .filter(({ role }) => role !== 'reason' || preview.quote === undefined)
      .filter(
        (fact) => !shown.some((one) => one.label === fact.label && isDeepStrictEqual(one.value, fact.value)),
      )
      .map(({ label, value, time }) => ({ label, value, ...defined({ time }) }))
    return facts.length === 0 ? [] : [{ kind: 'facts', facts }]
  })

/** Against it: what the policy warns of, then what the preview does. For it: what was looked up. */
export const statementsOf = (
  change: Pick<Change, 'warnings' | 'preview' | 'state'>,
  state = change.state,
): Block[] => [
  ...warningsIn({ ...change, state }).map(
    ({ words }): Block => ({ kind: 'note', tone: 'warn', text: words }),
  ),
  ...change.preview.blocks.filter((block) => block.kind === 'note' && isRisk(block.tone)),
  ...change.preview.blocks.filter((block) => block.kind === 'note' && block.tone === 'good'),
]

export const isRisk = (tone: string): boolean => tone === 'warn' || tone === 'bad'

/** The first facts of a preview are the command's own; those behind them may be named by whoever asked. */
const ownFacts = ({ preview }: Pick<Change, 'preview'>): Fact[] => {
  const first = preview.blocks.find(isOwnFacts)
  return first?.kind === 'facts' ? first.facts : []
}

const isOwnFacts = (block: Block): boolean => block.kind === 'facts' && !block.isSent

/** How the card's own lines begin. */
const ownLines = /^(?:(?:rule|expires|runs)$|(?:asked|amount|votes?|needs|has \d+|your turn|yours|you can)\b)/

/**
 * The blocks of a preview. Where somebody else may have named something, and it begins like a line of the card or has the
 * name of one of its facts, it says that it is a field.
 */
export const markedBlocks = (preview: Change['preview']): Block[] => {
  const own = ownFacts({ preview })
  const taken = new Set(own.flatMap(({ role, label }) => (role === undefined ? [] : [plainLabel(label)])))
  const mark = (label: string): string => {
    const plain = plainLabel(label)
    return taken.has(plain) || ownLines.test(plain) ? `Field "${label}"` : label
  }
  const markAll = <T extends { label: string }>(all: readonly T[]): T[] =>
    all.map((one) => ({ ...one, label: mark(one.label) }))
  return preview.blocks.map((block): Block => {
    if (block.kind === 'facts') return block.facts === own ? block : { ...block, facts: markAll(block.facts) }
    if (block.kind === 'diff') return { ...block, changes: markAll(block.changes) }
    if (block.kind === 'table') {
      return { ...block, rows: block.rows.map(([first = '', ...cells]) => [mark(first), ...cells]) }
    }
    const isPlain = block.kind === 'text' || (block.kind === 'note' && block.tone === 'plain')
    return isPlain ? { ...block, text: markStart(block.text, mark) } : block
  })
}

const markStart = (words: Words, mark: (text: string) => string): Words => {
  let isFirst = true
  return mapText(words, (text) => {
    const shown = isFirst ? mark(text) : text
    isFirst = false
    return shown
  })
}

const plainLabel = (label: string): string =>
  visibleLine(label)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
