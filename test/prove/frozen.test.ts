import { expect, it } from 'vitest'
import { proveFrozen } from '../../prove/frozen.ts'
import { sample } from './sample.ts'

it('a process that was given up sends nothing when it wakes, and a planted fault is caught', async () => {
  const proof = await proveFrozen(sample)
  expect(proof.violations).toEqual([])
  expect(proof.figures.join('\n')).toContain('caught (1 requests of the first refund and should be 0)')
})
