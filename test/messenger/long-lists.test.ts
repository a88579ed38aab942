import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/kernel/model/change.ts'
import { changeIn, party } from '../approvals/sample.ts'
import { until } from '../harness/until.ts'
import { openConsoleConversation } from './console-harness.ts'
import { openDiscordConversation } from './discord-harness.ts'
import type { MessengerHarness, Seen } from './messenger-harness.ts'
import { openSlackConversation } from './slack-harness.ts'

const titleOf = (at: number) => `Refund ${at + 1} USD to Customer-${at}-end`

const start = Date.now()

/** As much as a request says: who asked, what it needs, four facts and what warns of it. */
const waitingChange = (at: number): Change =>
  changeIn('pending', {
    id: `c${String(at).padStart(8, '0')}`,
    requester: party('sam', { name: 'Sam Support', roles: ['support'] }),
    preview: {
      title: titleOf(at),
      tone: 'warn',
      blocks: [
        { kind: 'note', tone: 'warn', text: `${at + 1} USD was refunded to this customer twice this month.` },
        {
          kind: 'facts',
          facts: ['Payment', 'Customer', 'Kind', 'Left after'].map((label) => ({
            label,
            value: `${label} ${'of a long value '.repeat(6)}`,
          })),
        },
      ],
    },
    clauses: [{ kind: 'approvals', count: 2, from: ['finance'], because: 'rule "refund"' }],
    createdAt: start - at,
    updatedAt: start - at,
    expiresAt: start + 3_600_000,
  })

const shownIn = (message: Seen): string[] => message.words.match(/Customer-\d+-end/g) ?? []
const unique = (words: readonly string[]) => [...new Set(words)]

describe.each([
  ['Slack', openSlackConversation],
  ['Discord', openDiscordConversation],
  ['the console', openConsoleConversation],
] as const)('in %s, a list of what waits', async (_, open) => {
  const harness: MessengerHarness = await open()
  const { store } = harness
  let stored = 0
  const withWaiting = async (count: number) => {
    // In parts, so that the bot has its turns with the database between them.
    while (stored < count)
      await store.tx(async (inner) => {
        for (const end = Math.min(count, stored + 100); stored < end; stored++)
          await inner.changes.insert(waitingChange(stored))
      })
  }
  const list = async (line: string): Promise<Seen> => {
    const before = new Set(harness.sees('fay').map(({ id }) => id))
    const isNew = ({ id, words }: Seen) => !before.has(id) && isList(words)
    // Whoever reads that it was not taken in, or nothing, sends it again in a moment.
    let again = 0
    return until(async () => {
      if (performance.now() >= again) {
        await harness.says('fay', line)
        again = performance.now() + 5_000
      }
      return seen(isNew)
    })
  }
  const seen = (isIt: (message: Seen) => boolean): Seen => {
    const message = harness.sees('fay').findLast(isIt)
    if (message !== undefined) return message
    const last = harness.sees('fay').at(-1)?.words.slice(0, 300)
    throw new Error(`it is not there yet; refused: ${JSON.stringify(harness.refused())}; seen last: ${last}`)
  }
  const isList = (words: string) => /Customer-|Nothing is waiting|nothing on page/.test(words)
  const pressing = async (message: Seen, label: string): Promise<Seen> => {
    await harness.presses('fay', message, label)
    return until(() => seen(({ id, words }) => id === message.id && words !== message.words))
  }

  test.each([0, 1, 7, 100])('of %i is shown to its end, each once, with a way back', async (count) => {
    await withWaiting(count)
    const expected = Array.from({ length: count }, (_, at) => `Customer-${at}-end`)
    let page = await list('approval list')
    const shown = [...unique(shownIn(page))]
    let pages = 1
    while (page.buttons.includes('Next')) {
      page = await pressing(page, 'Next')
      expect(page.words).not.toContain('left out')
      shown.push(...unique(shownIn(page)))
      pages++
    }
    expect(shown).toEqual(expected)
    const last = unique(shownIn(page))
    for (; pages > 1; pages--) page = await pressing(page, 'Previous')
    expect(page.buttons).not.toContain('Previous')
    if (count > 7) expect(unique(shownIn(page))).not.toEqual(last)
    expect(harness.refused()).toEqual([])
  })

  test('of 5,000 has its last in reach', async () => {
    await withWaiting(5_000)
    let page = await list('approval list --page 500')
    const shown = [...unique(shownIn(page))]
    while (page.buttons.includes('Next')) {
      page = await pressing(page, 'Next')
      shown.push(...unique(shownIn(page)))
    }
    expect(shown).toEqual(Array.from({ length: 10 }, (_, at) => `Customer-${4_990 + at}-end`))
  })
})
