import { parseLine } from '../../src/kernel/command/line/parse.ts'
import { labelsOf, textOf } from '../discord/fake/person.ts'
import type { FakeInteraction } from '../discord/fake/state.ts'
import { channels, openDiscordHarness } from '../discord/harness.ts'
import { type MessengerHarness, messengerPolicy, type Seen, type Who } from './messenger-harness.ts'

export const openDiscordConversation = async (
  over: 'gateway' | 'http' = 'gateway',
): Promise<MessengerHarness> => {
  const { discord, store, db, sandbox, registry, fake, ...people } = await openDiscordHarness({
    over,
    policy: messengerPolicy,
  })
  const opened = new Map<Who, FakeInteraction>()
  const { general } = channels
  return {
    messenger: discord.messenger,
    store,
    db,
    sandbox,
    channel: general,
    accountOf: (who) => people[who].id,
    says: async (who, line) => {
      const parsed = parseLine(registry, line)
      if (!parsed.ok) throw new Error(`${line}: ${parsed.refusal.message}`)
      const { command, given } = parsed.value
      const options = command.params.flatMap(({ name, flag, type }) => {
        const value = given[name]
        if (value === undefined) return []
        return [[flag, type === 'integer' ? Number(value) : String(value)] as const]
      })
      await people[who].slash(general, command.name, Object.fromEntries(options))
    },
    sees: (who) =>
      [...fake.state.messages.values()]
        .filter(({ onlyFor, channel, isThinking }) => {
          const isTheirs = fake.state.channels.get(channel)?.recipient ?? people[who].id
          return (
            !isThinking && isTheirs === people[who].id && (onlyFor === null || onlyFor === people[who].id)
          )
        })
        .map(
          (message): Seen => ({ id: message.id, words: plain(textOf(message)), buttons: labelsOf(message) }),
        ),
    presses: async (who, { id }, label) => {
      const message = fake.state.messages.get(id)
      if (message !== undefined) opened.set(who, await people[who].press(message, label))
    },
    explains: async (who, reason) => {
      const form = opened.get(who)
      if (form?.modal === undefined) throw new Error('no form is open')
      await people[who].submit(form, { reason })
    },
    refused: () => fake.state.refused,
  }
}

const plain = (markdown: string): string => markdown.replace(/\\([^0-9A-Za-z\s])/g, '$1').replace(/\*\*/g, '')
