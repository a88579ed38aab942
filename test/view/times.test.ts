import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { toViewJson } from '../../adapters/console/message-json.ts'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { answerResult } from '../../adapters/mcp/results.ts'
import { renderSlack, renderSlackModal } from '../../adapters/slack/render/message.ts'
import {
  cardOf,
  endOf,
  lateView,
  newsOf,
  reminderOf,
  statusOf,
  wholeCardOf,
} from '../../src/kernel/cards/card.ts'
import { requestFor } from '../../src/kernel/cards/pressable.ts'
import { step } from '../../src/kernel/law/law.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { readTime } from '../../src/kernel/times/read-time.ts'
import { due, when } from '../../src/lib/view/format.ts'
import { refusalView } from '../../src/lib/view/refusals.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { diff, facts, list, note, type View } from '../../src/lib/view/view.ts'
import { plainWords, sentence, type Words } from '../../src/lib/view/words.ts'
import { changeIn, party } from '../approvals/sample.ts'
import { fromOf, openTestApp } from '../harness/app.ts'
import { messengerPolicy } from '../messenger/messenger-harness.ts'

/** A clock as nobody's platform shows it: "2 Nov 2026, 09:00", or what stands in JSON for a sentence that was not drawn. */
const fixed = /\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}, \d\d:\d\d|\[object Object\]/

const at = Date.UTC(2026, 10, 2, 9)
const now = at + 3_600_000

/** Everything that is sent to a platform, but for the words beside a time that it shows only where it cannot show the time. */
const sentTo: Record<string, (view: View) => string> = {
  slack: (view) => withoutFallbacks(renderSlack(view)),
  'a modal of Slack': (view) =>
    withoutFallbacks(renderSlackModal({ ...view, blocks: [...view.blocks, ...(view.details ?? [])] })),
  discord: (view) =>
    JSON.stringify(renderDiscord({ ...view, blocks: [...view.blocks, ...(view.details ?? [])] })),
  console: (view) =>
    JSON.stringify(toViewJson(view), (_, value) => (isMoment(value) ? { at: value.at } : value)).replace(
      // The words of a fact that is a time, beside it.
      /"value":"[^"]*","time":/g,
      '"time":',
    ),
}
const withoutFallbacks = (sent: unknown): string =>
  JSON.stringify(sent, (key, value) => (key === 'fallback' ? undefined : value)).replace(
    /(<!date\^\d+\^[^|<>]*)\|[^<>]*>/g,
    '$1>',
  )
const isMoment = (value: unknown): value is { at: number } =>
  typeof value === 'object' && value !== null && 'at' in value && 'text' in value

/** Cells are drawn by their times where the column has them. */
const cellsOf = (view: View): View => ({
  ...view,
  blocks: view.blocks.map((block) =>
    block.kind !== 'table'
      ? block
      : {
          ...block,
          rows: block.rows.map((row, line) =>
            row.map((cell, place) => (block.columns[place]?.times?.[line] ? '' : cell)),
          ),
        },
  ),
})

const expectNative = (view: View) => {
  for (const [name, draw] of Object.entries(sentTo)) expect(draw(cellsOf(view)), name).not.toMatch(fixed)
  expect(textOfView(view, { details: true, zone: 'Europe/Berlin', now })).not.toContain('[object Object]')
  const iso = JSON.stringify(answerResult('audit find', view))
  expect(iso).not.toMatch(fixed)
}

const bot = await openTestApp({ policy: messengerPolicy, tasks: false })
const asked = await bot.say('refund pay_1004 240 --customer cus_1002', 'sam')
if (asked.kind !== 'change') throw new Error(asked.kind)
const file = { name: 'people.csv', bytes: new TextEncoder().encode('email,company\nada@example.com,N\n') }

describe('every command shows times as its platform does', () => {
  const lines = bot.registry.all.flatMap(({ examples }) =>
    examples.map((line) => line.replaceAll('7k2m9qwx4p', asked.change.id)),
  )
  test.each([
    ...lines,
    'refund pay_1013 49 --customer cus_1001',
    'person get ada@example.com',
    'away set --until "in 2d" --to fay',
    'refund pay_1004 240 --customer cus_1002 --at "in 2h"',
    'refund pay_1004 240 --customer cus_1002 --at 2020-01-01T09:00',
  ])('%s', async (line) => {
    bot.sandbox.reset()
    const [words = '', attached] = line.split(/ --file \S+/)
    const reply = await bot.handle({
      from: fromOf('fay'),
      forms: true,
      intent: { kind: 'line', line: words, ...(attached === undefined ? {} : { file }) },
    })
    if ('view' in reply) expectNative(reply.view)
    if (reply.kind !== 'change') return
    expectNative(wholeCardOf(reply.change, now))
    const done = await bot.press('confirm', reply.change.id, 'fay')
    if ('view' in done) expectNative(done.view)
  })
})

