import fastify from 'fastify'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { servedConnection } from '../../src/kernel/messenger/connection.ts'
import type { MessengerDeps, RunningMessenger } from '../../src/kernel/messenger/definition.ts'
import { refuseUnstored } from '../../src/kernel/messenger/intake.ts'
import { after, type Tick, type Ticks } from '../../src/lib/clock.ts'
import { whyTooLargeJson } from '../../src/lib/codecs/bounded-json.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { refusalLine } from '../../src/lib/view/refusals.ts'
import { type Persona, senderOf } from './actions.ts'
import { restoreCards } from './cards.ts'
import { type ConsoleConfig, passkeyOriginOf } from './config.ts'
import { createConversation } from './conversation.ts'
import { createEventStreams } from './event-streams.ts'
import { createConsoleMessenger } from './messenger.ts'
import { servePage } from './page-files.ts'
import { serveEnrolment } from './passkeys.ts'
import { createRequestGuard, isWildcard } from './request-guard.ts'
import { BadRequest, serveApi } from './routes.ts'
import { createSight } from './sight.ts'
import { serveSignIn } from './sign-in.ts'

/** The local web console: a third messenger, under /console of the one HTTP server. */
export const createConsole = ({
  bot,
  http,
  config,
  previews,
  log,
}: MessengerDeps<ConsoleConfig>): RunningMessenger => {
  const { entry, host, port } = config
  if (entry.kind === 'sign-in') bot.signIns.openAt(`${entry.publicUrl}/console/sign-in`)
  const passkeyOrigin = passkeyOriginOf(entry, () => http.port() ?? port)
  if (passkeyOrigin !== undefined) bot.passkeys.openAt(passkeyOrigin)
  const conversation = createConversation(bot.now)
  const lately = { groupsNow: remembered(bot.groupsNow, bot.ticks) }
  /** What somebody of the policy may read now; whoever it no longer lists has no rights left. */
  const readsOf = async (person: string) =>
    bot.readsOf(await senderOf(lately, bot.people.find(({ id }) => id === person) ?? nobody(person)))
  const sight = createSight(readsOf)
  const streams = createEventStreams(conversation, sight)
  const zones = new Map<string, string>()
  const requests = servedConnection({ platform: 'console', log, now: bot.now, ticks: bot.ticks })
  const guard = createRequestGuard({
    entry,
    bot,
    host,
    port: () => http.port() ?? port,
  })
  const router = fastify({ logger: false, trustProxy: false })
  router.register(
    async (routes) => {
      routes.addHook('onRequest', guard.check)
      const parse = routes.getDefaultJsonParser('error', 'error')
      routes.removeContentTypeParser('application/json')
      routes.addContentTypeParser<string>(
        'application/json',
        { parseAs: 'string' },
        (request, body, done) => {
          const why = whyTooLargeJson(body)
          if (why === undefined) parse(request, body, done)
          else done(new BadRequest(413, why))
        },
      )
      routes.addHook('preHandler', async () => requests.heard())
      routes.setNotFoundHandler((_, reply) => reply.code(404).send({ message: 'There is nothing here.' }))
      routes.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
        const code = error.statusCode ?? 500
        if (code >= 500) log.error({ err: error }, 'the console could not answer')
        const unstored = refuseUnstored(error)
        if (unstored !== undefined) return reply.code(503).send({ message: refusalLine(unstored) })
        const message = code >= 500 ? 'Something broke here; the log says what.' : error.message
        return reply.code(code).send({ message })
      })
      servePage(routes)
      serveEnrolment(routes, bot)
      if (entry.kind === 'sign-in') serveSignIn(routes, bot, entry, log)
      const { signedIn } = guard
      serveApi(routes, { bot, conversation, streams, sight, readsOf, lately, previews, zones, signedIn })
    },
    { prefix: '/console' },
  )
  http.get('/', (_, response) => response.writeHead(302, { location: '/console' }).end())
  const ready = router.ready()
  http.mount('/console', async (request, response) => {
    await ready
    router.routing(request, response)
  })
  return {
    messenger: createConsoleMessenger(conversation, zones, restoreCards(bot, conversation, log)),
    start: async () => undefined,
    ...(entry.kind === 'demo' ? { address: (base) => demoAddress(base, entry.token) } : {}),
    connections: [requests],
    remark: () =>
      [
        ...(entry.kind === 'demo' ? [] : ['sign in with the link of bellhop console']),
        ...(streams.count() === 0 ? [] : [`${plural(streams.count(), 'page')} open`]),
      ].join(', '),
    stop: async () => {
      requests.stop()
      streams.close()
      await conversation.close()
    },
  }
}

const nobody = (id: string): Persona => ({ id, name: id, roles: [] })

/** What a page shows is asked for often, and by many parts of it at once; whoever acts is asked about anew. */
const remembered = (groupsNow: Bot['groupsNow'], ticks: Ticks): Bot['groupsNow'] => {
  const known = new Map<string, { until: Tick; groups: Promise<readonly string[]> }>()
  return (from) => {
    const before = known.get(from.account)
    if (before !== undefined && before.until > ticks()) return before.groups
    const groups = groupsNow(from)
    known.set(from.account, { until: after(ticks(), rememberMs), groups })
    return groups
  }
}

const rememberMs = 10_000

const demoAddress = (base: string, token: string | null): string => {
  const url = new URL('/console', base)
  if (isWildcard(url.hostname.replace(/^\[|\]$/g, ''))) url.hostname = 'localhost'
  if (token !== null) url.searchParams.set('token', token)
  return url.href
}
