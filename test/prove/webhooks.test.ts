import { expect, it } from 'vitest'
import { proveWebhooks } from '../../prove/webhooks.ts'
import { sample } from './sample.ts'

it('under kills each key is one change, and a webhook is told every step of each in order', async () => {
  const proof = await proveWebhooks(sample)
  expect(proof.violations).toEqual([])
  expect(proof.figures.join('\n')).toContain('caught (told approved applied)')
})
