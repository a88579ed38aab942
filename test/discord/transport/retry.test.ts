import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { textOf } from '../fake/person.ts'
import type { FakeInteraction } from '../fake/state.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general } = channels
const limited = { message: 'You are being rate limited.', retry_after: 4.5, global: false }

for (const over of ['gateway', 'http'] as const) {
  describe(`an answer over ${over} that Discord does not take at first`, async () => {
    const { fake, sam, wes } = await openDiscordHarness({ over })
    const shown = ({ original }: FakeInteraction, words: string) =>
      until(() => {
        const message = fake.state.messages.get(original ?? '')
        expect(message && textOf(message)).toContain(words)
        return message
      })

    it('comes when the trouble is over', async () => {
      fake.state.faults.push({ on: /^PATCH .*\/webhooks\//, times: 4, status: 503 })
      await shown(await sam.slash(general, 'subscriber get', { who: 'ada@example.com' }), 'ada@example.com')
    })

    it('comes after a limit that is longer than a short wait', async () => {
      fake.state.faults.push({
        on: /^PATCH .*\/webhooks\//,
        times: 1,
        status: 429,
        body: limited,
        headers: { 'retry-after': '4.5', 'x-ratelimit-scope': 'user' },
      })
      await shown(await sam.slash(general, 'subscriber get', { who: 'ada@example.com' }), 'ada@example.com')
    })

    it('comes when it is said beside a message', async () => {
      const answer = await shown(await sam.slash(general, 'bellhop whoami'), 'Sam Support')
      fake.state.faults.push({ on: /^POST .*\/webhooks\//, times: 4, status: 503 })
      const pressed = await wes.press(answer as NonNullable<typeof answer>, 'Share')
      await until(() => expect(pressed.followUps).toHaveLength(1))
    })
  })
}

describe('a first answer over the gateway', async () => {
  const { fake, sam } = await openDiscordHarness()

  it('is tried again while there is time', async () => {
    fake.state.faults.push({ on: /^POST .*\/callback$/, times: 4, status: 500 })
    const asked = await sam.slash(general, 'bellhop whoami')
    expect(asked.answered).toBe(5)
  })

  it('leaves a line that was said to the bot no less stubbornly answered', async () => {
    sam.say(sam.direct, 'bellhop whoami')
    await until(() => expect(sam.reads(sam.direct)).toContain('Sam Support'))
    fake.state.faults.push({ on: /^POST .*\/channels\/\d+\/messages$/, times: 3, status: 503 })
    sam.say(sam.direct, 'bellhop help refund')
    await until(() => expect(sam.reads(sam.direct)).toContain('Refund a payment'))
  })
})
