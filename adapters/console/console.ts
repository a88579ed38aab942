import fastify from 'fastify'
import type { MessengerDeps, RunningMessenger } from '../../src/messenger/definition.ts'
import { plural } from '../../src/view/button-labels.ts'
import { restoreCards } from './cards.ts'
import type { ConsoleConfig } from './config.ts'
import { createConversation } from './conversation.ts'
import { createEventStreams } from './event-streams.ts'
import { createConsoleMessenger } from './messenger.ts'
import { servePage } from './page-files.ts'
import { createRequestGuard, isWildcard } from './request-guard.ts'
import { serveApi } from './routes.ts'

export type Console = RunningMessenger & Required<Pick<RunningMessenger, 'address'>>

/** The local web console: a third messenger, under /console of the one HTTP server. */
export const createConsole = ({
  bot,
  http,
  config,
  previews,
  log,
}: MessengerDeps<ConsoleConfig>): Console => {
  const { token, demo, host, port } = config
  if (token === null && !demo) throw new Error('outside the demo the console needs a token')
  const conversation = createConversation(bot.now)
  const streams = createEventStreams(conversation)
  const guard = createRequestGuard({
    token,
    host,
    port: () => http.port() ?? port,
    onRefused: (reason) => bot.countRefused('console', reason),
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
      serveApi(routes, { bot, conversation, streams, demo, previews })
    },
    { prefix: '/console' },
  )
  const ready = router.ready()
  http.mount('/console', async (request, response) => {
    await ready
    router.routing(request, response)
  })
  return {
    messenger: createConsoleMessenger(conversation, restoreCards(bot, conversation, log)),
    start: async () => undefined,
    address: (base) => {
      const url = new URL('/console', base)
      if (isWildcard(url.hostname.replace(/^\[|\]$/g, ''))) url.hostname = 'localhost'
      if (token !== null) url.searchParams.set('token', token)
      return url.href
    },
    state: () => (streams.count() === 0 ? 'on' : `on, ${plural(streams.count(), 'page')} open`),
    stop: async () => {
      streams.close()
      await conversation.close()
    },
  }
}
