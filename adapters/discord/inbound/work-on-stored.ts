import { type Stored, storedWithin } from '../../../src/kernel/messenger/intake.ts'
import { discordLimits } from '../protocol/limits.ts'
import type { DiscordContext } from '../reply/answers.ts'
import { discordErrorFields } from '../transport/errors.ts'

type Delivered = { delivery: string; account: string; payload: unknown; isTaken?: boolean | undefined }

type Steps = {
  /**
   * Discord hears that it came and is stored; without the store the answer itself says so. Nothing is done unseen: if
   * Discord does not take this, the request is left alone.
   */
  acknowledge?(): Promise<void>
  /** Begins while it is being stored and acknowledged, and answers after that. */
  work(storing: Promise<Stored>): Promise<void>
  tooSlow(): Promise<void>
}

/**
 * Stores a delivery and works on it until it is answered; the next process does, if this one dies. A copy is left
 * alone.
 */
export const workOnStored = async (
  { bot, log }: Pick<DiscordContext, 'bot' | 'log'>,
  { delivery, account, payload, isTaken }: Delivered,
  { acknowledge, work, tooSlow }: Steps,
): Promise<void> => {
  const done = () => bot.intake.done('discord', delivery)
  const onFailure = (error: unknown) => log.error(discordErrorFields(error), 'a delivery could not be stored')
  const store = () =>
    storedWithin(discordLimits.firstAnswerMs, bot.intake.take('discord', delivery, { account, payload }), {
      onLate: done,
      onFailure,
    })
  const stored = isTaken ? Promise.resolve<Stored>('first') : store()
  const acknowledged = stored.then(async (how) => {
    if (how === 'slow') await tooSlow()
    if (how === 'first') await acknowledge?.()
    return how
  })
  try {
    await work(acknowledged.catch(() => 'slow' as const))
    await acknowledged
  } finally {
    if ((await stored) === 'first') await done()
  }
}
