import { createReadStream } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { maxFileBytes } from '../../src/kernel/command/line/text-file.ts'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { completeLine } from '../../src/kernel/messenger/complete-line.ts'
import type { Previews } from '../../src/kernel/messenger/definition.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { createLanes } from '../../src/lib/limits/lanes.ts'
import { thingSchema } from '../../src/lib/view/thing.ts'
import { createActions, formSchema, lineSchema, type Persona, pressSchema, senderOf } from './actions.ts'
import { recipientOf, showCard } from './cards.ts'
import type { ConsoleMessage, Conversation } from './conversation.ts'
import type { EventStreams } from './event-streams.ts'
import { auditFor, cardOfChange, commandsFor, openChangesFor } from './panel.ts'
import { serveSigning } from './passkeys.ts'
import { servePolicyDraft } from './policy-draft.ts'
import type { SignedIn } from './request-guard.ts'
import type { Sight } from './sight.ts'
import { tourFor } from './tour.ts'

export type RouteOptions = {
  bot: Bot
  conversation: Conversation
  streams: EventStreams
  sight: Sight
  /** What somebody may read, by the groups that they were in lately. */
  readsOf(person: string): Promise<ReadContext>
  lately: Pick<Bot, 'groupsNow'>
  signedIn: SignedIn
  /** The time zone of whoever acted last under an id, as their browser says. */
  zones: Map<string, string>
  /** The exact JSON that the other messengers would send for a view. */
  previews: Previews
}

/** What stands in the other fields of a form, as `kind:id` pairs. */
const suggestSchema = z.object({
  command: z.string().max(100),
  param: z.string().max(100),
  typed: z.string().max(200).optional(),
  within: z
    .preprocess((given) => [given ?? []].flat(), z.array(z.string().max(300)).max(20))
    .transform((pairs) =>
      pairs.flatMap((pair) => {
        const [, kind, id] = /^([a-z-]+):(.+)$/.exec(pair) ?? []
        return thingSchema.safeParse({ kind, id }).data ?? []
      }),
    ),
})

const bodyLimit = 256_000
/** A file travels as text, a third longer than it is. */
const fileLimit = Math.ceil(maxFileBytes * 1.4)

