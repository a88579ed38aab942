import type { OwnPack } from '../../src/kernel/command/pack.ts'
import { chat as service } from './endpoints.ts'
import { person } from './person.ts'
import { things } from './things.ts'
import { words } from './words.ts'

export const chatPack: OwnPack = {
  ...service,
  surface: 1,
  things,
  person,
  words,
  sandbox: async () => (await import('./sandbox/index.ts')).sandbox,
}
