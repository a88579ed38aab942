import { storedWithin } from '../../../src/messenger/intake.ts'
import { discordLimits } from '../protocol/limits.ts'
import type { DiscordContext } from '../reply/answers.ts'
import { discordErrorFields } from '../transport/errors.ts'

type Delivered = { delivery: string; account: string; payload: unknown; isTaken?: boolean | undefined }

/**
 * Stores a delivery and works on it until it is answered; the next process does, if this one dies. A copy is left
 * alone. Without its memory the bot still answers look-ups, and refuses the rest later on.
 */
export const workOnStored = async (
  { bot, log }: Pick<DiscordContext, 'bot' | 'log'>,
  { delivery, account, payload, isTaken }: Delivered,
  work: (taken: boolean) => Promise<void>,
  tooSlow: () => Promise<void>,
): Promise<void> => {
  const done = () => bot.intake.done('discord', delivery)
  const store = async () => {
    if (isTaken) return 'first'
    try {
      const storing = bot.intake.take('discord', delivery, { account, payload })
      return await storedWithin(discordLimits.firstAnswerMs, storing, done)
    } catch (error) {
      log.error(discordErrorFields(error), 'a delivery could not be stored')
      return 'not stored'
    }
  }
  const stored = await store()
  if (stored === 'repeated') return
  if (stored === 'slow') return tooSlow()
  try {
    await work(stored === 'first')
  } finally {
    if (stored === 'first') await done()
  }
}
