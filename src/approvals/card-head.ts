import { defined } from '../defined.ts'
import type { Change, Party } from '../model/change.ts'
import { ballotOf, fromWords, progressOf } from '../policy/clauses.ts'
import { cutName, cutText, weightOf } from '../view/cut.ts'
import { money } from '../view/format.ts'
import type { Block } from '../view/view.ts'
import { visibleLine } from '../view/visible.ts'
import { zonedTime } from '../view/zones.ts'

export type Fact = Extract<Block, { kind: 'facts' }>['facts'][number]

/** Weights that the platform with the least room can show together. */
const room = { status: 400, name: 100, value: 150, clauses: 900, warnings: 600 }
const mostWarnings = 6

/** What stands first, each part within its bound, so that no other text pushes it off; `weight` is what it takes. */
export const headOf = (
  change: Change,
  status: Block[],
): { blocks: Block[]; weight: number; isCut: boolean } => {
  let weight = 0
  let isCut = false
  const bounded = (words: string, most: number, cut = cutText): string => {
    const whole = visibleLine(words)
    const shown = cut(whole, Math.floor(most))
    isCut ||= shown !== whole
    weight += weightOf(shown) + 12
    return shown
  }
  const boundedNotes = (notes: Block[], most: number): Block[] =>
    notes.map((one) => (one.kind === 'note' ? { ...one, text: bounded(one.text, most / notes.length) } : one))
  const clauses = clauseFacts(change)
  const warnings = warningsOf(change)
  isCut ||= warnings.length > mostWarnings
  const blocks: Block[] = [
    ...boundedNotes(status, room.status),
    {
      kind: 'facts',
      facts: [
        { label: 'Asked by', value: bounded(change.requester.name, room.name, cutName) },
        ...plainFacts(change).map(({ label, value }) => ({ label, value: bounded(value, room.value) })),
        ...clauses.map(({ label, value }) => ({
          label: bounded(label, Math.max(10, (0.4 * room.clauses) / clauses.length)),
          value: bounded(value, (0.6 * room.clauses) / clauses.length),
        })),
      ],
    },
    ...boundedNotes(warnings.slice(0, mostWarnings), room.warnings),
  ]
  return { blocks, weight, isCut }
}

/** Who asked, what it moves and to whom, and every clause: what nobody should decide without having read. */
export const essentialFacts = (change: Change): Fact[] => [
  { label: 'Asked by', value: change.requester.name },
  ...plainFacts(change),
  ...clauseFacts(change),
]

const plainFacts = (change: Change): Fact[] => [
  ...amountFacts(change),
  ...(change.runAt === undefined
    ? []
    : [{ label: 'Runs', value: zonedTime(change.runAt.at, change.runAt.zone) }]),
  ...ownFacts(change).filter(({ label }) => lifted.has(label)),
]

/** The preview without what stands first. A field of the request by the name of such a fact says that it is one. */
export const restOfPreview = ({ preview }: Pick<Change, 'preview'>): Block[] => {
  const first = preview.blocks.findIndex(({ kind }) => kind === 'facts')
  return preview.blocks
    .filter((block) => !isWarning(block))
    .flatMap((block): Block[] => {
      if (block.kind === 'diff') {
        return [
          { ...block, changes: block.changes.map((one) => ({ ...one, label: unmistakable(one.label) })) },
        ]
      }
      if (block.kind === 'table') {
        return [
          { ...block, rows: block.rows.map(([first = '', ...cells]) => [unmistakable(first), ...cells]) },
        ]
      }
      if (block.kind === 'text' || block.kind === 'note')
        return [{ ...block, text: unmistakable(block.text) }]
      if (block.kind !== 'facts') return [block]
      const isOwn = block === preview.blocks[first]
      const facts = block.facts
        .filter(({ label }) => !isOwn || (label !== 'Amount' && !lifted.has(label)))
        .map(({ label, value, time }) => ({ label: unmistakable(label), value, ...defined({ time }) }))
      return facts.length === 0 ? [] : [{ ...block, facts }]
    })
}

/** What the policy warns of, then what the preview does. */
export const warningsOf = ({ warnings, preview }: Pick<Change, 'warnings' | 'preview'>): Block[] => [
  ...warnings.map((text): Block => ({ kind: 'note', tone: 'warn', text })),
  ...preview.blocks.filter(isWarning),
]

/** Each clause with the people who count for it; where there are several, what asks for which. */
export const clauseFacts = (change: Change): Fact[] => {
  const nameOf = new Map(change.votes.map((vote) => [vote.by.person, voterOf(vote)]))
  const counted = progressOf(change.clauses, ballotOf(change)).flatMap(({ clause, people }) => {
    if (clause.kind !== 'approvals') return []
    const names = people.map((person) => nameOf.get(person)).join(', ')
    const words = `${people.length} of ${clause.count}${fromWords(clause)}${names === '' ? '' : `: ${names}`}`
    return [{ because: clause.because, words }]
  })
  if (counted.length < 2) return counted.map(({ words }) => ({ label: 'Votes', value: words }))
  return counted.map(({ because, words }, at) => {
    const isTwice = counted.some((other, place) => place < at && other.because === because)
    return { label: `Votes for ${because}${isTwice ? ` (${at + 1})` : ''}`, value: words }
  })
}

/** Under both names, where somebody votes for somebody else. */
export const voterOf = ({ by, for: away }: { by: Party; for?: Party | undefined }): string =>
  away === undefined ? by.name : `${by.name} for ${away.name}`

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
  /^(?:(?:payment|customer|subscription|new plan|recipients|to|lists|rule|expires|runs)$|(?:asked by|amount|votes?)\b)/

/** What is known of the amount; where nobody knows it, what the command says of it in its own facts. */
const amountFacts = (change: Change): Fact[] =>
  change.amount === null
    ? ownFacts(change).filter(({ label }) => label === 'Amount')
    : [{ label: 'Amount', value: money(change.amount, { code: change.currency }) }]

/** The first facts of a preview are the command's own; those behind them may be named by whoever asked. */
const ownFacts = ({ preview }: Pick<Change, 'preview'>): Fact[] => {
  const first = preview.blocks.find((block) => block.kind === 'facts')
  return first?.kind === 'facts' ? first.facts : []
}

const isWarning = (block: Block): boolean =>
  block.kind === 'note' && (block.tone === 'warn' || block.tone === 'bad')

/** Words that begin like no fact of the card. */
export const unmistakable = (label: string): string => {
  const plain = visibleLine(label)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return reserved.test(plain) ? `Field "${label}"` : label
}
