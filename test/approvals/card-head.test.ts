import { expect, it } from 'vitest'
import { detailsOf, endBlock } from '../../src/kernel/cards/card-head.ts'
import { when } from '../../src/lib/view/format.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { plainWords, sentence } from '../../src/lib/view/words.ts'
import { changeIn, outcome, party } from './sample.ts'

it.each([
  [{ outcome: { ...outcome('All done'), at: 5_000 } }, 5_000],
  [{ ended: { by: party('fay'), at: 7_000, reason: null } }, 7_000],
  [
    { outcome: { ...outcome('All done'), at: 5_000 }, ended: { by: party('fay'), at: 7_000, reason: null } },
    5_000,
  ],
  [{}, 9_000],
])('what is over is dated by its outcome, or by who ended it, or by its last step: %j', (over, at) => {
  const { time } = endBlock(changeIn('applied', { updatedAt: 9_000, ...over }), [])
  expect(time).toEqual({ words: '', moment: when(at) })
})

it.each([
  ['Needs ', ' needs a look', /^Field "Needs ".* needs a look$/],
  ['It was so at ', ' needs a look', /^It was so at .* needs a look$/],
])(
  'words that begin like a line of the card are marked as none, where they begin: %s…%s',
  (before, after, words) => {
    const preview = {
      title: 'Refund',
      tone: 'warn' as const,
      blocks: [note('plain', sentence`${before}${when(5_000)}${after}`)],
    }
    const shown = detailsOf(changeIn('pending', { preview }), [])
    expect(shown.map((one) => one.kind === 'note' && plainWords(one.text))).toEqual([
      expect.stringMatching(words),
    ])
  },
)

it.each([
  ['a reason that the card quotes', 'Charged twice', ['Payment']],
  ['no reason to quote', undefined, ['Payment', 'Reason']],
])('where there is %s, the details have what stands on no card', (_, quote, labels) => {
  const own = facts({
    Payment: { role: 'source', value: 'pay_1' },
    Reason: { role: 'reason', value: quote ?? 'none given' },
  })
  // Of something else, by the name of a line of the card.
  const others = facts({ Reason: 'it is sold out' })
  const preview = { title: 'Refund', tone: 'warn' as const, blocks: [own, others], ...(quote && { quote }) }
  const blocks = detailsOf(changeIn('pending', { preview }), [])
  const shown = blocks.map((block) => block.kind === 'facts' && block.facts.map(({ label }) => label))
  expect(shown).toEqual([labels, [expect.stringContaining('Reason')]])
})