describe('and so does everything else that is told of a change', () => {
  const late = { at, learned: 'applied', message: 'It was sent', contradicts: null } as const
  const checked = { happened: true, message: sentence`A refund is there since ${when(at)}.`, n: 1, at }
  const pending = changeIn('pending', {
    createdAt: at,
    expiresAt: now + 60_000,
    warnings: [sentence`Sam asked for the same at ${when(at)} (c0); it was done.`],
    runAt: { at: now + 30_000, zone: 'Europe/Berlin' },
    drift: {
      message: 'It changed.',
      changes: [{ label: 'Runs', before: null, after: sentence`${due(now)}` }],
    },
    nudges: [{ person: 'ann', at: now - 1_000 }],
  })
  const states: Change[] = [
    pending,
    changeIn('approved', { holdUntil: now + 60_000, createdAt: at }),
    changeIn('unknown', { checked, createdAt: at }),
    changeIn('unknown', { late, createdAt: at }),
    changeIn('voided', {
      outcome: { at, message: sentence`Restored from a backup of ${when(at)}.`, warning: null, view: null },
    }),
    changeIn('applied', {
      outcome: { at, message: sentence`Away until ${due(now)}.`, warning: null, view: null },
    }),
  ]
  it.each(states.map((change, place) => [`${change.state} ${place}`, change] as const))('%s', (_, change) => {
    const ann = { party: party('ann'), mayVote: true }
    for (const view of [
      cardOf(change, now).view,
      wholeCardOf(change, now),
      reminderOf(change, now, []),
      newsOf(change, now, 'News', true),
      endOf(change),
      {
        title: 'List',
        tone: 'plain',
        blocks: [{ kind: 'requests', requests: [requestFor(change, ann, now, 'l1')] }],
      } as View,
      ...(change.late === undefined ? [] : [lateView(change, change.late)]),
    ])
      expectNative(view)
    expect(plainWords(statusOf(change, now))).not.toContain('[object Object]')
  })

  it('a reminder that comes too soon, and a time that is over', () => {
    const soon = step(pending, { kind: 'nudge', by: party('ann'), mayVote: false, at: now })
    const over = readTime('2020-01-01T09:00', { now, zone: 'Europe/Berlin' })
    for (const result of [soon, over]) {
      if (result.ok) throw new Error('it was taken')
      expect(JSON.stringify(result.refusal.next)).toContain('"at":')
      expectNative(refusalView(result.refusal))
    }
  })
})

/** What Discord reads as markdown. */
const contentIn = (node: unknown): string => {
  if (typeof node !== 'object' || node === null) return ''
  const { content = '' } = node as { content?: string }
  return [content, ...Object.values(node).map(contentIn)].join('\n')
}

/** What Slack reads as markup; everything else it shows as it is. */
const markupTexts = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const { type, text } = node as { type?: unknown; text?: unknown }
  return [...(type === 'mrkdwn' ? [String(text)] : []), ...Object.values(node).flatMap(markupTexts)]
}

describe('nothing that somebody writes becomes a time', () => {
  const forged = [
    '<t:1700000000:R>',
    '<!date^1700000000^{ago}|x>',
    '\u000117000\u0002',
    '\u0001',
    '2 Nov 2026, 09:00 UTC',
  ]
  const text = fc.oneof(fc.constantFrom(...forged), fc.string()).map((one) => `${one}`)

  it('in any messenger, beside a time or without one', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.boolean(), (written, isTimed) => {
        const words: Words = isTimed
          ? { parts: [...written, { at, text: 'T' }, ...written] }
          : written.join(' ')
        const view: View = {
          title: 'Title',
          tone: 'plain',
          blocks: [
            note('warn', words),
            list([words]),
            diff({ Side: [words, null] }),
            facts({ Value: words }),
            { kind: 'facts', isLead: true, facts: [{ label: 'Lead', value: words }] },
          ],
          footer: words,
        }
        const count = isTimed ? 1 : 0
        const slack = renderSlack(view)
        const dates = JSON.stringify(slack.blocks).match(/"type":"date"/g) ?? []
        const inMarkup =
          markupTexts(slack.blocks)
            .join()
            .match(/<!date\^/g) ?? []
        expect(dates.length + inMarkup.length).toBe(6 * count)
        expect(slack.text.match(/<!date\^/g) ?? []).toHaveLength(6 * count)
        // What is escaped is text, the backslash too.
        const discord = contentIn(renderDiscord(view)).match(/\\.|<t:\d+/gs) ?? []
        expect(discord.filter((one) => one.startsWith('<t:'))).toHaveLength(6 * count)
      }),
    )
  })
})

it('the terminal has the zone of the team, and a time is told with its distance where it stands alone', () => {
  const view: View = {
    title: 'T',
    tone: 'plain',
    blocks: [note('plain', sentence`At ${when(at)}.`), facts({ Since: when(at) })],
  }
  expect(textOfView(view, { zone: 'Europe/Berlin', now })).toBe(
    'T\n\nAt 2 Nov 2026, 10:00 Europe/Berlin (09:00 UTC).\n\nSince  2 Nov 2026, 10:00 Europe/Berlin (09:00 UTC) (1 hour ago)',
  )
})

test('a sentence that somebody puts into a text has its exact words there', () => {
  const words = sentence`Remind them at ${when('2026-11-02T09:00:00Z')} or later.`
  expect(`${words}`).toBe('Remind them at 2 Nov 2026, 09:00 UTC or later.')
  expect(`${sentence`Wait. ${words}`}`).toBe(`Wait. ${plainWords(words)}`)
})
