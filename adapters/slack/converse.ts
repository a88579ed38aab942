import type { Intent, Reply } from '../../src/pipeline/inbound.ts'
import { type Asked, ask } from './asked.ts'
import { deliver } from './deliver.ts'
import type { Desk } from './desk.ts'
import { faultOf } from './errors.ts'
import { startSign } from './working.ts'

/** One request from its acknowledgement to its answer. Nothing that goes wrong here reaches Bolt. */
export const converse = async (
  desk: Desk,
  asked: Asked,
  intent: Intent,
  { forms = false, change = (reply) => reply }: { forms?: boolean; change?: (reply: Reply) => Reply } = {},
): Promise<void> => {
  // What a press does shows on its own card.
  const sign = asked.isPress ? undefined : startSign(desk, asked)
  try {
    const reply = await ask(desk, asked, intent, forms)
    await deliver(desk, asked, change(reply), await sign?.settle())
  } catch (error) {
    desk.log.error(faultOf(error), 'an answer could not be brought to Slack')
  } finally {
    await sign?.settle()
  }
}
