import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { assertionSchema } from '../../src/kernel/model/passkey.ts'
import { refusalLine } from '../../src/lib/view/refusals.ts'
import type { OidcConfig } from './config.ts'
import { type OidcLog, serveOidc } from './oidc.ts'
import { sessionCookie } from './request-guard.ts'

const bodySchema = z.object({ link: z.string().max(100) })
const assertedSchema = z.object({ assertion: assertionSchema })

/** A link becomes a session when its page says so: a request for the page alone, as previews make it, uses nothing up. */
export const serveSignIn = (
  routes: FastifyInstance,
  { signIns, passkeys }: Pick<Bot, 'signIns' | 'passkeys'>,
  { publicUrl, oidc }: { publicUrl: string; oidc?: OidcConfig },
  log: OidcLog,
): void => {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const withSession = (reply: FastifyReply, session: { secret: string; seconds: number }) =>
    reply.header(
      'set-cookie',
      `${sessionCookie}=${session.secret}; HttpOnly; SameSite=Strict; Path=/console; Max-Age=${session.seconds}${secure}`,
    )
  const begin = (...given: Parameters<typeof withSession>) =>
    withSession(...given).send({ kind: 'signed-in' })
  if (oidc === undefined) routes.get('/sign-in/oidc', async () => ({ provider: null }))
  else serveOidc(routes, { signIns, publicUrl, config: oidc, log, begin: withSession })
  routes.post('/sign-in', { bodyLimit: 1_000 }, async ({ body }, reply) => {
    const parsed = bodySchema.safeParse(body)
    const session = parsed.success ? await signIns.redeem(parsed.data.link) : undefined
    if (session === undefined) {
      return reply.code(401).send({
        message:
          'This link was used before or is older than five minutes. Run bellhop console for a new one.',
      })
    }
    return begin(reply, session)
  })
  routes.get('/sign-in/passkey', async () => ({ isOffered: await passkeys.isOffered() }))
  routes.post('/sign-in/begin', { bodyLimit: 1_000 }, async (_, reply) => {
    const options = await passkeys.toSignIn()
    return options.ok
      ? { options: options.value }
      : reply.code(403).send({ message: options.refusal.message })
  })
  routes.post('/sign-in/passkey', { bodyLimit: 20_000 }, async ({ body }, reply) => {
    const parsed = assertedSchema.safeParse(body)
    if (!parsed.success) return reply.code(401).send({ message: 'This is no answer of a passkey.' })
    const session = await passkeys.signIn(parsed.data.assertion)
    if (session.ok) return begin(reply, session.value)
    return reply.code(401).send({ message: refusalLine(session.refusal) })
  })
}
