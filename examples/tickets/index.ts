import { candidatesIn, definePack } from 'bellhop/pack'
import { ticketClose } from './commands/close.ts'
import { ticketComment } from './commands/comment.ts'
import { ticketFind } from './commands/find.ts'
import { ticketGet } from './commands/get.ts'
import { ticketVoucher } from './commands/voucher.ts'
import { tickets } from './endpoints.ts'
import { person } from './person.ts'

/** A ticket system as a pack from outside: everything that the bot knows of it is in this folder. */
export const pack = definePack({
  ...tickets,
  surface: 1,
  commands: [ticketClose, ticketComment, ticketFind, ticketGet, ticketVoucher],
  things: {
    ticket: {
      shownBy: ['ticket find'],
      read: ({ tickets: service, typed, kept }) =>
        kept(`ticket ${typed}`, async () => {
          const { data } = await service.findTickets({ query: typed === '' ? {} : { search: typed } })
          return candidatesIn('ticket', data?.tickets ?? [], {
            ids: ['id'],
            names: ['subject'],
            beside: ['status'],
          })
        }),
    },
  },
  person,
  words: {
    concepts: {
      ticket: 'ticket|tickets|support case|support cases|complaint|complaints',
      voucher: 'voucher|vouchers|give a voucher|issue a voucher|gift card',
    },
    choices: { area: { tickets: 'tickets|ticket|support|helpdesk|vouchers' } },
    commands: {
      'ticket get': { say: ['show ticket', 'ticket'], examples: ['show me ticket tic_1001'] },
      'ticket find': { say: ['all ticket', 'find ticket'], free: 'search', examples: ['show all tickets'] },
      'ticket close': { say: ['close ticket'], examples: ['close ticket tic_1001'] },
      'ticket voucher': {
        say: ['voucher ticket', 'voucher'],
        examples: ['give a voucher of 20 for ticket tic_1001'],
      },
    },
  },
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
})
