import { setTimeout as wait } from 'node:timers/promises'
import type { webApi } from '@slack/bolt'
import type { Log } from '../../../src/lib/log.ts'

export type BotIds = { botId: string | undefined; botUserId: string | undefined; teamId: string }

/** Who the bot is in its workspace. Until Slack has said it, nobody can be told from a stranger. */
export type BotIdentity = {
  known(): BotIds | undefined
  /** Waits for Slack to say it, but no longer than this. */
  soon(ms: number): Promise<BotIds | undefined>
  /** Throws when Slack does not say. */
  ask(): Promise<void>
}

export const createBotIdentity = (web: webApi.WebClient, log: Log): BotIdentity => {
  const said = Promise.withResolvers<BotIds>()
  let who: BotIds | undefined
  return {
    known: () => who,
    soon: async (ms) => who ?? Promise.race([said.promise, wait(ms, undefined, { ref: false })]),
    ask: async () => {
      const { bot_id: botId, user_id: botUserId, team_id: teamId } = await web.auth.test()
      if (teamId === undefined) throw new Error('Slack does not say which workspace this is')
      if (who === undefined) log.info({ team: teamId }, 'Slack knows the bot')
      who = { botId, botUserId, teamId }
      said.resolve(who)
    },
  }
}
