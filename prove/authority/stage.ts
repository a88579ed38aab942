import { newSigner } from '../../src/kernel/log/signer.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { createLog } from '../../src/lib/log.ts'
import { createServices, type Services } from '../../src/lib/services/client/client.ts'
import { passFence } from '../../src/lib/services/client/fence.ts'
import { rowById } from '../../src/lib/services/endpoints/tables.ts'
import { commandsOf } from './commands.ts'

export type Stage = ReturnType<typeof createStage>

/** What all histories on one database share. Their time is a count, so that no two requests are of the same moment. */
export const createStage = (store: Store, now: () => number) => ({
  store,
  now,
  signer: newSigner(),
  services: createServices(
    {
      email: nowhere,
      chat: nowhere,
      billing: { ...nowhere, secretKey: 'none' },
      tickets: nowhere,
      resend: nowhere,
    },
    { log },
  ),
  registry: { all: commandsOf(), alone: commandsOf({ withoutRows: true }) },
})

export const log = createLog('silent')

const nowhere = { baseUrl: 'http://127.0.0.1:9', apiKey: 'none' }

const answerOf = <T>(data: T) => ({ status: 200, message: undefined, understood: true, body: {}, data })

/** Nothing is read but a ticket, and a call tells the history that something runs. */
export const servicesOf = (
  services: Services,
  applied: () => Promise<unknown>,
  written: (customer: string) => void,
): Services => {
  const under: Services['under'] = (fence, beforeWrite) => ({
    ...services.under(fence),
    call: async (id, input = {}) => {
      await beforeWrite?.(rowById(id), input)
      const { customFields } = (input.body ?? {}) as { customFields?: { company: string } }
      await passFence(fence)
      if (customFields !== undefined) written(customFields.company)
      await applied()
      return answerOf(undefined)
    },
  })
  const getTicket = async ({ params }: { params: { id: string } }) => answerOf({ id: params.id })
  const readers = { ...services.readers, tickets: { ...services.readers.tickets, getTicket } }
  return { ...services, readers, onAnswer: () => undefined, ready: async () => undefined, under }
}
