import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { labelsOf, textOf } from '../fake/person.ts'
import type { FakeMessage } from '../fake/state.ts'
import { openDiscordHarness } from '../harness.ts'

describe('a change that was said in words of their own in Discord', async () => {
  const { fake, sam } = await openDiscordHarness()
  const offered = (): Promise<FakeMessage> => {
    sam.say(sam.direct, 'give back 20 of pay_1001')
    return until(() => {
      const offer = fake.seen(sam.id, sam.direct).at(-1)
      expect(offer && labelsOf(offer)).toEqual(['Confirm', 'Change it'])
      return offer as FakeMessage
    })
  }

  it('is changed in a form that is the first answer and holds what was understood', async () => {
    sam.say(sam.direct, 'transaction find cus_1001')
    await until(() => expect(sam.reads(sam.direct)).toContain('INV-501'))
    const opened = await sam.press(await offered(), 'Change it')
    expect(opened.answered).toBe(9)
    expect(JSON.stringify(opened.modal)).toContain('pay_1001')
  })

  it('is asked and confirmed with one press, beside the draft', async () => {
    const offer = await offered()
    const asked = await sam.press(offer, 'Confirm')
    await until(() => expect(sam.reads(sam.direct)).toContain('Refunded 20 USD'))
    expect(asked.original).not.toBe(offer.id)
    expect(labelsOf(offer), textOf(offer)).toEqual(['Confirm', 'Change it'])
  })

  it('sends nothing that Discord would refuse', () => {
    expect(fake.state.refused).toEqual([])
  })
})
