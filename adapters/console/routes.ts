import { createReadStream } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../src/app.ts'
import type { Asker } from '../../src/command/context.ts'
import { mostFileBytes } from '../../src/command/line/text-file.ts'
import { askerOf } from '../../src/core/authorization.ts'
import type { View } from '../../src/view/view.ts'
import { createActions, formSchema, lineSchema, type Persona, pressSchema } from './actions.ts'
import { completeLine } from './autocomplete.ts'
import { showCard } from './cards.ts'
import { type ConsoleMessage, type Conversation, isVisibleTo } from './conversation.ts'
import type { EventStreams } from './event-streams.ts'
import { auditFor, commandsFor, maySee, openChangesFor } from './panel.ts'
import { tourFor } from './tour.ts'

export type RouteOptions = {
  app: App
  conversation: Conversation
  streams: EventStreams
  people: readonly Persona[]
  demo: boolean
  renderers: { slack?: (view: View) => unknown; discord?: (view: View) => unknown }
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
  const { app, conversation, streams, people, demo, renderers } = options
  const { core } = app
  const actions = createActions(app, conversation)
  const personaOf = (id: unknown): Persona => {
    const persona = people.find((one) => one.id === id)
    if (persona === undefined) throw new BadRequest(400, 'Nobody here goes by this id.')
    return persona
  }
  const askedBy = (request: FastifyRequest): Persona => personaOf((request.query as { as?: unknown }).as)
  const asker = ({ id, name }: Persona): Asker =>
    askerOf(core.policy, { platform: 'console', account: id, name, groups: [] })
  const messageIn = (request: FastifyRequest): ConsoleMessage => {
    const message = conversation.get(String((request.query as { message?: unknown }).message))
    if (message === undefined || !isVisibleTo(message, askedBy(request).id)) {
      throw new BadRequest(404, 'This message is no longer kept.')
    }
    return message
  }

  routes.get('/api/start', async () => ({ people, demo, tour: tourFor(people, demo) }))
  routes.get('/api/events', (request, reply) => streams.open(request, reply, askedBy(request).id))
  routes.get('/api/commands', async (request) => commandsFor(core, asker(askedBy(request))))
  routes.get('/api/changes', async (request) => openChangesFor(core, asker(askedBy(request))))
  routes.get('/api/audit', async (request) => {
    const { check } = request.query as { check?: string }
    return { audit: await auditFor(core, asker(askedBy(request)), check === 'yes') }
  })
  routes.get('/api/complete', async (request) => {
    const typed = String((request.query as { typed?: unknown }).typed ?? '').slice(0, 2_000)
    return completeLine(core, asker(askedBy(request)), typed)
  })
  routes.get('/api/as-seen', async (request) => {
    const { body } = messageIn(request)
    if (body.kind === 'line') throw new BadRequest(400, 'This is what somebody typed.')
    return {
      slack: (await renderers.slack?.(body.view)) ?? null,
      discord: (await renderers.discord?.(body.view)) ?? null,
    }
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
    const input = parseBody(lineSchema, body)
    return actions.say(personaOf(input.as), input)
  })
  routes.post('/api/press', { bodyLimit }, async ({ body }) => {
    const input = parseBody(pressSchema, body)
    return actions.press(personaOf(input.as), input)
  })
  routes.post('/api/form', { bodyLimit: fileLimit }, async ({ body }) => {
    const input = parseBody(formSchema, body)
    return actions.submit(personaOf(input.as), input)
  })
  routes.post('/api/show', { bodyLimit }, async ({ body }) => {
    const input = parseBody(z.object({ as: z.string(), id: z.string().max(100) }), body)
    const who = asker(personaOf(input.as))
    const change = await core.store.changes.get(input.id)
    if (change === null || !maySee(core.policy, who, change)) {
      throw new BadRequest(404, 'There is no such change.')
    }
    return { message: await showCard(core, conversation, change, input.as) }
  })
}

const parseBody = <S extends z.ZodType>(schema: S, body: unknown): z.infer<S> => {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new BadRequest(400, z.prettifyError(parsed.error))
  return parsed.data
}
