import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Bot } from '../../src/messenger/bot.ts'
import { sessionCookie } from './request-guard.ts'

const bodySchema = z.object({ link: z.string().max(100) })

/** A link becomes a session when its page says so: a request for the page alone, as previews make it, uses nothing up. */
export const serveSignIn = (
  routes: FastifyInstance,
  signIns: Pick<Bot['signIns'], 'redeem'>,
  publicUrl: string,
): void => {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  routes.post('/sign-in', { bodyLimit: 1_000 }, async ({ body }, reply) => {
    const parsed = bodySchema.safeParse(body)
    const session = parsed.success ? await signIns.redeem(parsed.data.link) : undefined
    if (session === undefined) {
      return reply.code(401).send({
        message:
          'This link was used before or is older than five minutes. Run bellhop console for a new one.',
      })
    }
    return reply
      .header(
        'set-cookie',
        `${sessionCookie}=${session.secret}; HttpOnly; SameSite=Strict; Path=/console; Max-Age=${session.seconds}${secure}`,
      )
      .send({ kind: 'signed-in' })
  })
}
