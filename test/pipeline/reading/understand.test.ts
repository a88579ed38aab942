import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../../src/kernel/command/context.ts'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import { lastAnswerIn } from '../../../src/kernel/request/look-ups/query.ts'
import { traitsOf } from '../../../src/lib/things/kinds.ts'
import { maskTheirs } from '../../../src/lib/view/outside.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { factsIn } from '../../commands/bot.ts'
import { openTestApp, textOf } from '../../harness/app.ts'
import { corpus } from '../../intent/corpus.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: lea, name: Lea, roles: [look] }
roles:
  support: { run: ["*"], approve: ["*"] }
  look: { run: ["subscriber get", "subscriber find", "approval *"] }
everyone: { run: ["bellhop *"] }
`
const app = await openTestApp({ policy, tasks: false })
beforeEach(() => app.sandbox.reset())
const say = (line: string, who = 'sam') => app.say(line, who)

const senderOf = (who: string) => ({ platform: 'terminal', account: who, name: who, groups: [] })
const viewOf = (reply: Reply): View => {
  if (!('view' in reply)) throw new Error(`no view: ${JSON.stringify(reply)}`)
  return reply.view
}
const buttonsOf = (reply: Reply) => (viewOf(reply).actions ?? []).map(({ verb }) => verb)
const press = (reply: Reply, verb: 'run_it' | 'edit' | 'choose', who = 'sam', at = 0) => {
  const action = (viewOf(reply).actions ?? []).filter((one) => one.verb === verb)[at]
  if (action === undefined) throw new Error(`no ${verb} in ${JSON.stringify(viewOf(reply))}`)
  return app.press(verb, action.id, who)
}
const writes = () => app.sandbox.wire.filter(({ method }) => method !== 'GET').length
const requests = async () => (await app.store.changes.list({ limit: 100 })).length

describe('several things in one line', () => {
  it.each([
    'refund pay_1001 and pay_1003',
    'refund pay_1001, pay_1003',
    'please refund payment pay_1001 and payment pay_1003',
  ])('%s is offered as so many requests, each of its own', async (line) => {
    const offered = await say(line)
    expect(buttonsOf(offered)).toEqual(['run_it', 'edit', 'run_it', 'edit'])
    expect(textOf(offered)).toContain('2 requests, each with its own button')
    const before = await requests()
    expect(textOf(await press(offered, 'run_it', 'sam', 1))).toContain('pay_1003')
    expect(await requests()).toBe(before + 1)
  })

  it('is not split where something is said that could be of one or of all', async () => {
    const before = await requests()
    const reply = await say('refund pay_1001 49 and pay_1003 20')
    expect(buttonsOf(reply)).not.toContain('run_it')
    expect(await requests()).toBe(before)
  })
})

describe('a saying', () => {
  it.each([
    ['refund pay_1001 12,50 please', '“12,50”', 'whole numbers only, and 12.5 is none', ['12', '13']],
    ['please refund pay_1001 0,50', '“0,50”', 'whole numbers only, and 0.5 is none', ['1']],
    ['please refund pay_1001 1.000', '“1.000”', '1000 and as 1', ['1000', '1']],
    ['please refund pay_1001 $1,200', '“$1,200”', '1200 and as 1.2', ['1200']],
    ['please refund pay_1001 5²', '“5²”', 'digits 0 to 9', []],
    ['please refund pay_1001 ٢٠', '“٢٠”', 'digits 0 to 9', []],
  ])('with an amount that is none, or two, is not run: %s', async (said, word, why, would) => {
    const reply = await say(said)
    expect(textOf(reply)).toContain(`I did not understand ${word}.`)
    expect(maskTheirs(textOf(reply))).toContain(why)
    expect(buttonsOf(reply)).not.toContain('run_it')
    const others = (viewOf(reply).actions ?? []).filter(({ verb }) => verb === 'choose')
    expect(others.map(({ label }) => label)).toEqual(would)
    for (const [at, amount] of would.entries()) {
      const whole = await press(reply, 'choose', 'sam', at)
      expect(textOf(whole)).toContain(`refund pay_1001 ${amount}`)
      expect(buttonsOf(whole)).toContain('run_it')
    }
  })

  it.each([
    ['please refund pay_1001 20 dollars', /refund pay_1001 "?20 dollars/],
    ['please refund pay_1001 €20', /refund pay_1001 "?20 €/],
  ])('with an amount and its currency is offered as a line that is taken: %s', async (said, line) => {
    const reply = await say(said)
    expect(textOf(reply)).toMatch(line)
    expect((await press(reply, 'run_it')).kind).toMatch(/change|refused/)
  })

  it('that means one look-up runs it, and ends with the line to learn', async () => {
    const reply = await say('who is ada@example.com')
    expect(reply.kind).toBe('answer')
    expect(viewOf(reply).title).toContain('Ada Lindqvist')
    expect(viewOf(reply).footer).toMatch(/Understood as: person get ada@example\.com$/)
  })

  it('that means a change is only offered, and running it is as if it had been typed', async () => {
    const before = await requests()
    const offered = await say('please refund 20 of pay_1001 because she was charged twice')
    expect(textOf(offered)).toContain('refund pay_1001 20')
    expect(textOf(offered)).toContain('she was charged twice')
    expect(buttonsOf(offered)).toEqual(['run_it', 'edit'])
    expect(await requests()).toBe(before)
    const asked = await press(offered, 'run_it')
    if (asked.kind !== 'change') throw new Error(JSON.stringify(asked))
    expect(asked.change).toMatchObject({ command: 'refund', state: 'pending' })
    expect(asked.change.line).toContain('refund pay_1001 20')
    expect(factsIn(asked.change.preview).Reason).toBe('she was charged twice')
    expect(writes()).toBe(0)
  })

  it('can be completed in the form of its command', async () => {
    const offered = await say('refund payment pay_1001 please')
    const id = viewOf(offered).actions?.find(({ verb }) => verb === 'edit')?.id ?? ''
    const reply = await app.handle({
      intent: { kind: 'press', verb: 'edit', id },
      forms: true,
      from: senderOf('sam'),
    })
    if (reply.kind !== 'form') throw new Error(JSON.stringify(reply))
    expect(reply.form).toMatchObject({ command: 'refund', values: { paymentId: 'pay_1001' } })
  })

  it.each<[string, Record<string, string>]>([
    ['refund payment pay_1001 please', {}],
    ['refund payment pay_1001 of cus_1001 please', { amount: '120 USD left. ' }],
  ])('%s has in its form beside a field what the command knows of it: %j', async (said, known) => {
    const id = viewOf(await say(said)).actions?.find(({ verb }) => verb === 'edit')?.id ?? ''
    const edit = { kind: 'press', verb: 'edit', id } as const
    const reply = await app.handle({ intent: edit, forms: true, from: senderOf('sam') })
    const fields = reply.kind === 'form' ? reply.form.fields : []
    const beside = fields.map(({ name, hint, description }) => [name, hint.replace(description, '')])
    expect(fields).toHaveLength(7)
    expect(Object.fromEntries(beside.filter(([, words]) => words !== ''))).toEqual(known)
  })

  it('is offered only to whoever said it', async () => {
    expect(await press(await say('give back pay_1001'), 'run_it', 'lea')).toMatchObject({
      refusal: { code: 'answer_gone' },
    })
  })

  it('with words that are not understood is not run as it is', async () => {
    const reply = await say('refund half of pay_1009')
    expect(buttonsOf(reply)).toEqual(['edit'])
    expect(textOf(reply)).toContain('I did not understand “50%”')
  })

  it('with several meanings is a choice of at most five; a change that is chosen is offered', async () => {
    const reply = await say('64b000000000000000000001')
    const buttons = buttonsOf(reply)
    expect(new Set(buttons)).toEqual(new Set(['choose']))
    expect(buttons.length).toBeLessThanOrEqual(5)
    const at = (viewOf(reply).actions ?? []).findIndex(({ label }) => label?.includes('list get'))
    expect((await press(reply, 'choose', 'sam', at)).kind).toMatch(/answer|refused/)
  })

  it('that means nothing gets three examples and help, of what this person may run only', async () => {
    const words = textOf(await say('what is the weather like', 'lea'))
    expect(words).toContain('subscriber get')
    expect(words).toContain('bellhop help')
    expect(words).not.toContain('refund')
  })

  it('is a greeting, and answered like one', async () => {
    expect(viewOf(await say('hi')).title).toBe('Hello Sam.')
    expect(viewOf(await say('thanks')).title).toBe('You are welcome.')
  })

  it('is never offered to somebody who may not run it', async () => {
    expect(textOf(await say('please refund pay_1001', 'lea'))).not.toContain('refund pay_1001\n')
    expect(buttonsOf(await say('please refund pay_1001', 'lea'))).not.toContain('run_it')
  })
})

describe('names', () => {
  it('of campaigns and lists lead to their ids', async () => {
    expect(viewOf(await say('show me the Spring sale campaign')).footer).toContain(
      'Understood as: campaign get cmp_spring_sale',
    )
  })
})

describe('the last answer', () => {
  it('is what "it", "the second one", "next" and "again" speak of', async () => {
    const first = await say('subscriber find --limit 5')
    expect(viewOf(first).footer).toContain('Page 1')
    expect(viewOf(await say('next')).footer).toContain('Page 2')
    expect(viewOf(await say('previous')).footer).toContain('Page 1')
    const second = await say('show me the second one')
    expect(viewOf(second).footer).toMatch(/Understood as: person get \S+@/)
    expect(viewOf(second).title).toBe(`${viewOf(await say('again')).title}, from your last question`)
  })

  it('is nobody else’s', async () => {
    await say('subscriber find --limit 5')
    expect(textOf(await say('next', 'lea'))).toContain('no answer of the last ten minutes')
  })

  it('means something for ten minutes', async () => {
    const shown = await say('subscriber get ada@example.com')
    const { core } = app.app
    const [actor, place] = [{ person: 'sam' } as Actor, { channel: null, handle: null, direct: false }]
    const [answer] = await app.store.answers.recent('sam', 0, 1)
    const lastIn = (ms: number) => lastAnswerIn({ ...core, now: () => (answer?.at ?? 0) + ms }, actor, place)
    expect(shown.kind).toBe('answer')
    expect(await lastIn(600_000)).toMatchObject({ things: [{ kind: 'subscriber', id: 'ada@example.com' }] })
    expect(await lastIn(600_001)).toBeUndefined()
  })

  it('is among the newest ten, wherever the others were asked for', async () => {
    await say('subscriber get ada@example.com')
    const [answer] = await app.store.answers.recent('sam', 0, 1)
    if (answer === undefined) throw new Error('no answer')
    const { core } = app.app
    const askElsewhere = async (times: number) => {
      for (let n = 0; n < times; n++)
        await app.store.answers.put({
          ...answer,
          id: core.newId(),
          at: core.now() + 1,
          doc: { ...(answer.doc as object), channel: 'C1' },
        })
    }
    const last = () =>
      lastAnswerIn({ ...core, now: () => answer.at }, { person: 'sam' } as Actor, { channel: null })
    await askElsewhere(9)
    expect(await last()).toMatchObject({ things: [{ id: 'ada@example.com' }] })
    await askElsewhere(1)
    expect(await last()).toBeUndefined()
  })
})

describe('within a command', () => {
  it('a plain word where an id belongs is asked back, and nobody is asked', async () => {
    const before = await requests()
    for (const line of ['refund everybody', 'refund nonsense']) {
      const reply = await say(line)
      expect(reply.kind, line).not.toBe('change')
    }
    expect(await requests()).toBe(before)
  })

  it('a plain word is asked back on every way that leads to a change, also a stored draft', async () => {
    const before = await requests()
    const id = await app.app.bot.drafts.save(senderOf('sam'), {
      command: 'refund',
      values: { paymentId: 'everybody', amount: '20' },
    })
    expect(await app.press('run_it', id, 'sam')).toMatchObject({ refusal: { code: 'plain_word' } })
    const form = {
      kind: 'form' as const,
      command: 'refund',
      values: { paymentId: 'everybody', amount: '20' },
    }
    expect(await app.handle({ intent: form, from: senderOf('sam') })).toMatchObject({
      refusal: { code: 'plain_word' },
    })
    expect(await requests()).toBe(before)
  })

  it('a plain word in the place of an id of money is refused of every change, and looked up by every look-up', async () => {
    const before = await requests()
    const tried: string[] = []
    for (const { name: command, kind, params } of app.registry.all)
      for (const param of params.filter(({ kinds }) => kinds.some((one) => traitsOf(one).money))) {
        const values = { [param.name]: 'everybody' }
        const reply = await app.handle({ intent: { kind: 'form', command, values }, from: senderOf('sam') })
        const isRefused = reply.kind === 'refused' && reply.refusal.code === 'plain_word'
        expect(isRefused, `${command} ${param.name}: ${textOf(reply)}`).toBe(kind === 'change')
        tried.push(kind)
      }
    expect(new Set(tried)).toEqual(new Set(['query', 'change']))
    expect(await requests()).toBe(before)
  })

  it('a decision is never what words of one’s own lead to', async () => {
    const verbs = ['approve', 'reject', 'cancel', 'confirm', 'say no to', 'settle', 'stop', 'resume']
    const rests = ['it', 'change abc123', 'my last request please', 'the refund of pay_1001', '']
    const said = verbs.flatMap((verb) => rests.map((rest) => `please ${verb} ${rest}`))
    for (const words of [...said, 'wlekrj reminder sdfkjh', 'wlekrj remind approvers sdfkjh oiuwer']) {
      const { actions = [] } = viewOf(await say(words))
      const offered = await Promise.all(actions.map(({ id }) => app.app.bot.drafts.find(senderOf('sam'), id)))
      const kinds = offered.map((draft) => draft && app.registry.get(draft.command)?.kind)
      expect(kinds, words).not.toContain('decision')
    }
  })

  it('words that it cannot read are read as a saying about it', async () => {
    const reply = await say('refund payment pay_1001 20 because she was charged twice')
    expect(buttonsOf(reply)).toEqual(['run_it', 'edit'])
    expect(textOf(reply)).toContain('refund pay_1001 20')
  })

  it('a change that cannot be read is answered by the look-up that tells of what it names', async () => {
    expect(textOf(await say('refund what is the status of ada@example.com'))).toContain('Ada Lindqvist')
  })

  it('a look-up that cannot be read is answered by another, also by one that is about nothing in particular', async () => {
    expect(textOf(await say('subscriber get please show the lists'))).toMatch(/^7 lists/)
    expect(await say('refund please show the lists')).toMatchObject({ kind: 'refused' })
  })

  it.each([
    ['a change', 'campaign send show me the list lst_vip'],
    ['something that is not clear', 'subscriber get list all the subscribers'],
  ])('is not taken for %s in its place', async (_, line) => {
    expect(await say(line)).toMatchObject({ kind: 'refused' })
  })

  it('a word that speaks of the last answer does, also where somebody has nearly that name', async () => {
    const [, one] = app.sandbox.state.email.subscribers
    Object.assign(one ?? {}, { lastName: 'Thex' })
    expect(viewOf(await say('subscriber get ada@example.com')).title).toBe('“Ada Lindqvist”')
    expect(viewOf(await say('subscriber get them')).title).toBe('“Ada Lindqvist”, from your last question')
  })

  it('a word that somebody has seen as an id of money is one', async () => {
    const { transactions } = app.sandbox.state.billing
    const some = transactions.find(({ customer_id: of }) => of === 'cus_1008')
    if (some === undefined) throw new Error('no payment')
    transactions.push({ ...some, id: 'oddpay' })
    expect(await say('refund oddpay 20')).toMatchObject({ refusal: { code: 'plain_word' } })
    await say('transaction find cus_1008')
    expect(await say('refund oddpay 20')).toMatchObject({ kind: 'change', change: { amount: 20 } })
    expect(textOf(await say(`refund ${'x'.repeat(50)}`))).toContain(`“${'x'.repeat(40)}” is a word`)
  })

  it('what can be read in no way is refused as before, with its usage', async () => {
    expect(await say('subscriber get')).toMatchObject({ kind: 'refused' })
    expect(await say('subscriber stats --nonsense 3')).toMatchObject({ refusal: { code: 'unknown_flag' } })
  })
})

describe('what another value would mend', () => {
  const typed = (line: string, forms = true) =>
    app.handle({ intent: { kind: 'line', line }, from: senderOf('sam'), forms })

  it.each([
    ['subscriber stats --nonsense 3', 'subscriber stats'],
    ['refund pay_1001 lots', 'refund pay_1001'],
  ])(
    '%s opens its form, with what was understood and no usage above the button',
    async (line, understood) => {
      const reply = await typed(line)
      expect(buttonsOf(reply)).toEqual(['edit'])
      const words = textOf(reply)
      expect(words).toMatch(new RegExp(`Understood so far:\\s+${understood}(?:\\n|$)`))
      expect(await typed(line, false)).toMatchObject({
        kind: 'refused',
        view: expect.not.objectContaining({ actions: expect.anything() }),
      })
    },
  )

  it('opens with the values that were given, where there are forms and a line was typed', async () => {
    const line = 'refund pay_1001 99999 --customer cus_1001'
    const asked = await typed(line)
    expect(asked).toMatchObject({ refusal: { code: 'too_much' } })
    expect(buttonsOf(asked)).toEqual(['edit'])
    expect(buttonsOf(await typed(line, false))).toEqual([])
    const values = { paymentId: 'pay_1001', amount: '99999', customer: 'cus_1001' }
    const form = { kind: 'form' as const, command: 'refund', values }
    expect(buttonsOf(await app.handle({ intent: form, from: senderOf('sam'), forms: true }))).toEqual([])
  })
})

it('whatever is said, no write leaves and nothing is asked for without a press', async () => {
  const words = corpus.flatMap(([saying]) => saying.split(' '))
  const saying = fc.oneof(
    fc.constantFrom(...corpus.map(([one]) => one)),
    fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 9 }).map((some) => some.join(' ')),
  )
  // What is a command line is one, and may ask.
  const isLine = (said: string) => app.registry.all.some(({ name }) => said.toLowerCase().startsWith(name))
  const before = await requests()
  await fc.assert(
    fc.asyncProperty(saying, async (said) => {
      fc.pre(!isLine(said.replace(/^\W+/, '').replace(/^bellhop\s+/i, '')))
      const reply = await say(said)
      expect(['answer', 'refused', 'form']).toContain(reply.kind)
    }),
    { numRuns: 150 },
  )
  expect(writes()).toBe(0)
  expect(await requests()).toBe(before)
})
