import { expect, it } from 'vitest'
import { proveIsolation } from '../../prove/isolation.ts'
import { sample } from './sample.ts'

it('others ask, decide and freeze while one person floods the bot, and nothing of it holds the bot', async () => {
  const proof = await proveIsolation(sample)
  expect(proof.violations).toEqual([])
  expect(proof.tables[0]?.rows.length).toBeGreaterThan(2)
})
