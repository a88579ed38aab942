import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { planted } from '../../prove/authority/planted.ts'
import { proveAuthority } from '../../prove/authority.ts'
import { sample } from './sample.ts'

it('no change runs without every clause satisfied by people who may do so at that moment, and a planted fault is noticed', async () => {
  const proof = await proveAuthority(sample)
  expect(proof.violations).toEqual([])
  const [, , ran] = proof.tables[0]?.rows[0] ?? []
  expect(Number(ran)).toBeGreaterThan(15)
})

it('every fault that is planted in a source fits it, and names a test that is there', () => {
  for (const { fault, file, from, test, named } of planted) {
    expect(readFileSync(file, 'utf8').split(from), fault).toHaveLength(2)
    expect(readFileSync(test, 'utf8'), fault).toContain(named)
  }
})