/** A request that the page would never make. */
export class BadRequest extends Error {
  override name = 'BadRequest'
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

export const serveApi = (routes: FastifyInstance, options: RouteOptions): void => {
  const { bot, conversation, streams, sight, readsOf, lately, signedIn, zones, previews } = options
  const actions = createActions(bot, conversation)
  /** Whoever is signed in acts as nobody else; in the demo everybody acts as anybody. */
  const personaOf = (request: FastifyRequest, id: unknown): Persona => {
    const own = signedIn.person(request)
    if (own !== undefined && id !== own) {
      throw new BadRequest(403, 'You are signed in as somebody else. Load the page again.')
    }
    const persona = bot.people.find((one) => one.id === id)
    if (persona === undefined) throw new BadRequest(400, 'Nobody here goes by this id.')
    const zone = request.headers['x-time-zone']
    if (typeof zone === 'string') zones.set(persona.id, zone)
    return persona
  }
  const askedBy = (request: FastifyRequest): Persona =>
    personaOf(request, (request.query as { as?: unknown }).as)
  /**
   * What the page reads, of each person and kind a few at a time: however much one asks for, the others do not wait for all of
   * it, and what they type is completed while their log is checked.
   */
  const inLane = createLanes({ atOnce: 2, maxWaiting: 60 })
  const tooMuch = async () => {
    throw new BadRequest(429, 'Too much is being read for you already. Wait a moment.')
  }
  const read = (path: string, work: (persona: Persona, request: FastifyRequest) => Promise<unknown>) =>
    routes.get(path, (request) => {
      const persona = askedBy(request)
      return inLane(`${path} ${persona.id}`, () => work(persona, request), tooMuch)
    })
  const messageIn = async (request: FastifyRequest): Promise<ConsoleMessage> => {
    const kept = conversation.get(String((request.query as { message?: unknown }).message))
    const [message] = await sight(askedBy(request).id, kept === undefined ? [] : [kept])
    if (message === undefined || kept === undefined)
      throw new BadRequest(404, 'This message is no longer kept.')
    // As it is for all of its readers: each is shown their own buttons of it.
    return kept
  }

  routes.get('/api/start', async (request) => {
    const own = signedIn.person(request)
    const demo = own === undefined
    const shown = demo ? bot.people : bot.people.filter(({ id }) => id === own)
    const [first] = shown
    const agents = first === undefined ? [] : (await readsOf(first.id)).records.agents()
    return { people: shown, agents, demo, tour: tourFor(shown, demo) }
  })
  routes.get('/api/events', (request, reply) =>
    streams.open(request, reply, askedBy(request).id, () => signedIn.isLasting(request)),
  )
  read('/api/commands', async ({ id }, request) =>
    commandsFor(bot.registry, await readsOf(id), signedIn.person(request) === undefined),
  )
  read('/api/card', async ({ id }, request) => {
    const reads = await readsOf(id)
    const change = await reads.records.change(String((request.query as { id?: unknown }).id))
    if (change === undefined || (![null, id].includes(recipientOf(change)) && !hasDecided(change, id)))
      throw new BadRequest(404, 'There is no such change.')
    return cardOfChange(reads, change)
  })
  read('/api/waiting', async ({ id }) => openChangesFor(await readsOf(id)))
  /** The list alone, for programs. */
  read('/api/changes', async ({ id }) => (await openChangesFor(await readsOf(id))).changes)
  /** Under way: however often one person asks, the log is read once at a time for them. */
  const checks = new Map<string, ReturnType<typeof auditFor>>()
  read('/api/audit', async ({ id }, request) => {
    if ((request.query as { check?: string }).check !== 'yes')
      return { audit: await auditFor(await readsOf(id), false) }
    const check =
      checks.get(id) ??
      readsOf(id)
        .then((reads) => auditFor(reads, true))
        .finally(() => checks.delete(id))
    checks.set(id, check)
    return { audit: await check }
  })
  read('/api/complete', async (persona, request) => {
    const typed = String((request.query as { typed?: unknown }).typed ?? '').slice(0, 2_000)
    return completeLine(bot, await senderOf(lately, persona), typed)
  })
  read('/api/suggest', async (persona, request) => {
    const { command, param: name, typed = '', within } = parseBody(suggestSchema, request.query)
    const param = bot.registry.get(command)?.params.find((one) => one.name === name)
    if (param === undefined) throw new BadRequest(404, 'There is no such field.')
    return { items: await bot.suggest(await senderOf(lately, persona), param, typed, within) }
  })
  read('/api/as-seen', async (_, request) => {
    const { body } = await messageIn(request)
    if (body.kind === 'line') throw new BadRequest(400, 'This is what somebody typed.')
    const seen = Object.entries(previews).map(async ([title, preview]) => [title, await preview(body.view)])
    return Object.fromEntries(await Promise.all(seen))
  })
  routes.get('/api/file', async (request, reply) => {
    const { file } = await messageIn(request)
    if (file === undefined) throw new BadRequest(404, 'This file is no longer kept; run the command again.')
    const name = file.name.replace(/[^\w.-]+/g, '_')
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .type('application/octet-stream')
      .send(file.path === undefined ? file.content : createReadStream(file.path))
  })

  servePolicyDraft(routes, bot, personaOf)
  routes.post('/api/say', { bodyLimit: fileLimit }, async (request) => {
    const input = parseBody(lineSchema, request.body)
    return actions.say(personaOf(request, input.as), input)
  })
  routes.post('/api/press', { bodyLimit }, async (request) => {
    const input = parseBody(pressSchema, request.body)
    return actions.press(personaOf(request, input.as), input)
  })
  routes.post('/api/form', { bodyLimit: fileLimit }, async (request) => {
    const input = parseBody(formSchema, request.body)
    return actions.submit(personaOf(request, input.as), input)
  })
  serveSigning(routes, bot, personaOf, readsOf)
  routes.post('/api/show', { bodyLimit }, async (request) => {
    const input = parseBody(z.object({ as: z.string(), id: z.string().max(100) }), request.body)
    const { records } = await readsOf(personaOf(request, input.as).id)
    const change = await records.change(input.id)
    if (change === undefined || ![null, input.as].includes(recipientOf(change)))
      throw new BadRequest(404, 'There is no such change.')
    return { message: await showCard(bot, conversation, change, input.as) }
  })
}

/** Whoever decided reads what became of it. */
const hasDecided = ({ votes, ended }: Change, person: string): boolean =>
  ended?.by.person === person || votes.some(({ by }) => by.person === person)

const parseBody = <S extends z.ZodType>(schema: S, body: unknown): z.infer<S> => {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new BadRequest(400, z.prettifyError(parsed.error))
  return parsed.data
}
