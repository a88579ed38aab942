import { expect, it } from 'vitest'
import { proveFrozen } from '../../prove/frozen.ts'

it('a process that was given up sends nothing when it wakes, and a planted fault is caught', {
  timeout: 240_000,
}, async () => {
  const proof = await proveFrozen({ sample: true, seed: 1, say: () => undefined })
  expect(proof.violations).toEqual([])
  expect(proof.figures.join('\n')).toContain('caught (1 requests of the first refund and should be 0)')
})
