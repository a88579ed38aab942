import { expect, it } from 'vitest'
import { witnessesOf } from '../../../src/features/witnesses/outside.ts'
import { channels as rooms } from '../../discord/harness.ts'
import { until } from '../../harness/until.ts'
import { channels } from '../../slack/harness.ts'
import { isLost, messengers, openPlace, policyWith } from '../../worker/loss/place.ts'

it.each(['Slack', 'Discord'] as const)(
  'a checkpoint that was posted in a channel of %s tells that a whole folder was put back to a copy',
  async (name) => {
    const { reads } = messengers[name]
    const platform = name.toLowerCase()
    const channel = { Slack: channels.general, Discord: rooms.general }[name]
    const place = openPlace(policyWith(1, `anchor: { every: 1h, ${platform}: "${channel}" }`))
    const first = await place.start()
    await first.ask('refund pay_1001 7')
    await first.stop()
    const putBack = place.copyAll()
    const second = await place.start()
    await second.ask('refund pay_1001 60')
    // What the witness would be given within the hour.
    const checkpoint = await second.store.auditTree.checkpoint()
    const [witness] = witnessesOf(second.app.core)
    if (checkpoint === undefined || witness === undefined) throw new Error('there is nothing to keep')
    await witness.keep(checkpoint)
    await second.stop()
    putBack()

    const third = await place.start()
    await until(async () => expect(await third.loss()).toBeDefined())
    // Whoever asks for another comparison waits for the one that is under way.
    await third.app.core.doubtStore()
    await third.app.drain()
    expect(reads(third)).toMatch(isLost)
    await third.say('unfreeze all', 'finn')
    await third.stop()
    const fourth = await place.start()
    await fourth.app.drain()
    expect(await fourth.losses()).toBe(1)
    expect(await fourth.loss()).toBeUndefined()
    await fourth.stop()
  },
)
