import type { types } from '@slack/bolt'
import { cardOf, statusOf } from '../../src/approvals/card.ts'
import type { Change } from '../../src/approvals/change.ts'
import type { AuditEntry } from '../../src/audit/entry.ts'
import type { Freeze, ReadContext } from '../../src/command/context.ts'
import { ago } from '../../src/view/format.ts'
import { plural } from '../../src/view/words.ts'
import { context, type SlackBlock } from './blocks.ts'
import { buttonOf, buttonsOf, openerId } from './buttons.ts'
import { limits } from './limits.ts'
import { clip, cut, plain } from './plain.ts'

/** What people do most, as far as they may. */
const quick = [
  'subscriber get',
  'subscriber find',
  'contact get',
  'campaign send',
  'refund',
  'upgrade',
  'transaction find',
  'approval list',
]
const shown = 6

/** The Home tab of one person: only what they may see. */
export const homeView = async ({ house, asker, now }: ReadContext): Promise<types.HomeView> => {
  const [open, asked, freezes, activity] = await Promise.all([
    house.changes({ states: ['pending', 'unknown'], limit: 100, page: 1 }),
    house.changes({ requester: asker.person, limit: shown, page: 1 }),
    house.freezes(),
    house.audit.find({
      ...(house.mayRun('audit find') ? {} : { who: asker.person }),
      limit: 8,
      page: 1,
    }),
  ])
  const isMine = ({ requester }: Change) => requester.person === asker.person
  const waiting = open.filter((change) =>
    change.requirement.kind === 'confirm' && change.state === 'pending'
      ? isMine(change)
      : house.mayDecide(change) || (isMine(change) && change.state === 'unknown'),
  )
  const actions = quick.filter(
    (name) => house.commands.all.some((one) => one.name === name) && house.mayRun(name),
  )
  return {
    type: 'home',
    blocks: [
      ...freezes.map((freeze) => line(`Frozen: ${frozenWords(freeze, now)}`)),
      header(waiting.length === 0 ? 'Nothing waits for you' : `Waiting for you: ${waiting.length}`),
      ...waiting.slice(0, shown).flatMap((change) => waitingBlocks(change, isMine(change), now)),
      ...more(waiting.length - shown),
      header('You asked for'),
      ...asked.slice(0, shown).map((change) => changeLine(change, now)),
      ...(asked.length === 0 ? [small('Nothing yet.')] : more(asked.length - shown)),
      header('Recent activity'),
      ...(activity.length === 0
        ? [small('Nothing yet.')]
        : [small(activityWords(activity.slice(0, 8), now))]),
      ...(actions.length === 0
        ? []
        : [
            header('Quick actions'),
            {
              type: 'actions' as const,
              elements: actions.map((name) => buttonOf(openerId(name), capital(name))),
            },
          ]),
      small(
        `${asker.name}${asker.roles.length > 0 ? `, ${asker.roles.join(', ')}` : ''}. Type / to see the commands.`,
      ),
    ] as types.KnownBlock[],
  }
}

/** A card is for everybody; here only the viewer looks, and a button that would refuse them is none. */
const waitingBlocks = (change: Change, isMine: boolean, now: number): SlackBlock[] => [
  changeLine(change, now),
  ...buttonsOf((cardOf(change, now).actions ?? []).filter(({ verb }) => verb !== 'cancel' || isMine)),
]

const changeLine = (change: Change, now: number): SlackBlock =>
  line(
    `${clip(change.preview.title, 200)}\n${cut(statusOf(change), 500)}`,
    `${change.requester.name}, ${ago(change.createdAt, now)} · ${change.id}`,
  )

const line = (text: string, under?: string): SlackBlock => ({
  type: 'section',
  text: plain(under === undefined ? text : `${text}\n${under}`, limits.text),
})

const header = (text: string): SlackBlock => ({ type: 'header', text: plain(text, limits.header) })
const small = (text: string): SlackBlock => context(plain(cut(text, limits.text)))
const more = (count: number): SlackBlock[] =>
  count > 0 ? [small(`${plural(count, 'more')} in approval list.`)] : []

const frozenWords = ({ area, name, reason, at }: Freeze, now: number): string =>
  `${area === 'all' ? 'everything' : area}, by ${name} ${ago(at, now)}${reason ? `: ${reason}` : ''}`

const activityWords = (entries: readonly AuditEntry[], now: number): string =>
  entries
    .map(({ at, name, kind, command, changeId }) =>
      clip(`${ago(at, now)}: ${name} ${kind} ${command}${changeId === null ? '' : ` (${changeId})`}`, 300),
    )
    .join('\n')

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
