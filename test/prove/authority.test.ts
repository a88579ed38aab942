import { expect, it } from 'vitest'
import { proveAuthority } from '../../prove/authority.ts'
import { sample } from './sample.ts'

it('no change runs without every clause satisfied by people who may do so at that moment, and a planted fault is noticed', async () => {
  const proof = await proveAuthority(sample)
  expect(proof.violations).toEqual([])
  const [, , ran] = proof.tables[0]?.rows[0] ?? []
  expect(Number(ran)).toBeGreaterThan(15)
})
