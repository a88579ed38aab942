import { describe, expect, test } from 'vitest'
import { openTestApp } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { openDiscordConversation } from './discord-harness.ts'
import { messengerPolicy } from './messenger-harness.ts'
import { openSlackConversation } from './slack-harness.ts'

/** Files are attached in a form, links differ each time, and what was said before differs by test. */
const isRepeatable = (line: string) =>
  !/--file |^bellhop (console|passkey)$|^(?:un)?freeze |^policy (?:reload|propose|patch)|^approval |^job |^away |^schedule |^report (?:access|approvals|digest)|^webhook resend|^grant /.test(
    line,
  )

const direct = await openTestApp({ policy: messengerPolicy, tasks: false })
const lines = direct.registry.all.flatMap(({ examples: [first] }) => (isRepeatable(first) ? [first] : []))

describe.each([
  ['Slack', openSlackConversation],
  ['Discord', openDiscordConversation],
])('%s shows the answer or the card of each command', async (_, open) => {
  const harness = await open()

  test.each(lines)('%s', async (line) => {
    harness.sandbox.reset()
    direct.sandbox.reset()
    const reply = await direct.say(line, 'fay')
    expect(['answer', 'change']).toContain(reply.kind)
    const { title } =
      reply.kind === 'change' ? reply.change.preview : (reply as { view: { title: string } }).view
    const before = harness.sees('fay').length
    await harness.says('fay', line)
    await until(() => {
      const since = harness
        .sees('fay')
        .slice(before)
        .map(({ words }) => words)
      expect(since.join('\n')).toContain(title)
    })
    expect(harness.refused()).toEqual([])
  })
})
