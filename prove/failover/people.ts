import { setTimeout as sleep } from 'node:timers/promises'
import { lossIn } from '../../src/kernel/model/store-loss.ts'
import { textOfMessage } from '../../test/slack/fake/reading.ts'
import { type Fleet, rooms } from '../fleet/fleet.ts'

/** Where somebody asks only to see how long an answer takes. */
const probeRoom = 'C0PROBE'

/** As the policy of all proofs, with somebody who is told of a loss and may end the hold after it. */
export const failoverPolicy = (policy: string): string =>
  policy.replace(
    'policies: []',
    'administrators: [p-decides]\npolicies: [{ name: own, commands: [unfreeze], require: none }]',
  )

/** Asks until there is an answer that needs the database, and says how long that took. */
export const waitForAnswer = async ({ slack }: Fleet, withinMs: number): Promise<number | undefined> => {
  slack.channel(probeRoom, ['U0SUPPORT2'])
  const person = slack.person('U0SUPPORT2', { name: 'sue' })
  const began = performance.now()
  const from = slack.state.messages.length
  const isAnswered = () =>
    slack.state.messages
      .slice(from)
      .some((message) => message.channel === probeRoom && isAnswer(textOfMessage(message)))
  while (performance.now() - began < withinMs) {
    const asked = performance.now()
    const delivered = person.types('/approval list', probeRoom).catch(() => undefined)
    // Whoever reads nothing for a while asks again.
    while (performance.now() - asked < 500) {
      if (isAnswered()) return performance.now() - began
      await sleep(20)
    }
    await Promise.race([delivered, sleep(500)])
  }
  return undefined
}

/** Anything but that it could not be looked up. */
const isAnswer = (text: string): boolean => /waiting for/i.test(text)

/** Looks, as somebody would who was told of a loss, and then ends the hold after it. */
export const endHold = async (fleet: Fleet, withinMs: number): Promise<boolean> => {
  const person = fleet.slack.person('U0FINANCE', { name: 'fay' })
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(500)) {
    const freezes = await fleet.store.freezes.all().catch(() => undefined)
    if (freezes !== undefined && lossIn(freezes) === undefined) return true
    if (freezes !== undefined) await person.types('/unfreeze all', rooms.slack).catch(() => undefined)
  }
  return false
}
