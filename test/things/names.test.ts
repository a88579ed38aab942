import { describe, expect, test } from 'vitest'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import { fromOf } from '../harness/app.ts'
import { openHarness } from '../pipeline/harness.ts'

describe('a name in the place of an id', async () => {
  const bot = await openHarness()
  const { sandbox } = bot
  const titleOf = (reply: Reply) => ('view' in reply ? reply.view.title : reply.kind)

  test.each([
    ['campaign get "spring sale"', '“Spring sale”'],
    ['subscriber get lindqvist', '“Ada Lindqvist”'],
    ['subscriber get "Ada Lindqvist"', '“Ada Lindqvist”'],
    ['list get newsletter', '“Newsletter”'],
    ['contact get "Ada Lindqvist"', '“Ada Lindqvist”'],
  ])('%s shows the one that it leads to', async (line, title) => {
    expect(titleOf(await bot.say(line, 'fay'))).toBe(title)
  })

  test('goes into the plan as the id', async () => {
    const change = await bot.ask('campaign send "Spring sale" ada@example.com', 'fay')
    expect(change.input).toMatchObject({ campaignId: 'cmp_spring_sale' })
    expect(change.line).toContain('cmp_spring_sale')
    const message = await bot.ask('message text "Ada Lindqvist" "Your parcel is on its way"', 'fay')
    expect(message.plan).toMatchObject({ recipient: { to: 15550110000, name: 'Ada Lindqvist' } })
  })

  test('that could mean several asks which, and goes on with the rest of what was typed', async () => {
    const [first, second] = sandbox.state.email.subscribers.slice(1, 3)
    if (first === undefined || second === undefined) throw new Error('too few subscribers')
    Object.assign(first, { firstName: 'Zoe', lastName: 'Twice' })
    Object.assign(second, { firstName: 'Zoe', lastName: 'Twice' })
    const reply = await bot.say('subscriber update "Zoe Twice" --company "Fern and Field"', 'fay')
    if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply))
    expect(reply).toMatchObject({ isChoice: true, view: { title: 'Which subscriber is "Zoe Twice"?' } })
    const item = reply.view.menu?.items.find(({ thing }) => thing.id === second.email)
    const chosen = await bot.press('act', `${reply.view.menu?.id}.${item?.at}.subscriber update`, 'fay')
    expect(chosen).toMatchObject({
      kind: 'change',
      change: { input: { email: second.email, company: 'Fern and Field' } },
    })
    expect(bot.effects()).toEqual([])
  })

  test.each([
    'campaign send "Spring sale" x@y',
    'campaign send "Spring sale" ada@example.com --sender-email nope',
    'message text "Ada Lindqvist" ""',
    'contact get 12',
    'contact get "12 34"',
    'subscriber get stats',
    'subscriber get ad\u200ba',
  ])('is not looked up for %s, which is refused whatever it leads to', async (line) => {
    const before = sandbox.wire.length
    expect(await bot.say(line, 'fay')).toMatchObject({ kind: 'refused', refusal: { code: 'bad_value' } })
    expect(sandbox.wire.slice(before)).toEqual([])
  })

  test('that leads nowhere is said as it was typed', async () => {
    expect(await bot.say('subscriber get nobodyatall', 'fay')).toMatchObject({
      refusal: { code: 'not_found' },
    })
  })

  test('tells nobody of what they may not read', async () => {
    expect(await bot.say('subscriber get lindqvist', 'kim')).toMatchObject({ refusal: { code: 'not_found' } })
  })

  test('does not decide about a change by a part of its title', async () => {
    const change = await bot.ask(`refund ${bot.payment()} 400`)
    expect(await bot.say('approval approve Refund', 'fay')).toMatchObject({
      refusal: { code: 'no_such_change' },
    })
    expect((await bot.stored(change)).votes).toEqual([])
  })

  test('in a form is looked up like one in a line', async () => {
    const reply = await bot.handle({
      from: fromOf('fay'),
      intent: { kind: 'form', command: 'campaign get', values: { campaignId: 'Spring sale' } },
    })
    expect(titleOf(reply)).toBe('“Spring sale”')
  })
})

describe('help after a command', async () => {
  const bot = await openHarness()

  test.each([
    ['refund help', 'refund'],
    ['refund ?', 'refund'],
    ['refund --help', 'refund'],
    ['/refund help', 'refund'],
    ['refund pay_1001 20 --help', 'refund'],
    ['subscriber get help', 'subscriber get'],
    ['message text help', 'message text'],
    ['bellhop whoami help', 'bellhop whoami'],
    ['refund —help', 'refund'],
    ['REFUND HELP', 'refund'],
  ])('%s is help for %s, and asks for nothing', async (line, title) => {
    const reply = await bot.say(line, 'fay')
    expect(reply).toMatchObject({ kind: 'answer', command: 'bellhop help', view: { title } })
    expect(bot.effects()).toEqual([])
  })

  test.each(['?', '--help', 'help', 'bellhop help'])('%s alone is help for everything', async (line) => {
    expect(await bot.say(line, 'fay')).toMatchObject({ kind: 'answer', command: 'bellhop help' })
  })

  test('after a noun it is help for its commands', async () => {
    const reply = await bot.say('subscriber help', 'fay')
    expect(reply).toMatchObject({ kind: 'answer', command: 'bellhop help' })
    expect(JSON.stringify(reply)).toContain('subscriber update')
  })

  test.each(['help', '?', '--help'])('%s as the only option of a command is help too', async (word) => {
    const intent = { kind: 'options', command: 'refund', values: { 'payment-id': word } } as const
    expect(await bot.handle({ from: fromOf('fay'), intent })).toMatchObject({ command: 'bellhop help' })
  })

  test('in quotes it is a value', async () => {
    expect(await bot.say('subscriber find "help"', 'fay')).toMatchObject({ command: 'subscriber find' })
  })
})
