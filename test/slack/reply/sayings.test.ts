import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general } = channels

describe('a change that was said in words of their own in Slack', async () => {
  const { sam } = await openSlackHarness()
  const offerIn = (channel?: string) => until(() => sam.finds('[Run it] [Edit]', channel))

  test('is asked for by Run it, with its card where it was said', async () => {
    await sam.mentions('give back pay_1001', general)
    await sam.clicks('Run it', { on: await offerIn(general) })
    await until(() => sam.finds('payment pay_1001', general))
  })

  test('is changed by Edit in a form that holds what was understood', async () => {
    await sam.writes('give back pay_1001')
    await sam.clicks('Edit', { on: await offerIn() })
    await until(() => expect(sam.hasModal()).toBe(true))
    expect(JSON.stringify(sam.modal())).toContain('pay_1001')
  })
})
