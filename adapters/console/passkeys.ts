import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { signingView } from '../../src/kernel/cards/signing-view.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { isConfirmOnly } from '../../src/kernel/law/clauses.ts'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { assertionSchema, madeKeySchema } from '../../src/kernel/model/passkey.ts'
import { markOf } from '../../src/kernel/model/shown.ts'
import { type Refusal, refusal, refusalLine } from '../../src/lib/view/refusals.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { delivery, inboundOf, type Persona, senderOf } from './actions.ts'
import { toViewJson } from './message-json.ts'

const link = z.string().max(100)
const linkSchema = z.object({ link })
const keptSchema = z.object({ link, delivery, name: z.string().trim().min(1).max(60), made: madeKeySchema })
const changeSchema = z.object({ as: z.string(), id: z.string().max(100) })
const signedSchema = changeSchema.extend({
  delivery,
  digest: z.string().max(100),
  /** What the page showed; without it, all of the digest says so. */
  shown: z.string().max(100).exactOptional(),
  assertion: assertionSchema,
})

const bodyLimit = 100_000

/** The page of the link of `bellhop passkey`: it needs no session, and the link is used when a key was made. */
export const serveEnrolment = (
  routes: FastifyInstance,
  bot: Pick<Bot, 'passkeys' | 'handle' | 'groupsNow' | 'people'>,
): void => {
  routes.post('/passkey/begin', { bodyLimit }, async ({ body }, reply) => {
    const { data } = linkSchema.safeParse(body)
    const begun = data === undefined ? undefined : await bot.passkeys.begin(data.link)
    if (begun === undefined) return refuse(reply, malformed)
    return begun.ok ? begun.value : refuse(reply, begun.refusal)
  })
  routes.post('/passkey/keep', { bodyLimit }, async ({ body }, reply) => {
    const { data } = keptSchema.safeParse(body)
    if (data === undefined) return refuse(reply, malformed)
    const kept = await bot.passkeys.keep(data.link, data.name, data.made)
    if (!kept.ok) return refuse(reply, kept.refusal)
    const persona = bot.people.find(({ id }) => id === kept.value.person)
    if (persona === undefined) return refuse(reply, malformed)
    const asked = await bot.handle(
      inboundOf(await senderOf(bot, persona), data.delivery, {
        kind: 'form',
        command: 'bellhop passkey',
        values: { key: kept.value.key },
      }),
    )
    return resultOf(asked)
  })
}

/** The page on which somebody signs a change: what it shows, what the browser signs, and the vote itself. */
export const serveSigning = (
  routes: FastifyInstance,
  bot: Pick<Bot, 'passkeys' | 'handle' | 'groupsNow' | 'now'>,
  personaOf: (request: FastifyRequest, id: unknown) => Persona,
  readsOf: (person: string) => Promise<ReadContext>,
): void => {
  const changeFor = async ({ id: person }: Persona, id: string): Promise<Change | undefined> =>
    (await readsOf(person)).records.change(id)
  routes.get('/api/sign', async (request, reply) => {
    const { data } = changeSchema.safeParse(request.query)
    const change = data && (await changeFor(personaOf(request, data.as), data.id))
    if (change === undefined) return refuse(reply, noChange)
    const { view, whole } = signingView(change, bot.now())
    return {
      view: toViewJson(view),
      whole: toViewJson(whole),
      digest: change.digest,
      shown: markOf(change),
      isWaiting: change.state === 'pending',
    }
  })
  routes.post('/api/sign', { bodyLimit }, async (request, reply) => {
    const { data } = changeSchema.safeParse(request.body)
    const persona = data && personaOf(request, data.as)
    const change = persona && (await changeFor(persona, data.id))
    if (change === undefined) return refuse(reply, noChange)
    const options = await bot.passkeys.toSign(persona?.id ?? '', change)
    return options.ok ? { options: options.value } : refuse(reply, options.refusal)
  })
  routes.post('/api/signed', { bodyLimit }, async (request, reply) => {
    const { data } = signedSchema.safeParse(request.body)
    if (data === undefined) return refuse(reply, malformed)
    const persona = personaOf(request, data.as)
    const change = await changeFor(persona, data.id)
    if (change === undefined) return refuse(reply, noChange)
    const signed = await bot.handle(
      inboundOf(await senderOf(bot, persona), data.delivery, {
        kind: 'press',
        verb: isConfirmOnly(change.clauses) ? 'confirm' : 'approve',
        id: `${data.id}.${data.shown ?? (data.digest === change.digest ? markOf(change) : data.digest)}`,
        assertion: data.assertion,
      }),
    )
    return resultOf(signed)
  })
}

const resultOf = (reply: Reply): object => {
  if (reply.kind === 'refused') {
    const { message, next } = reply.refusal
    return { kind: 'refused', message, next: plainWords(next) }
  }
  return reply.kind === 'change'
    ? { kind: 'done', view: toViewJson({ ...reply.view, actions: [] }) }
    : { kind: reply.kind }
}

const refuse = (reply: FastifyReply, refused: Refusal): FastifyReply =>
  reply.code(403).send({ message: refusalLine(refused) })

const malformed = refusal('bad_signature', 'This is nothing that the page of the console sends.', {
  next: 'Load the page again.',
})
const noChange = refusal('no_such_change', 'There is no such change, or you may not see it.')
