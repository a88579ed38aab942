import { expect, it } from 'vitest'
import { endBlock } from '../../src/approvals/card-head.ts'
import { when } from '../../src/view/format.ts'
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
