import type { RawFile } from '../../src/command/coerce.ts'
import type { Intent, Reply } from '../../src/pipeline/inbound.ts'
import { note, type View } from '../../src/view/view.ts'
import { type Asked, ask } from './asked.ts'
import { deliver, tell } from './deliver.ts'
import type { Desk } from './desk.ts'
import { faultOf } from './errors.ts'
import type { SharedFile } from './intake.ts'
import { startSign } from './working.ts'

type Conversing = {
  forms?: boolean
  change?: (reply: Reply) => Reply
  /** For a decision: acknowledged once it is stored, so that what was acknowledged is never forgotten. */
  ack?: () => Promise<void>
}

/** One request from its acknowledgement to its answer. Nothing that goes wrong here reaches Bolt. */
export const converse = async (
  desk: Desk,
  asked: Asked,
  intent: Intent,
  { forms = false, change = (reply) => reply, ack }: Conversing = {},
): Promise<void> => {
  const acked = once(ack)
  const late = setTimeout(acked, ackWithinMs)
  // What a press does shows on its own card.
  const sign = asked.isPress ? undefined : startSign(desk, asked)
  try {
    const reply = await ask(desk, asked, intent, { forms, stored: acked })
    acked()
    await deliver(desk, asked, change(reply), await sign?.settle())
  } catch (error) {
    desk.log.error(faultOf(error), 'an answer could not be brought to Slack')
  } finally {
    clearTimeout(late)
    acked()
    await sign?.settle()
  }
}

/** Slack waits three seconds; a store that is slow must not make it give up. */
const ackWithinMs = 1_000

const once = (ack: (() => Promise<void>) | undefined): (() => void) => {
  let isDone = ack === undefined
  return () => {
    if (isDone) return
    isDone = true
    ack?.().catch(() => undefined)
  }
}

/** The file that came with a request; whoever sent one that cannot be had is told. */
export const take = async (desk: Desk, asked: Asked, file: SharedFile): Promise<RawFile | undefined> => {
  try {
    return await desk.intake.fetch(file)
  } catch (error) {
    desk.log.warn(faultOf(error), 'a file could not be fetched from Slack')
    const sorry: View = {
      title: 'The file could not be fetched from Slack.',
      tone: 'bad',
      blocks: [note('plain', 'The app may lack the scope files:read; an administrator can look.')],
    }
    await tell(desk, asked, sorry, undefined).catch(() => undefined)
    return undefined
  }
}
