import { ownPacks } from '../../commands/own-packs.ts'
import { pack as resend } from '../../examples/resend/index.ts'
import { pack as square } from '../../examples/square/index.ts'
import { settling } from '../../examples/square/settling.ts'
import { pack as tickets } from '../../examples/tickets/index.ts'

/** From outside: a ticket system, a payment provider that settles later, and an MCP server that sends mail. */
export const outsidePacks = [tickets, resend, { ...square, sandbox: async () => settling }]
export const crashPacks = [...ownPacks, ...outsidePacks]
