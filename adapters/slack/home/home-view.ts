import type { types } from '@slack/bolt'
import { marksOfRows } from '../../../src/kernel/cards/marked.ts'
import { requestFor, viewerOf } from '../../../src/kernel/cards/pressable.ts'
import type { ReadContext } from '../../../src/kernel/command/context.ts'
import type { AuditEntry } from '../../../src/kernel/model/audit-entry.ts'
import { type Change, unsettledStates } from '../../../src/kernel/model/change.ts'
import { deedSentence } from '../../../src/kernel/model/deeds.ts'
import { freezeWords, unfreezeActions } from '../../../src/kernel/model/freeze.ts'
import { defined } from '../../../src/lib/defined.ts'
import { countWords, type Some, someWhere } from '../../../src/lib/some.ts'
import { cutWords } from '../../../src/lib/view/cut.ts'
import { when } from '../../../src/lib/view/format.ts'
import type { Request } from '../../../src/lib/view/view.ts'
import { type Moment, partsOf, visibleWords, type Words } from '../../../src/lib/view/words.ts'
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
import { actionButtons, formButtonId, slackButton } from '../render/buttons.ts'
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
const maxShown = 12
const maxAsked = 6
const maxCardBlocks = 60

/** The Home tab of one person: only what they may see. */
export const homeView = async (reads: ReadContext): Promise<types.HomeView> => {
  const { records, actor, now } = reads
  const [open, isTurn, decidersOf, asked, freezes, activity] = await Promise.all([
    records.changes({ states: ['pending', ...unsettledStates], limit: 100, page: 1 }),
    records.turns(),
    records.deciders(),
    records.changes({ requester: actor.person, limit: maxAsked, page: 1 }),
    records.freezes(),
    // Who looked at something did nothing.
    records.audit.find({ changesOnly: true, limit: 8, page: 1 }),
  ])
  const waits = someWhere(open, isTurn)
  const waiting = waits.items.toSorted((one, other) => other.updatedAt - one.updatedAt)
  const rowOf = async (change: Change) =>
    requestFor(change, await viewerOf(reads, change, decidersOf), now, homeMark)
  const rows = await Promise.all(waiting.slice(0, maxShown).map(rowOf))
  const shown = thatFit(rows)
  const requests = await Promise.all(asked.items.map(rowOf))
  const titles = new Map(
    (await records.changesById(activity.flatMap(({ changeId }) => changeId ?? []))).map((one) => [
      one.id,
      one,
    ]),
  )
  const actions = quickActions.filter(
    (name) => records.commands.all.some((one) => one.name === name) && records.mayRun(name),
  )
  return {
    type: 'home',
    blocks: [
      ...freezes.flatMap((freeze) =>
        linesBlocks([cutWords(visibleWords(freezeWords(freeze)), limits.text, truncate)]),
      ),
      ...actionButtons(unfreezeActions(freezes)),
      headerBlock(waiting.length === 0 ? 'Nothing waits for you' : `Waiting for you: ${countWords(waits)}`),
      ...shown.flatMap(({ blocks }) => blocks),
      ...more(waits, shown.length, 'approval list'),
      ...marksBlocks(defined({ marks: marksOfRows(shown.map(({ row }) => row)) })),
      headerBlock('You asked for'),
      ...requests.flatMap(rowBlocks),
      ...(asked.items.length === 0
        ? [smallBlock('Nothing yet.')]
        : more(asked, maxAsked, 'approval list --mine')),
      headerBlock('Recent activity'),
      ...(activity.length === 0
        ? [smallBlock('Nothing yet.')]
        : activityBlocks(activity.slice(0, 8), titles)),
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
        `${actor.name}${actor.roles.length > 0 ? `, ${actor.roles.join(', ')}` : ''}. Type / to see the commands.`,
      ),
    ] as types.KnownBlock[],
  }
}

/** It is drawn again by itself, so its buttons say of no message that it is to be. */
const homeMark = 'home'

/** A line for each, as everywhere, and its buttons: only the viewer looks, so one that would refuse them is left out. */
const rowBlocks = (row: Request): SlackBlock[] =>
  renderSlack(
    { title: '', tone: 'plain', blocks: [{ kind: 'requests', requests: [row] }] },
    { refused: homeRefuses },
    // A row has no heading of its own.
  ).blocks.slice(1)

/** The tab takes the older blocks alone. */
const homeRefuses = new Set(newerBlocks)

/** Whole rows only, the first ones. Slack takes a hundred blocks, and the rest of the tab needs some of them. */
const thatFit = (rows: readonly Request[]): { row: Request; blocks: SlackBlock[] }[] => {
  let room = maxCardBlocks
  return rows
    .map((row) => ({ row, blocks: rowBlocks(row) }))
    .filter(({ blocks }) => {
      room -= blocks.length
      return room >= 0
    })
}

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
const more = (found: Some<Change>, shown: number, line: string): SlackBlock[] => {
  if (found.items.length > shown) return [smallBlock(`${countWords(found, shown)} more in ${line}.`)]
  return found.isCut ? [smallBlock(`More of them in ${line}.`)] : []
}

const activityBlocks = (entries: readonly AuditEntry[], changes: ReadonlyMap<string, Change>): SlackBlock[] =>
  linesBlocks(
    ...entries.map((entry, line) => [
      ...(line === 0 ? [] : ['\n']),
      ellipsize(`${entry.name} ${deedSentence(entry, changes.get(entry.changeId ?? ''))}, `, 300),
      entry.at,
    ]),
  )

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
