import type { MetricEvent } from '../../src/kernel/core.ts'
import { textOf } from '../discord/fake/person.ts'
import { channels as discordChannels, openDiscordHarness } from '../discord/harness.ts'
import type { TestApp } from '../harness/app.ts'
import { teamPolicy } from '../harness/team-policy.ts'
import { textOfMessage } from '../slack/fake/reading.ts'
import { dmOf } from '../slack/fake/state.ts'
import { openSlackHarness, channels as slackChannels } from '../slack/harness.ts'

type Who = 'sam' | 'fay' | 'finn'

/** A messenger whose places refuse as the real one's do. */
export type RefusingMessenger = Pick<TestApp, 'app' | 'store' | 'sandbox'> & {
  counted: MetricEvent[]
  approvals: string
  /** Makes the approvals channel refuse, by the platform's own word for it, and takes that back. */
  close: Record<string, () => () => void>
  /** Somebody takes no direct messages. */
  shut(who: Who): () => void
  /** In a conversation with the bot alone. */
  asks(line: string): Promise<unknown>
  /** All that somebody reads in their conversation with the bot, or in the approvals channel. */
  reads(who: Who | 'approvals'): string
  /** Presses a button of the newest message in their conversation that says this. */
  presses(who: Who, words: string, label: string): Promise<unknown>
}

const policy = `${teamPolicy}administrators: [finn]\n`

export const openRefusingSlack = async (): Promise<RefusingMessenger> => {
  const { fake, app, store, sandbox, counted, ...people } = await openSlackHarness({ policy })
  const { approvals } = slackChannels
  const { state } = fake
  const channel = () => state.channels.get(approvals) as NonNullable<ReturnType<typeof state.channels.get>>
  const refusing = (code: string) => () => {
    channel().refuses = code
    return () => {
      delete channel().refuses
    }
  }
  const user = (who: Who) => state.users.get(people[who].id) as { hasClosedDm: boolean }
  return {
    app,
    store,
    sandbox,
    counted,
    approvals,
    close: {
      not_in_channel: () => {
        channel().members.delete(state.bot)
        return () => channel().members.add(state.bot)
      },
      is_archived: () => {
        channel().isArchived = true
        return () => {
          channel().isArchived = false
        }
      },
      channel_not_found: () => {
        const kept = channel()
        state.channels.delete(approvals)
        return () => state.channels.set(approvals, kept)
      },
      restricted_action: refusing('restricted_action'),
      a_word_that_is_new: refusing('a_word_that_is_new'),
    },
    shut: (who) => {
      user(who).hasClosedDm = true
      return () => {
        user(who).hasClosedDm = false
      }
    },
    asks: (line) => people.sam.writes(line),
    reads: (who) => {
      const where = who === 'approvals' ? approvals : dmOf(people[who].id)
      return state.messages
        .filter(({ channel: at, isDeleted }) => at === where && !isDeleted)
        .map(textOfMessage)
        .join('\n---\n')
    },
    presses: (who, words, label) =>
      people[who].clicks(label, { on: people[who].finds(words, dmOf(people[who].id)) }),
  }
}

export const openRefusingDiscord = async (): Promise<RefusingMessenger> => {
  const { fake, app, store, sandbox, counted, ...people } = await openDiscordHarness({ policy })
  const { approvals } = discordChannels
  const { state } = fake
  const channel = () => state.channels.get(approvals) as NonNullable<ReturnType<typeof state.channels.get>>
  const person = (who: Who) => state.people.get(people[who].id) as { takesDirect: boolean }
  const within = (who: Who | 'approvals') =>
    [...state.messages.values()].filter(
      ({ channel: at }) => at === (who === 'approvals' ? approvals : people[who].direct),
    )
  return {
    app,
    store,
    sandbox,
    counted,
    approvals,
    close: {
      50001: () => {
        channel().canPost = false
        return () => {
          channel().canPost = true
        }
      },
      50013: () => {
        channel().refuses = 50_013
        return () => {
          delete channel().refuses
        }
      },
      10003: () => {
        const kept = channel()
        state.channels.delete(approvals)
        return () => state.channels.set(approvals, kept)
      },
    },
    shut: (who) => {
      person(who).takesDirect = false
      return () => {
        person(who).takesDirect = true
      }
    },
    asks: async (line) => people.sam.say(people.sam.direct, line),
    reads: (who) => within(who).map(textOf).join('\n---\n').replaceAll('\\', ''),
    presses: (who, words, label) => {
      const on = within(who).findLast((one) => textOf(one).replaceAll('\\', '').includes(words))
      if (on === undefined) throw new Error(`${who} reads no ${words}`)
      return people[who].press(on, label)
    },
  }
}
