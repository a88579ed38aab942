import type { types } from '@slack/bolt'
import { headCardOf, statusOf } from '../../../src/approvals/card.ts'
import type { Freeze, ReadContext } from '../../../src/command/context.ts'
import type { AuditEntry } from '../../../src/model/audit-entry.ts'
import type { Change } from '../../../src/model/change.ts'
import { needsApproval } from '../../../src/policy/clauses.ts'
import { plural } from '../../../src/view/button-labels.ts'
import { cutWords } from '../../../src/view/cut.ts'
import { when } from '../../../src/view/format.ts'
import type { Marks } from '../../../src/view/view.ts'
import { type Moment, partsOf, visibleWords, type Words } from '../../../src/view/words.ts'
import {
  clockElement,
  contextBlock,
  dateElement,
  newerBlocks,
  type RichDate,
  type RichText,
  type SlackBlock,
} from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { formButtonId, slackButton } from '../render/buttons.ts'
import { marksBlocks } from '../render/marks.ts'
import { renderSlack } from '../render/message.ts'
import { richText } from '../render/rich-text.ts'
import { ellipsize, plainText, truncate } from '../render/text.ts'

/** What people do most, as far as they may. */
const quickActions = [
  'subscriber get',
  'subscriber find',
  'contact get',
  'campaign send',
  'refund',
  'upgrade',
  'transaction find',
  'approval list',
]
const maxShown = 6
const maxCardBlocks = 60
const maxMarked = 20

/** The Home tab of one person: only what they may see. */
export const homeView = async ({ records, asker, now }: ReadContext): Promise<types.HomeView> => {
  const [open, isTurn, asked, freezes, activity] = await Promise.all([
    records.changes({ states: ['pending', 'unknown'], limit: 100, page: 1 }),
    records.turns(),
    records.changes({ requester: asker.person, limit: maxShown, page: 1 }),
    records.freezes(),
    records.audit.find({ limit: 8, page: 1 }),
  ])
  const isMine = ({ requester }: Change) => requester.person === asker.person
  const waiting = open.filter(isTurn)
  const shown = thatFit(
    waiting.slice(0, maxShown).map((change) => waitingBlocks(change, isMine(change), now)),
  )
  const actions = quickActions.filter(
    (name) => records.commands.all.some((one) => one.name === name) && records.mayRun(name),
  )
  return {
    type: 'home',
    blocks: [
      ...freezes.flatMap((freeze) => frozenBlocks(freeze)),
      headerBlock(waiting.length === 0 ? 'Nothing waits for you' : `Waiting for you: ${waiting.length}`),
      ...shown.flat(),
      ...more(waiting.length - shown.length),
      ...marksBlocks({ marks: marksOf(waiting) }),
      headerBlock('You asked for'),
      ...asked.slice(0, maxShown).flatMap((change) => changeLine(change)),
      ...(asked.length === 0 ? [smallBlock('Nothing yet.')] : more(asked.length - maxShown)),
      headerBlock('Recent activity'),
      ...(activity.length === 0 ? [smallBlock('Nothing yet.')] : activityBlocks(activity.slice(0, 8))),
      ...(actions.length === 0
        ? []
        : [
            headerBlock('Quick actions'),
            {
              type: 'actions' as const,
              elements: actions.map((name) => slackButton(formButtonId(name), capital(name))),
            },
          ]),
      smallBlock(
        `${asker.name}${asker.roles.length > 0 ? `, ${asker.roles.join(', ')}` : ''}. Type / to see the commands.`,
      ),
    ] as types.KnownBlock[],
  }
}

/**
 * What stands first on the card, and its buttons. A card is for everybody; here only the viewer looks, so a button that
 * would refuse them is left out.
 */
const waitingBlocks = (change: Change, isMine: boolean, now: number): SlackBlock[] => {
  const card = headCardOf(change, now, isMine ? 'requester' : 'decider')
  const actions = card.actions?.filter(({ verb }) => verb !== 'cancel' || isMine) ?? []
  return renderSlack({ ...card, actions }, { refused: homeRefuses }).blocks
}

/** All that waits for somebody's yes, to be decided on together; one alone has its card above. */
const marksOf = (waiting: readonly Change[]): Marks => {
  const marks = waiting
    .filter(({ state, clauses }) => state === 'pending' && needsApproval(clauses))
    .slice(0, maxMarked)
    .map(({ id, preview, requester }) => ({
      id,
      label: preview.title,
      hint: `asked by ${requester.name} · ${id}`,
    }))
  return marks.length < 2 ? [] : marks
}

/** The tab takes the older blocks alone. */
const homeRefuses = new Set(newerBlocks)

/** Whole cards only, the first ones. Slack takes a hundred blocks, and the rest of the tab needs some of them. */
const thatFit = (cards: readonly SlackBlock[][]): SlackBlock[][] => {
  let room = maxCardBlocks
  return cards.filter((blocks) => {
    room -= blocks.length
    return room >= 0
  })
}

const changeLine = (change: Change): SlackBlock[] =>
  linesBlocks(
    [`${ellipsize(change.preview.title, 200)}\n`],
    [cutWords(visibleWords(statusOf(change)), 500, truncate), '\n'],
    [`${ellipsize(change.requester.name, 200)}, `, change.createdAt, ` · ${change.id}`],
  )

/** Text with times in it, which stay true while the tab is open. */
const linesBlocks = (...lines: (Words | number)[][]): SlackBlock[] =>
  richText(
    'rich_text_section',
    lines
      .flat()
      .flatMap((part) => (typeof part === 'number' ? elementOf(part) : partsOf(part).map(partElement))),
  )

const partElement = (part: string | Moment): RichText | RichDate =>
  typeof part === 'string' ? { type: 'text', text: part } : clockElement(part)

const elementOf = (at: number): RichText | RichDate => {
  const shown = when(at)
  return typeof shown === 'object' ? dateElement(shown) : { type: 'text', text: shown ?? '' }
}

const headerBlock = (text: string): SlackBlock => ({ type: 'header', text: plainText(text, limits.header) })
const smallBlock = (text: string): SlackBlock => contextBlock(plainText(truncate(text, limits.text)))
const more = (count: number): SlackBlock[] =>
  count > 0 ? [smallBlock(`${plural(count, 'more')} in approval list.`)] : []

const frozenBlocks = ({ area, name, reason, at }: Freeze): SlackBlock[] =>
  linesBlocks([
    `Frozen: ${area === 'all' ? 'everything' : area}, by ${ellipsize(name, 200)}, `,
    at,
    reason ? `: ${ellipsize(reason, 500)}` : '.',
  ])

const activityBlocks = (entries: readonly AuditEntry[]): SlackBlock[] =>
  linesBlocks(
    ...entries.map(({ at, name, kind, command, changeId }, line) => [
      ...(line === 0 ? [] : ['\n']),
      at,
      `: ${ellipsize(`${name} ${kind} ${command}${changeId === null ? '' : ` (${changeId})`}`, 300)}`,
    ]),
  )

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
