import { describe, expect, test } from 'vitest'
import { toViewJson } from '../../adapters/console/message-json.ts'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import type { Intent, Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { verbs } from '../../src/lib/view/button-labels.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { actionsIn, type View } from '../../src/lib/view/view.ts'
import { fromOf, openTestApp, textOf } from '../harness/app.ts'
import { demoPolicy } from '../harness/demo-policy.ts'

/** The most steps that each job may take: lines typed and presses, where a form counts one with the press that opens it. */
const goals = {
  'a double charge, from "Ada was charged twice" to asked': 2,
  'approve it': 1,
  'ask, answer, correct the amount, approve': 4,
  'approve five': 2,
  'find a payment by its sum and day': 1,
  'find a payment by a part of its invoice': 1,
  'upgrade somebody at the end of the term, with a coupon': 2,
  'send a campaign to a list tomorrow': 2,
  'move what is scheduled to another time': 2,
  'cancel what is scheduled': 1,
  'what was refunded last month, by whom, as a file': 1,
  'settle an unknown outcome': 3,
  'freeze, and see it': 1,
  'what may I do here': 1,
  'ask for a right that is missing': 1,
  'be away, with a stand-in': 2,
  'write to the one who was looked at': 1,
} as const

const opened = await openTestApp({ policy: `${demoPolicy}\nunseen: pass\n` })

/** Counts what people do. A button is pressed only where the messages of Slack and Discord and the page of the console have it. */
const counted = () => {
  let steps = 0
  const handle = (person: string, intent: Intent): Promise<Reply> =>
    opened.handle({
      from: fromOf(person, 'console'),
      place: { channel: 'console', handle: null, direct: true },
      forms: true,
      intent,
    })
  const press = async (person: string, view: View, label: RegExp): Promise<Reply> => {
    const button = actionsIn(view).find((one) => label.test(one.label ?? verbs[one.verb].label))
    if (button === undefined) throw new Error(`no ${label} among ${JSON.stringify(actionsIn(view))}`)
    const words = button.label ?? verbs[button.verb].label
    const drawn = { slack: renderSlack(view).blocks, console: toViewJson(view) }
    for (const [name, sent] of Object.entries(drawn)) expect(JSON.stringify(sent), name).toContain(words)
    if (!button.isMore) expect(JSON.stringify(renderDiscord(view)), 'discord').toContain(words)
    steps += 1
    return handle(person, { kind: 'press', verb: button.verb, id: button.id })
  }
  return {
    steps: () => steps,
    say: (person: string, line: string) => {
      steps += 1
      return handle(person, { kind: 'line', line })
    },
    press,
    /** What a form or a question asks for is given in the same step. */
    fill: async (person: string, reply: Reply, given: Record<string, string> = {}): Promise<Reply> => {
      if (reply.kind === 'reason')
        return handle(person, { kind: 'press', verb: reply.verb, id: reply.id, reason: given.reason ?? '' })
      if (reply.kind !== 'form') throw new Error(`no form: ${textOf(reply)}`)
      const { command, values } = reply.form
      return handle(person, { kind: 'form', command, values: { ...values, ...given } as never })
    },
    /** What is on the screen already is no step. */
    look: async (person: string, id: string): Promise<View> =>
      viewOf(await handle(person, { kind: 'line', line: `approval get ${id}` })),
  }
}

const viewOf = (reply: Reply): View => {
  if (!('view' in reply)) throw new Error(reply.kind)
  return reply.view
}
const changeOf = (reply: Reply): Change => {
  if (reply.kind !== 'change') throw new Error(textOf(reply))
  return reply.change
}
const storedOf = async (id: string) => {
  const change = await opened.store.changes.get(id)
  if (change === null) throw new Error('no such change')
  return change
}

/** What one job schedules, the next ones move and cancel. */
let scheduled = ''

describe('a job of a day takes no more steps than it may', () => {
  const jobs: Record<keyof typeof goals, () => Promise<number>> = {
    'a double charge, from "Ada was charged twice" to asked': async () => {
      const sam = counted()
      const person = viewOf(await sam.say('p-support', 'ada@example.com'))
      const form = await sam.press('p-support', person, /^Refund the second, 49 USD$/)
      if (form.kind !== 'form') throw new Error(textOf(form))
      expect(form.form.values).toMatchObject({ paymentId: 'pay_1013' })
      const asked = changeOf(await sam.fill('p-support', form, { description: 'Charged twice' }))
      expect(asked.preview.title).toContain('49 USD')
      return sam.steps()
    },
    'approve it': async () => {
      const sam = counted()
      const asked = changeOf(await sam.say('p-support', 'refund pay_1001 120 --customer cus_1001'))
      const fay = counted()
      await fay.press('p-finance', await fay.look('p-finance', asked.id), /^Approve 120 USD$/)
      expect((await storedOf(asked.id)).state).toBe('applied')
      return fay.steps()
    },
    'approve five': async () => {
      const sam = counted()
      const asked: Change[] = []
      for (const payment of [3, 5, 6, 7, 9])
        asked.push(changeOf(await sam.say('p-support', `refund pay_100${payment} 120`)))
      const fay = counted()
      const list = viewOf(await fay.say('p-finance', 'approval list'))
      const told = viewOf(await fay.press('p-finance', list, /^Approve all 5 \(.+\)$/))
      expect(told.title).toMatch(/^(?:Approved 5 of 5|5 votes given)/)
      for (const { id } of asked) expect((await storedOf(id)).votes).toHaveLength(1)
      return fay.steps()
    },
    'ask, answer, correct the amount, approve': async () => {
      const both = counted()
      const asked = changeOf(await opened.say('refund pay_1004 110', 'p-support'))
      const card = () => both.look('p-finance', asked.id)
      const question = await both.press('p-finance', await card(), /^Ask$/)
      await both.fill('p-finance', question, { reason: 'Is it all of it?' })
      const answer = await both.press('p-support', await both.look('p-support', asked.id), /^Answer$/)
      await both.fill('p-support', answer, { reason: 'No, 105 of it' })
      const suggestion = await both.press('p-finance', await card(), /^Suggest$/)
      await both.fill('p-finance', suggestion, { amount: '105' })
      await both.press('p-support', await both.look('p-support', asked.id), /^Change it to 105/)
      expect(await storedOf(asked.id)).toMatchObject({
        amount: 105,
        votes: [{ by: { person: 'p-finance' } }],
      })
      return both.steps()
    },
    'find a payment by its sum and day': async () => {
      await opened.say('transaction find cus_1001', 'p-support')
      const sam = counted()
      const found = textOf(await sam.say('p-support', '49 USD on 1 Nov'))
      expect(found).toMatch(/^2 payments like that/)
      // Two charges of one morning are told apart by their times.
      expect(found).toMatch(/09:00[\s\S]*09:14|09:14[\s\S]*09:00/)
      expect(found).toContain('that somebody has looked at here; the billing service lists no others')
      return sam.steps()
    },
    'find a payment by a part of its invoice': async () => {
      await opened.say('transaction find cus_1001', 'p-support')
      const sam = counted()
      expect(textOf(await sam.say('p-support', 'invoice 513'))).toMatch(/^1 payment like that/)
      return sam.steps()
    },
    'upgrade somebody at the end of the term, with a coupon': async () => {
      const sam = counted()
      const said = 'upgrade Ada to Business at the end of the term, coupon SPRING20'
      const which = viewOf(await sam.say('p-support', said))
      // How it is paid was not said, and is asked for in the form that the press opens.
      const form = await sam.press('p-support', which, /upgrade$/)
      const { id } = changeOf(await sam.fill('p-support', form, { paymentMode: 'credit_card' }))
      const { preview, clauses, state } = await storedOf(id)
      expect([state, clauses.map(({ kind }) => kind)]).toEqual(['pending', ['approvals']])
      expect(preview.title).toBe('Move Ada Lindqvist to Desk Business')
      expect(textOfView(preview)).toMatch(
        /When +at the end of the term\n[\s\S]*Coupon +SPRING20\nPaid +by credit card/,
      )
      return sam.steps()
    },
    'send a campaign to a list tomorrow': async () => {
      const sam = counted()
      const draft = viewOf(await sam.say('p-support', 'send Spring sale to Newsletter tomorrow at 9'))
      scheduled = changeOf(await sam.press('p-support', draft, /^Schedule for \d+ \w+ 09:00$/)).id
      expect((await storedOf(scheduled)).state).toBe('approved')
      return sam.steps()
    },
    'move what is scheduled to another time': async () => {
      const sam = counted()
      const form = await sam.press('p-support', await sam.look('p-support', scheduled), /^Change the time$/)
      const card = viewOf(await sam.fill('p-support', form, { at: 'tomorrow 10:00' }))
      // Until the new time is confirmed, the old one stands.
      expect(textOfView(card)).toMatch(/it stays approved for \d+ \w+ \d+, 09:00/)
      await sam.press('p-support', card, /^Move to \d+ \w+ 10:00$/)
      const { state, runAt } = await storedOf(scheduled)
      expect([state, new Date(runAt?.at ?? 0).getUTCHours()]).toEqual(['approved', 10])
      return sam.steps()
    },
    'cancel what is scheduled': async () => {
      const sam = counted()
      await sam.press('p-support', await sam.look('p-support', scheduled), /^(?:Cancel|Withdraw)$/)
      expect((await storedOf(scheduled)).state).toBe('cancelled')
      return sam.steps()
    },
    'what was refunded last month, by whom, as a file': async () => {
      const fay = counted()
      const reply = await fay.say('p-finance', 'what did we refund last month, by whom')
      expect(reply).toMatchObject({ kind: 'answer', file: { name: 'refunds.csv' } })
      expect(textOf(reply)).toContain('--by requester')
      return fay.steps()
    },
    'settle an unknown outcome': async () => {
      const asked = changeOf(await opened.say('refund pay_1008 10 --customer cus_1006', 'p-support'))
      opened.sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
      await opened.press('confirm', asked.id, 'p-support')
      const fay = counted()
      const list = viewOf(await fay.say('p-finance', 'approval list --state unknown'))
      expect(list.title).toContain('unknown')
      const looked = viewOf(await fay.press('p-finance', await fay.look('p-finance', asked.id), /^Look up$/))
      expect(textOfView(looked)).toMatch(/Press “It happened” if you agree/)
      const why = await fay.press('p-finance', looked, /^It happened$/)
      if (why.kind === 'reason') await fay.fill('p-finance', why, { reason: 'It stands in the list' })
      expect((await storedOf(asked.id)).state).toBe('applied')
      return fay.steps()
    },
    'freeze, and see it': async () => {
      const fay = counted()
      const asked = changeOf(await opened.say('refund pay_1004 130', 'p-support'))
      await fay.say('p-finance', 'freeze billing --reason "closing the books"')
      await opened.app.drain()
      const labels = actionsIn(await fay.look('p-finance', asked.id)).map(({ verb }) => verb)
      expect(labels).toContain('unfreeze')
      expect(labels).not.toContain('approve')
      await opened.say('unfreeze billing', 'p-finance')
      return fay.steps()
    },
    'what may I do here': async () => {
      const sam = counted()
      const help = viewOf(await sam.say('p-support', 'what can I do here'))
      const tasks = actionsIn(help).flatMap(({ label }) => label ?? [])
      expect(tasks).toEqual([
        ...['Find a person', 'Refund a payment', 'Change a plan', 'Send a campaign'],
        ...['Write to somebody', 'What waits'],
      ])
      return sam.steps()
    },
    'ask for a right that is missing': async () => {
      const refused = viewOf(await opened.say('report refunds', 'p-support'))
      const sam = counted()
      const asked = changeOf(await sam.press('p-support', refused, /^Ask for it$/))
      expect(asked.preview.title).toBe('Let Sam Support run report refunds for a while')
      expect(asked.state).toBe('pending')
      return sam.steps()
    },
    'be away, with a stand-in': async () => {
      const fay = counted()
      const draft = viewOf(await fay.say('p-finance', 'on holiday until Monday, Sam stands in'))
      expect(draft.title).toBe('Be away, with Sam Support voting meanwhile')
      await fay.press('p-finance', draft, /^Confirm$/)
      expect(textOf(await opened.say('away list', 'p-finance'))).toContain('Sam Support')
      await opened.say('away end', 'p-finance')
      return fay.steps()
    },
    'write to the one who was looked at': async () => {
      await opened.handle({
        ...{ from: fromOf('p-support', 'console'), forms: true },
        place: { channel: 'console', handle: null, direct: true },
        intent: { kind: 'line', line: 'ada@example.com' },
      })
      const sam = counted()
      const reply = await sam.say('p-support', 'write to her')
      const said = reply.kind === 'form' ? JSON.stringify(reply.form.values) : textOf(reply)
      expect(said).toMatch(/message text|15550110000|64b000000000000000000001/)
      return sam.steps()
    },
  }

  test.each(Object.entries(goals))('%s: %i', async (job, goal) => {
    expect(await jobs[job as keyof typeof goals]()).toBeLessThanOrEqual(goal)
  })
})
