import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { labelsOf, textOf } from '../fake/person.ts'
import type { FakeMessage } from '../fake/state.ts'
import { openDiscordHarness } from '../harness.ts'

describe('a change that was said in words of their own in Discord', async () => {
  const { fake, sam } = await openDiscordHarness()
  const offered = (): Promise<FakeMessage> => {
    sam.say(sam.direct, 'give back pay_1001')
    return until(() => {
      const offer = fake.seen(sam.id, sam.direct).at(-1)
      expect(offer && labelsOf(offer)).toEqual(['Run it', 'Edit'])
      return offer as FakeMessage
    })
  }

  it('is changed by Edit in a form that is the first answer and holds what was understood', async () => {
    const opened = await sam.press(await offered(), 'Edit')
    expect(opened.answered).toBe(9)
    expect(JSON.stringify(opened.modal)).toContain('pay_1001')
  })

  it('is asked for by Run it, with its card beside the offer', async () => {
    const offer = await offered()
    const asked = await sam.press(offer, 'Run it')
    await until(() => expect(sam.reads(sam.direct)).toContain('payment pay\\_1001'))
    expect(asked.original).not.toBe(offer.id)
    expect(labelsOf(offer), textOf(offer)).toEqual(['Run it', 'Edit'])
  })

  it('sends nothing that Discord would refuse', () => {
    expect(fake.state.refused).toEqual([])
  })
})
