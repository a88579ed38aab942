import { expect, it } from 'vitest'
import { proveCrash } from '../../prove/crash.ts'
import { sample } from './sample.ts'

it('a change survives the death of its process at any step, once', async () => {
  const proof = await proveCrash(sample)
  expect(proof.violations).toEqual([])
  expect(proof.figures[0]).toMatch(/^[34] lives: \d changes/)
})
