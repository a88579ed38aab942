import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general } = channels

describe('a change that was said in words of their own in Slack', async () => {
  const { sam, fay } = await openSlackHarness()
  const offerIn = (channel?: string) => until(() => sam.finds('[Confirm] [Change it]', channel))

  test('is drawn for whoever said it alone, and asked and confirmed with one press', async () => {
    await sam.writes('transaction find cus_1001')
    await until(() => sam.finds('INV-501'))
    await sam.mentions('give back 20 of pay_1001', general)
    const offer = await offerIn(general)
    expect(() => fay.finds('Nobody is asked yet', general)).toThrow()
    await sam.clicks('Confirm', { on: offer })
    await until(() => sam.finds('Refunded 20 USD', general))
  })

  test('is changed in a form that holds what was understood', async () => {
    await sam.writes('give back 20 of pay_1003')
    await sam.clicks('Change it', { on: await until(() => sam.finds('[Change it]')) })
    await until(() => expect(sam.hasModal()).toBe(true))
    expect(JSON.stringify(sam.modal())).toContain('pay_1003')
  })
})
