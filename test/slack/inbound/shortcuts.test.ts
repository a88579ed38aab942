import { describe, expect, test } from 'vitest'
import { pickerModal } from '../../../adapters/slack/forms/command-picker.ts'
import { commandsWith } from '../../harness/commands.ts'
import { until } from '../../harness/until.ts'
import { parseModal } from '../fake/blocks.ts'
import { dmOf } from '../fake/state.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general } = channels

describe('the message shortcut', async () => {
  const { sam, wes } = await openSlackHarness()

  test.each(['please help ada@example.com, thanks', 'from <mailto:ada@example.com|Ada>: where is my order?'])(
    'looks up the address in "%s"',
    async (text) => {
      const before = sam.answers(general).length
      const acked = await sam.looksUp(text, general)
      expect(acked).toMatchObject({ status: 200 })
      await until(() => expect(sam.answers(general)).toHaveLength(before + 1))
      await until(() => expect(sam.sees(general).at(-1)).toContain('Ada Lindqvist'))
      expect(sam.finds('Ada Lindqvist', general).onlyFor).toBe(sam.id)
    },
  )

  test('says so when the message has no address', async () => {
    await sam.looksUp('hello @everyone', general)
    await until(() => sam.finds('There is no email address in this message', general))
  })

  test('refuses those who may not look', async () => {
    await wes.looksUp('ada@example.com', general)
    await until(() => wes.finds('not linked to anybody', general))
  })
})

describe('the global shortcut', async () => {
  const { sam, wes, fay } = await openSlackHarness()

  const offered = (person: typeof sam): string[] =>
    person.modal().blocks.flatMap((block) => {
      if (block.type !== 'input' || block.element.type !== 'static_select') return []
      const { options = [], option_groups = [] } = block.element
      return [...options, ...option_groups.flatMap((group) => group.options)].map(({ value }) => value)
    })

  test('offers the commands that the person may run, and no others', async () => {
    await sam.shortcut()
    await until(() => sam.modal())
    expect(offered(sam)).toContain('subscriber get')
    expect(offered(sam)).not.toContain('freeze')
    await wes.shortcut()
    await until(() => wes.modal())
    expect(offered(wes).every((name) => name.startsWith('bellhop '))).toBe(true)
  })

  test('groups them by noun when they are many', () => {
    const [one] = commandsWith().all
    if (one === undefined) throw new Error('there are no commands')
    const many = Array.from({ length: 150 }, (_, at) => ({ ...one, name: `noun${at % 7} verb${at}` }))
    const modal = parseModal(pickerModal(many, { channel: null, handle: null }))
    expect(modal.error?.message).toBeUndefined()
    expect(JSON.stringify(modal.data)).toContain('noun6 verb146')
  })

  test('turns into the form of the chosen command, whose answer comes directly', async () => {
    const chosen = await sam.submits({ Command: 'subscriber get' })
    expect(chosen.body).toMatchObject({ response_action: 'update' })
    expect(sam.modal().title.text).toBe('Look up subscriber')
    await sam.submits({ Who: 'ada@example.com' })
    await until(() => sam.finds('Ada Lindqvist', dmOf(sam.id)))
  })

  test('runs a command that asks for nothing at once', async () => {
    await fay.shortcut()
    await until(() => fay.modal())
    await fay.submits({ Command: 'subscriber stats' })
    expect(fay.hasModal()).toBe(false)
    await until(() => fay.finds('ubscribers', dmOf(fay.id)))
  })

  test('asks for a change whose card then comes directly', async () => {
    await fay.shortcut()
    await until(() => fay.modal())
    await fay.submits({ Command: 'refund' })
    await fay.submits({ Payment: 'pay_1001', Amount: '5', Customer: 'cus_1001' })
    const card = await until(() => fay.finds('[Confirm]', dmOf(fay.id)))
    await fay.clicks('Confirm', { on: card })
    await until(() => expect(card.text).toContain('Refunded 5 USD'))
  })
})
