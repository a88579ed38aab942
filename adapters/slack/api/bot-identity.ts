import { setTimeout as wait } from 'node:timers/promises'
import type { webApi } from '@slack/bolt'
import type { Log } from '../../../src/log.ts'
import { backoffMs } from '../../../src/retry.ts'
import { slackErrorFields } from './errors.ts'

export type BotIds = { botId: string | undefined; botUserId: string | undefined; teamId: string | undefined }

/** Who the bot is in its workspace, asked once; until Slack has said it, the bot works without. */
export type BotIdentity = {
  known(): BotIds | undefined
  /** Why it is not known yet, for people. */
  trouble(): string | undefined
  /** Returns when Slack has said it, or after a moment. */
  start(): Promise<void>
  stop(): void
}

/** A start does not wait for a Slack that is away. */
const startWaitMs = 2_000
const pauses = { firstMs: 500, longestMs: 60_000 }

export const createBotIdentity = (web: webApi.WebClient, log: Log): BotIdentity => {
  let who: BotIds | undefined
  let trouble: string | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const ask = async (attempt: number): Promise<void> => {
    try {
      const said = await web.auth.test()
      who = { botId: said.bot_id, botUserId: said.user_id, teamId: said.team_id }
      trouble = undefined
      log.info({ team: said.team_id }, 'Slack knows the bot')
    } catch (error) {
      trouble = slackErrorFields(error).code
      log.warn(slackErrorFields(error), 'Slack does not say who the bot is; asking again')
      if (!stopped) timer = setTimeout(() => void ask(attempt + 1), backoffMs(pauses, attempt)).unref()
    }
  }
  return {
    known: () => who,
    trouble: () => trouble,
    start: () => Promise.race([ask(1), wait(startWaitMs, undefined, { ref: false })]),
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
