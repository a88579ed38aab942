import { expect, it } from 'vitest'
import type { Change } from '../../src/kernel/model/change.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { createFakeMessenger, type FakeMessenger } from '../approvals/fake-messenger.ts'
import { fromOf, textOf } from '../harness/app.ts'
import { buttonOf, changeOf, openHarness } from './harness.ts'

const open = async () => {
  const harness = await openHarness({ settings: { writeDeadlineMs: 2_000, retries: 1 }, tasks: false })
  const slack = createFakeMessenger('slack')
  harness.app.join(slack)
  const say = (line: string, account: string) =>
    harness.handle({ from: fromOf(account, 'slack'), intent: { kind: 'line', line } })
  const press = (verb: 'approve' | 'happened' | 'did_not' | 'show_all', change: Change, account: string) =>
    harness.handle({
      from: fromOf(account, 'slack'),
      intent: { kind: 'press', verb, id: buttonOf(change), reason: 'seen in the dashboard' },
    })
  const asked = changeOf(await say('refund pay_1001 60 --customer cus_1001', 'U0SAM'))
  harness.sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
  const change = changeOf(await press('approve', asked, 'U0FAY'))
  await harness.app.drain()
  return { harness, slack, say, press, change }
}

const claims = 'Nothing of this payment is refunded yet'
/** Everything that stands anywhere, in any message that was ever sent, as it is now. */
const allShown = ({ messages }: FakeMessenger) =>
  [...messages.values()].map(({ versions }) => {
    const view = versions.at(-1)
    return view === undefined ? '' : textOfView(view, { details: true })
  })
/** What is said as being so, not as having been so. */
const present = (text: string) => text.split('When it was asked, at')[0] ?? ''

it.each([
  ['happened', 'Done, according to'],
  ['did_not', 'It did not happen, according to'],
] as const)(
  'once it is known that it %s, every message and detail says so, and nothing of before',
  async (verb, end) => {
    const { harness, slack, press, change } = await open()
    expect(change.state).toBe('unknown')
    const before = allShown(slack)
    expect(before.some((text) => text.includes('Nobody knows whether this happened'))).toBe(true)
    for (const text of before) expect(present(text)).not.toContain(claims)
    await press(verb, change, 'U0FAY')
    await harness.app.drain()
    const after = allShown(slack)
    expect(after.length).toBeGreaterThanOrEqual(before.length)
    for (const text of after) {
      expect(text).not.toContain('Nobody knows whether this happened')
      expect(text).toContain(end)
      expect(present(text)).not.toContain(claims)
    }
    const details = textOf(await press('show_all', change, 'U0SAM'))
    expect(details).toContain(claims)
    expect(present(details)).not.toContain(claims)
  },
)

it('what was asked, answered or changed about a request follows it too', async () => {
  const harness = await openHarness({ tasks: false })
  const slack = createFakeMessenger('slack')
  harness.app.join(slack)
  const say = (line: string, account: string) =>
    harness.handle({ from: fromOf(account, 'slack'), intent: { kind: 'line', line } })
  const change = changeOf(await say('refund pay_1002 60', 'U0SAM'))
  await say(`approval ask ${change.id} --question "Did it come back?"`, 'U0FAY')
  await harness.app.drain()
  expect(slack.shown('U0SAM').join()).toContain('Fay Finance asks')
  await say(`approval reject ${change.id} --reason no`, 'U0FAY')
  await harness.app.drain()
  for (const text of allShown(slack)) expect(text).toContain('Rejected')
})
