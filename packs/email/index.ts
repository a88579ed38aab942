import type { OwnPack } from '../../src/kernel/command/pack.ts'
import { email as service } from './endpoints.ts'
import { person } from './person.ts'
import { things } from './things.ts'
import { words } from './words.ts'

export const emailPack: OwnPack = {
  ...service,
  surface: 1,
  tryIt: ({ baseUrl, apiKey }) => [
    `curl -H 'Authorization: Bearer ${apiKey}' ${baseUrl}/subscribers/ada@example.com`,
  ],
  things,
  person,
  words,
  sandbox: async () => (await import('./sandbox/index.ts')).sandbox,
}
