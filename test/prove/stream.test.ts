import { expect, it } from 'vitest'
import { proveStream } from '../../prove/stream.ts'
import { sample } from './sample.ts'

it('the stream of the audit log has no gap, however often its process is killed', async () => {
  const proof = await proveStream(sample)
  expect(proof.violations).toEqual([])
  expect(proof.figures.join('\n')).toContain('caught (3 came after 1)')
})
