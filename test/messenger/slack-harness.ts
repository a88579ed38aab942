import { until } from '../harness/until.ts'
import { labelsIn, textOfMessage } from '../slack/fake/reading.ts'
import { channels, openSlackHarness } from '../slack/harness.ts'
import { type MessengerHarness, messengerPolicy, type Seen } from './messenger-harness.ts'

export const openSlackConversation = async (over: 'http' | 'socket' = 'http'): Promise<MessengerHarness> => {
  const { slack, store, db, sandbox, fake, ...people } = await openSlackHarness({
    over,
    policy: messengerPolicy,
    prepare: ({ state }) => state.scopes.add('channels:history'),
  })
  const { general } = channels
  return {
    messenger: slack.messenger,
    store,
    db,
    sandbox,
    channel: general,
    accountOf: (who) => people[who].id,
    says: async (who, line) => {
      await people[who].types(`/${line}`, general)
    },
    sees: (who) =>
      fake.state.messages
        .filter(
          ({ isDeleted, onlyFor, channel }) =>
            !isDeleted &&
            (onlyFor === undefined
              ? fake.state.channels.get(channel)?.members.has(people[who].id)
              : onlyFor === people[who].id),
        )
        .map(
          (message): Seen => ({
            id: message.ts,
            words: textOfMessage(message),
            buttons: labelsIn(message.blocks),
          }),
        ),
    presses: async (who, { id }, label) => {
      const on = fake.state.messages.find(({ ts }) => ts === id)
      await people[who].clicks(label, on === undefined ? {} : { on })
    },
    explains: async (who, reason) => {
      await until(() => people[who].modal())
      await people[who].submits({ Reason: reason })
    },
    refused: () => [],
  }
}
