import { describe, expect, test } from 'vitest'
import { toViewJson } from '../../adapters/console/message-json.ts'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import type { Intent, Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { verbs } from '../../src/lib/view/button-labels.ts'
import { actionsIn, type View } from '../../src/lib/view/view.ts'
import { fromOf, openTestApp, textOf } from '../harness/app.ts'
import { demoPolicy } from '../harness/demo-policy.ts'

/** The most steps that each job may take: lines typed and presses, where a form counts one with the press that opens it. */
const goals = {
  'a double charge, from "Ada was charged twice" to asked': 2,
  'approve it': 1,
  'ask, answer, correct the amount, approve': 4,
  'approve five': 2,
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
  }

  test.each(Object.entries(goals))('%s: %i', async (job, goal) => {
    expect(await jobs[job as keyof typeof goals]()).toBeLessThanOrEqual(goal)
  })
})
