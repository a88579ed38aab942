import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { refusalView } from '../../src/lib/view/refusals.ts'
import { type Persona, senderOf } from './actions.ts'
import { toViewJson } from './message-json.ts'

const draftSchema = z.object({
  as: z.string(),
  draft: z.string().max(200_000),
  days: z.int().min(1).max(3_650),
})

const dayMs = 86_400_000

/** For the page where a draft of the policy is compared with what was asked. */
export const servePolicyDraft = (
  routes: FastifyInstance,
  bot: Bot,
  personaOf: (request: FastifyRequest, id: unknown) => Persona,
): void => {
  routes.get('/api/policy', async (request) => {
    const persona = personaOf(request, (request.query as { as?: unknown }).as)
    const { records } = bot.readsOf(await senderOf(bot, persona))
    return { text: records.mayRun('policy show') ? ((await records.policy.inForce()).text ?? '') : null }
  })
  routes.post('/api/policy', { bodyLimit: 1_000_000 }, async (request, reply) => {
    const { data } = draftSchema.safeParse(request.body)
    if (data === undefined) {
      return reply
        .code(400)
        .send({ message: 'Send a draft of at most 200,000 characters, and 1 to 3,650 days.' })
    }
    const from = await senderOf(bot, personaOf(request, data.as))
    const compared = await bot.compareDraft(from, { text: data.draft, sinceMs: data.days * dayMs })
    return { view: toViewJson(compared.ok ? compared.value : refusalView(compared.refusal)) }
  })
}
