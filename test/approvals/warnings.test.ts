import { describe, expect, it } from 'vitest'
import { cardOf, endOf, headCardOf, newsOf, reminderOf, wholeCardOf } from '../../src/kernel/cards/card.ts'
import { requestFor } from '../../src/kernel/cards/pressable.ts'
import { signingView } from '../../src/kernel/cards/signing-view.ts'
import { type Change, changeSchema, states } from '../../src/kernel/model/change.ts'
import { allWarnings, untilKnown, warning, warningsIn } from '../../src/kernel/model/warning.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { View } from '../../src/lib/view/view.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { openHarness } from '../pipeline/harness.ts'
import { changeIn, party } from './sample.ts'

const viewer = { party: party('zoe'), mayVote: true }
const rows = (one: Change): View => ({
  title: '',
  tone: 'plain',
  blocks: [{ kind: 'requests', requests: [requestFor(one, viewer, 2_000, 'list1')] }],
})

/** Of the details, what is told of now. */
const untilAsked = (view: View): View => {
  const at = view.blocks.findIndex(
    (block) => block.kind === 'text' && plainWords(block.text).startsWith('When it was asked, at'),
  )
  return at === -1 ? view : { ...view, blocks: view.blocks.slice(0, at) }
}

/** Everything that shows a change as it stands; what it was before it ended stands in the details, apart. */
const shownBy: Record<string, (one: Change) => View> = {
  card: (one) => ({ ...cardOf(one, 2_000).view, details: [] }),
  head: (one) => ({ ...headCardOf(one, 2_000), details: [] }),
  reminder: (one) => ({ ...reminderOf(one, 2_000, []), details: [] }),
  'news of it': (one) => ({ ...newsOf(one, 2_000, 'Bob asks', true), details: [] }),
  'message at its end': (one) => ({ ...endOf(one), details: [] }),
  'whole card': (one) => untilAsked(wholeCardOf(one, 2_000)),
  'line of a list': rows,
  'page that signs': (one) => ({ ...signingView(one, 2_000).view, details: [] }),
}

describe('a warning', () => {
  it.each(states)('stands on what shows a change that is %s only if it names that state', (state) => {
    for (const held of states) {
      const one = changeIn(state, { warnings: [warning(`Only while ${held}`, [held])] })
      const isOver = !untilKnown.some((open) => open === state)
      for (const [place, show] of Object.entries(shownBy))
        expect([place, held, textOfView(show(one)).includes(`Only while ${held}`)]).toEqual([
          place,
          held,
          held === state && !isOver,
        ])
    }
  })
  it.each(states)(
    'stands in the details of one that is %s as what was, if it spoke against the doing',
    (state) => {
      const one = changeIn(state, {
        warnings: [warning('Decide soon.', ['pending']), warning('Asked twice.', untilKnown)],
      })
      const whole = textOfView(wholeCardOf(one, 2_000))
      expect(whole.includes('Decide soon.')).toBe(state === 'pending')
      expect(textOfView(cardOf(one, 2_000).view, { details: true })).toContain('Asked twice.')
    },
  )
  it.each(states)(
    'and what was known are told of one that is %s as of then, once it may have been sent',
    (state) => {
      const known = { kind: 'note', tone: 'good', text: 'Nothing is refunded yet.' } as const
      const base = changeIn(state)
      const one = { ...base, preview: { ...base.preview, blocks: [...base.preview.blocks, known] } }
      const isBefore = ['pending', 'approved', 'applying'].includes(state)
      for (const [place, show] of Object.entries(shownBy).filter(([name]) => name !== 'line of a list'))
        expect([place, textOfView(show(one)).includes(known.text)]).toEqual([place, isBefore])
      expect(textOfView(wholeCardOf(one, 2_000))).toContain(known.text)
    },
  )
  it('of an older version holds until the outcome is known', () => {
    for (const state of states) {
      const old = changeIn(state, { warnings: ['Asked before.'] })
      expect(warningsIn(old)).toEqual(
        untilKnown.some((open) => open === state) ? [warning('Asked before.', untilKnown)] : [],
      )
      expect(changeSchema.parse(JSON.parse(JSON.stringify(old))).warnings).toEqual(['Asked before.'])
    }
  })
  it('that a request must be decided before its time is gone once it was', async () => {
    const now = Date.parse('2026-11-12T09:00:00Z')
    const harness = await openHarness({ now: () => now })
    const asked = await harness.ask(`refund ${harness.payment()} 60 --at 2026-11-20T09:00`)
    expect(allWarnings(asked).map((one) => JSON.stringify(one))).toEqual([
      expect.stringContaining('decide before that'),
    ])
    expect(textOfView(cardOf(asked, now).view)).toContain('decide before that')
    const approved = await harness.click('approve', asked, 'fay')
    expect(approved.state).toBe('approved')
    expect(textOfView(cardOf(approved, now).view, { details: true })).not.toContain('decide before that')
  })
})
