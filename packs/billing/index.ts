import type { OwnPack } from '../../src/kernel/command/pack.ts'
import { billing as service } from './endpoints.ts'
import { person } from './person.ts'
import { things } from './things.ts'
import { words } from './words.ts'

export const billingPack: OwnPack = {
  ...service,
  surface: 1,
  tryIt: ({ baseUrl, apiKey, secretKey }) => [
    `curl -u ${apiKey}:${secretKey} ${baseUrl}/transactions/cus_1001`,
  ],
  things,
  person,
  words,
  sandbox: async () => (await import('./sandbox/index.ts')).sandbox,
}
