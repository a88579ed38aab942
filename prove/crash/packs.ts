import { ownPacks } from '../../commands/own-packs.ts'
import { pack as square } from '../../examples/square/index.ts'
import { settling } from '../../examples/square/settling.ts'
import { pack as tickets } from '../../examples/tickets/index.ts'

/** From outside: a ticket system, and a payment provider that settles later. */
export const outsidePacks = [tickets, { ...square, sandbox: async () => settling }]
export const crashPacks = [...ownPacks, ...outsidePacks]
