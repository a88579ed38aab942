import { createReadStream } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../src/app.ts'
import type { Asker } from '../../src/command/context.ts'
import { mostFileBytes } from '../../src/command/text-file.ts'
import { askerOf } from '../../src/pipeline/asker.ts'
import type { View } from '../../src/view/view.ts'
import { createActions, formSchema, type Persona, pressSchema, saySchema } from './actions.ts'
import { showCard } from './cards.ts'
import { complete } from './complete.ts'
import { type Conversation, isFor, type Message } from './conversation.ts'
import { auditFor, commandsFor, maySee, waitingFor } from './panel.ts'
import type { Streams } from './stream.ts'
import { tourFor } from './tour.ts'

export type RouteOptions = {
  app: App
  conversation: Conversation
  streams: Streams
  people: readonly Persona[]
  demo: boolean
  as: { slack?: (view: View) => unknown; discord?: (view: View) => unknown }
}

const bodyLimit = 256_000
/** A file travels as text, a third longer than it is. */
const fileLimit = Math.ceil(mostFileBytes * 1.4)

/** A request that the page would never make. */
class BadRequest extends Error {
  override name = 'BadRequest'
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

export const serveApi = (routes: FastifyInstance, options: RouteOptions): void => {
  const { app, conversation, streams, people, demo, as } = options
  const { world } = app
  const actions = createActions(app, conversation)
  const personaOf = (id: unknown): Persona => {
    const persona = people.find((one) => one.id === id)
    if (persona === undefined) throw new BadRequest(400, 'Nobody here goes by this id.')
    return persona
  }
  const askedBy = (request: FastifyRequest): Persona => personaOf((request.query as { as?: unknown }).as)
  const asker = ({ id, name }: Persona): Asker =>
    askerOf(world.policy, { platform: 'console', account: id, name, groups: [] })
  const messageIn = (request: FastifyRequest): Message => {
    const message = conversation.get(String((request.query as { message?: unknown }).message))
    if (message === undefined || !isFor(message, askedBy(request).id)) {
      throw new BadRequest(404, 'This message is no longer kept.')
    }
    return message
  }

  routes.get('/api/start', async () => ({ people, demo, tour: tourFor(people, demo) }))
  routes.get('/api/events', (request, reply) => streams.open(request, reply, askedBy(request).id))
  routes.get('/api/commands', async (request) => commandsFor(world, asker(askedBy(request))))
  routes.get('/api/changes', async (request) => waitingFor(world, asker(askedBy(request))))
  routes.get('/api/audit', async (request) => {
    const { check } = request.query as { check?: string }
    return { audit: await auditFor(world, asker(askedBy(request)), check === 'yes') }
  })
  routes.get('/api/complete', async (request) => {
    const typed = String((request.query as { typed?: unknown }).typed ?? '').slice(0, 2_000)
    return complete(world, asker(askedBy(request)), typed)
  })
  routes.get('/api/as-seen', async (request) => {
    const { body } = messageIn(request)
    if (body.kind === 'line') throw new BadRequest(400, 'This is what somebody typed.')
    return { slack: (await as.slack?.(body.view)) ?? null, discord: (await as.discord?.(body.view)) ?? null }
  })
  routes.get('/api/file', async (request, reply) => {
    const { file } = messageIn(request)
    if (file === undefined) throw new BadRequest(404, 'This file is no longer kept; run the command again.')
    const name = file.name.replace(/[^\w.-]+/g, '_')
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .type('application/octet-stream')
      .send(file.path === undefined ? file.content : createReadStream(file.path))
  })

  routes.post('/api/say', { bodyLimit: fileLimit }, async ({ body }) => {
    const asked = read(saySchema, body)
    return actions.say(personaOf(asked.as), asked)
  })
  routes.post('/api/press', { bodyLimit }, async ({ body }) => {
    const asked = read(pressSchema, body)
    return actions.press(personaOf(asked.as), asked)
  })
  routes.post('/api/form', { bodyLimit: fileLimit }, async ({ body }) => {
    const asked = read(formSchema, body)
    return actions.submit(personaOf(asked.as), asked)
  })
  routes.post('/api/show', { bodyLimit }, async ({ body }) => {
    const asked = read(z.object({ as: z.string(), id: z.string().max(100) }), body)
    const who = asker(personaOf(asked.as))
    const change = await world.store.changes.get(asked.id)
    if (change === null || !maySee(world.policy, who, change)) {
      throw new BadRequest(404, 'There is no such change.')
    }
    return { message: await showCard(world, conversation, change, asked.as) }
  })
}

const read = <S extends z.ZodType>(schema: S, body: unknown): z.infer<S> => {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new BadRequest(400, z.prettifyError(parsed.error))
  return parsed.data
}
