import { describe, expect, it } from 'vitest'
import { teamPolicy } from '../harness/team-policy.ts'
import { until } from '../harness/until.ts'
import { labelsOf, textOf } from './fake/person.ts'
import type { FakeMessage } from './fake/state.ts'
import { channels, openDiscordHarness } from './harness.ts'

const { general, approvals } = channels

describe('what only a person can know', async () => {
  const rae = '  - { id: rae, name: Rae Role, discord: "400000000000000004" }'
  const policy = teamPolicy.replace('people:', `people:\n${rae}`)
  const harness = await openDiscordHarness({ policy })
  const { fake, sam, fay, wes, sandbox } = harness
  const cardIn = (channel: string, words: string): FakeMessage => {
    const message = fake.seen(fay.id, channel).find((one) => textOf(one).includes(words))
    if (message === undefined) throw new Error(`no card about ${words}`)
    return message
  }

  it('an unknown outcome is said, found in the service, and settled with one click', async () => {
    const values = { 'payment-id': 'pay_1003', amount: 100, customer: 'cus_1002' }
    await sam.slash(general, 'refund', values)
    const card = await until(() => cardIn(approvals, 'pay\\_1003'))
    const origin = await until(() => cardIn(general, 'pay\\_1003'))
    sandbox.fault({ service: 'billing', method: 'POST', kind: 'drop_after' })
    await fay.press(card, 'Approve')
    await until(() => expect(labelsOf(card)).toEqual(['Look up', 'It happened', 'It did not']))
    expect(textOf(card)).toContain('Nobody knows whether this happened')

    await fay.press(card, 'Look up')
    await until(() => expect(textOf(card)).toContain('is there since'))
    await fay.press(card, 'It happened')
    for (const copy of [card, origin]) {
      await until(() => expect(textOf(copy)).toContain('Done, according to Fay'))
      expect(labelsOf(copy)).toEqual(['Receipt'])
    }
  })

  it('a Discord role gives a role, and without it a click changes nothing', async () => {
    await sam.slash(general, 'refund', { 'payment-id': 'pay_1005', amount: 80 })
    const card = await until(() => cardIn(approvals, 'pay\\_1005'))
    const tried = await wes.press(card, 'Approve')
    await until(() => {
      const told = fake.state.messages.get(tried.original ?? '')
      expect(told && textOf(told)).toContain('Only finance can decide')
      expect(told?.onlyFor).toBe(wes.id)
    })
    expect(labelsOf(card)).toHaveLength(3)
    await harness.rae.press(card, 'Approve')
    await until(() => expect(textOf(card)).toMatch(/refunded/i))
    expect(textOf(card)).toContain('Rae')
  })

  it('a private card that is older than its token is settled through the click', async () => {
    let ahead = 0
    const late = await openDiscordHarness({ now: () => Date.now() + ahead })
    const values = { 'payment-id': 'pay_1001', amount: 20, customer: 'cus_1001' }
    const asked = await late.sam.slash(general, 'refund', values)
    const card = await until(() => {
      const message = late.fake.state.messages.get(asked.original ?? '') as FakeMessage
      expect(labelsOf(message)).toEqual(['Confirm', 'Cancel'])
      return message
    })
    ahead = 20 * 60_000
    await late.sam.press(card, 'Confirm')
    await until(() => expect(textOf(card)).toContain('Refunded 20 USD'))
    expect(labelsOf(card)).toEqual(['Receipt'])
  })

  it('sends nothing that Discord would refuse', () => {
    expect(fake.state.refused).toEqual([])
  })
})
