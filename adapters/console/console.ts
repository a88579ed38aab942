import fastify from 'fastify'
import type { App } from '../../src/app.ts'
import type { Log } from '../../src/core/core.ts'
import type { HttpServer } from '../../src/http/server.ts'
import type { Messenger } from '../../src/messenger/messenger.ts'
import { plural } from '../../src/view/button-labels.ts'
import type { View } from '../../src/view/view.ts'
import type { Persona } from './actions.ts'
import { restoreCards } from './cards.ts'
import { createConversation } from './conversation.ts'
import { createEventStreams } from './event-streams.ts'
import { createConsoleMessenger } from './messenger.ts'
import { servePage } from './page-files.ts'
import { createRequestGuard, isWildcard } from './request-guard.ts'
import { serveApi } from './routes.ts'

export type ConsoleOptions = {
  app: App
  http: HttpServer
  config: {
    /** Required of every page; `null` in the demo, where nobody is asked. */
    token: string | null
    demo: boolean
    host: string
    port: number
  }
  /** Whom the console lets you be. */
  people: readonly Persona[]
  /** The exact JSON that the other messengers would send for a view. */
  renderers: { slack?: (view: View) => unknown; discord?: (view: View) => unknown }
  log: Log
}

export type Console = {
  messenger: Messenger
  /** Where to open it, given where the server listens. */
  address(base: string): string
  state(): string
  stop(): Promise<void>
}

/** The local web console: a third messenger, under /console of the one HTTP server. */
export const createConsole = ({ app, http, config, people, renderers, log }: ConsoleOptions): Console => {
  const { token, demo, host, port } = config
  if (token === null && !demo) throw new Error('outside the demo the console needs a token')
  const { core } = app
  const conversation = createConversation(core.now)
  const streams = createEventStreams(conversation)
  const guard = createRequestGuard({
    token,
    host,
    port: () => http.port() ?? port,
    onRefused: (reason) => core.count({ kind: 'refused_delivery', platform: 'console', reason }),
  })
  const router = fastify({ logger: false, trustProxy: false })
  router.register(
    async (routes) => {
      routes.addHook('onRequest', guard)
      routes.setNotFoundHandler((_, reply) => reply.code(404).send({ message: 'There is nothing here.' }))
      routes.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
        const code = error.statusCode ?? 500
        if (code >= 500) log.error({ err: error }, 'the console could not answer')
        const message = code >= 500 ? 'Something broke here; the log says what.' : error.message
        return reply.code(code).send({ message })
      })
      servePage(routes)
      serveApi(routes, { app, conversation, streams, people, demo, renderers })
    },
    { prefix: '/console' },
  )
  const ready = router.ready()
  http.mount('/console', async (request, response) => {
    await ready
    router.routing(request, response)
  })
  return {
    messenger: createConsoleMessenger(conversation, restoreCards(core, conversation)),
    address: (base) => {
      const url = new URL('/console', base)
      if (isWildcard(url.hostname.replace(/^\[|\]$/g, ''))) url.hostname = 'localhost'
      if (token !== null) url.searchParams.set('token', token)
      return url.href
    },
    state: () => (streams.count() === 0 ? 'on' : `on, ${plural(streams.count(), 'page')} open`),
    stop: async () => streams.close(),
  }
}
