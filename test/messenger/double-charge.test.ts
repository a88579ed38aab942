import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.ts'
import { openConsoleConversation } from './console-harness.ts'
import { openDiscordConversation } from './discord-harness.ts'
import type { Seen } from './messenger-harness.ts'
import { openSlackConversation } from './slack-harness.ts'

/** A customer writes that she was charged twice: two lines and three clicks, and no id is copied by hand. */
describe.each([
  ['Slack', () => openSlackConversation('http')],
  ['Discord', () => openDiscordConversation('gateway')],
  ['the console', openConsoleConversation],
])('a double charge, from an address to the settled card, in %s', async (_, open) => {
  const harness = await open()
  const finds = (words: RegExp, button?: string): Seen => {
    const found = harness
      .sees('sam')
      .findLast((message) => words.test(message.words) && (!button || message.buttons.includes(button)))
    if (found === undefined) throw new Error(`no ${words} in ${JSON.stringify(harness.sees('sam'))}`)
    return found
  }

  it('takes two lines with her address in them, and two clicks', async () => {
    const typed: string[] = []
    const says = async (line: string) => {
      typed.push(line)
      await harness.says('sam', line)
    }
    let clicks = 0
    const presses = async (message: Seen, label: string) => {
      clicks++
      await harness.presses('sam', message, label)
    }

    await says('person get ada@example.com')
    const person = await until(() => finds(/49 USD was charged twice, 14 minutes apart/))
    expect(person.words).toMatch(/subscribed/)
    expect(person.words).toMatch(/\+15550110000, may be written to/)

    await says('refund ada@example.com --reason "Charged twice"')
    const choice = await until(() => finds(/What did you mean/, '2. 49 USD · 1 Nov 09:14 · INV-513'))
    await presses(choice, '2. 49 USD · 1 Nov 09:14 · INV-513')
    const card = await until(() =>
      finds(/Nobody is asked yet[\s\S]*was charged twice, 14 minutes apart/, 'Confirm'),
    )
    expect(card.words).toMatch(/ada@example\.com/)
    expect(card.words).toMatch(/Left after this/)
    await presses(card, 'Confirm')
    await until(() => finds(/Refunded 49 USD/))

    expect(typed.join(' ')).not.toMatch(/pay_|cus_|sub_|[0-9a-f]{24}/)
    expect([typed.length, clicks]).toEqual([2, 2])
    expect(harness.sandbox.wire.filter(({ row }) => row === 'refundPayment')).toHaveLength(1)
    expect(harness.refused()).toEqual([])
  })
})
