import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { createSignatureVerifier } from '../../src/lib/http/body-signature.ts'
import { markSigned } from '../../src/lib/http/server.ts'
import type { NotLetIn } from './guard.ts'
import type { AgentCaller } from './requests.ts'

export type Slackbot = {
  /** Whether a request says that Slack signed it. A token comes first. */
  isMeant(request: IncomingMessage): boolean
  /** For whom it calls. */
  callerOf(request: IncomingMessage, body: Buffer): Promise<AgentCaller | NotLetIn>
}

const callsAMinute = 60

/** As Slack gives them: anything else could be read as an id of another workspace, or of no person. */
const slackIds = z.looseObject({
  user_id: z.string().regex(/^[A-Z0-9]{1,40}$/),
  team_id: z.string().regex(/^[A-Z0-9]{1,40}$/),
})

/** Slack writes into each message for whom it calls; what finds out about the server is asked for nobody. */
const message = z.looseObject({
  method: z.string().optional(),
  params: z
    .looseObject({
      _meta: z.looseObject({ slack: slackIds.optional() }).optional(),
    })
    .optional(),
})
const forNobody = /^(initialize|ping|server\/discover|tools\/list|notifications\/.*)$/

/**
 * Slack's own assistant, as a client of the protocol: its requests have the signature of the app, and name the person and the
 * workspace. It asks for that person and with that person's rights, as an agent of theirs: it decides nothing.
 */
export const createSlackbot = (
  { signingSecret, team }: { signingSecret: string; team: string },
  bot: Pick<Bot, 'now' | 'ticks' | 'groupsNow'>,
): Slackbot => {
  const faultOf = createSignatureVerifier(signingSecret, bot)
  const headerOf = ({ headers }: IncomingMessage, name: string) => [headers[name]].flat()[0]
  return {
    isMeant: (request) =>
      headerOf(request, 'x-slack-signature') !== undefined && request.headers.authorization === undefined,
    callerOf: async (request, body) => {
      const fault = faultOf({
        timestamp: headerOf(request, 'x-slack-request-timestamp'),
        signature: headerOf(request, 'x-slack-signature'),
        body,
      })
      if (fault !== undefined) return { status: 401, reason: fault, message: 'Slack did not sign this.' }
      markSigned(request)
      const said = message.safeParse(parsed(body)).data
      const { user_id: account, team_id: workspace } = said?.params?._meta?.slack ?? {}
      if (account === undefined || workspace === undefined) {
        return forNobody.test(said?.method ?? '')
          ? {
              ...callerFor('nobody', { platform: 'slack', account: 'nobody', name: '', groups: [] }),
              isNobody: true,
            }
          : { status: 401, reason: 'no_identity', message: 'Slack did not say for whom it calls.' }
      }
      const at = { platform: 'slack', account }
      return callerFor(account, {
        ...at,
        name: account,
        groups: workspace === team ? await bot.groupsNow(at) : [],
        ...(workspace === team ? {} : { workspace }),
      })
    },
  }
}

const callerFor = (account: string, sender: NonNullable<AgentCaller['sender']>): AgentCaller => ({
  id: `slack:slackbot:${account}`,
  name: 'Slackbot',
  owner: account,
  roles: [],
  token: { client: '' },
  rate: callsAMinute,
  tools: 'all',
  sender: { ...sender, through: 'Slackbot' },
})

/** One message at a time, so that there is one person. */
const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
