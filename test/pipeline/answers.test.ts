import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  answer,
  definePack,
  defineQuery,
  defineSandbox,
  note,
  table,
  z,
} from '../../src/cli/packs/surface.ts'
import type { OutFile } from '../../src/kernel/command/define.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import { createSpool } from '../../src/kernel/messenger/spool.ts'
import { defined } from '../../src/lib/defined.ts'
import { until } from '../harness/until.ts'
import { account, type Harness, openHarness, refusalOf } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness({ tasks: false })
})

const buttonIn = (reply: Reply, verb: string): string => {
  if (reply.kind !== 'answer') throw new Error(reply.kind)
  const action = reply.view.actions?.find((one) => one.verb === verb)
  if (action === undefined) throw new Error(`there is no ${verb}`)
  return action.id
}

describe('the same look-up by several at the same time', () => {
  const asked = () => harness.sandbox.wire.filter(({ row }) => row === 'getSubscriber').length

  it('asks the service once, and each of them is answered and recorded', async () => {
    harness.sandbox.fault({ row: 'getSubscriber', kind: 'delay', ms: 100 })
    const before = asked()
    const replies = await Promise.all(
      ['sam', 'fay', 'sam'].map((person) => harness.say('subscriber get ada@example.com', person)),
    )
    expect(asked() - before).toBe(1)
    expect(new Set(replies.map((reply) => reply.kind === 'answer' && reply.view.title)).size).toBe(1)
    const entries = await harness.store.audit.find({ command: 'subscriber get', limit: 9 })
    expect(entries.filter(({ kind }) => kind === 'ran')).toHaveLength(3)
  })

  it('asks anew when the answer is there, for something else, and whenever a change is planned', async () => {
    const before = asked()
    await harness.say('subscriber get ada@example.com')
    await harness.say('subscriber get ada@example.com')
    expect(asked() - before).toBe(2)
    harness.sandbox.fault({ row: 'getSubscriber', kind: 'delay', ms: 100, times: 2 })
    await Promise.all(['ada', 'bob'].map((name) => harness.say(`subscriber get ${name}@example.com`)))
    expect(asked() - before).toBe(4)
    await Promise.all([
      harness.say('subscriber get ada@example.com'),
      harness.say('subscriber update ada@example.com --first-name Ada'),
      harness.say('subscriber update ada@example.com --first-name Eda'),
    ])
    expect(asked() - before).toBe(7)
  })
})

describe('share, next and previous', () => {
  it('belong to the actor, whichever account they click from', async () => {
    const line = { kind: 'line', line: 'subscriber find --limit 5' } as const
    const reply = await harness.handle({ from: account('slack', 'U0SAM'), intent: line })
    for (const verb of ['share', 'next'] as const) {
      const press = { kind: 'press', verb, id: buttonIn(reply, verb) } as const
      const other = await harness.handle({ from: account('slack', 'U0FAY'), intent: press })
      expect(refusalOf(other).code).toBe('not_yours')
      const own = await harness.handle({ from: account('discord', '400000000000000001'), intent: press })
      expect(own.kind).toBe(verb === 'share' ? 'share' : 'answer')
    }
  })
  it('share shows what was shown, without its buttons and its menu', async () => {
    const reply = await harness.say('subscriber get ada@example.com')
    const shared = await harness.press('share', buttonIn(reply, 'share'))
    if (reply.kind !== 'answer' || shared.kind !== 'share') throw new Error('not shared')
    expect(shared.view).toEqual({ ...reply.view, actions: undefined, menu: undefined })
  })
  it('turn the pages, and stop at both ends', async () => {
    const first = await harness.say('subscriber find --limit 5')
    const second = await harness.press('next', buttonIn(first, 'next'))
    expect(second.kind === 'answer' && second.view.title).toBe(first.kind === 'answer' && first.view.title)
    expect(second.kind === 'answer' && second.view.blocks).not.toEqual(
      first.kind === 'answer' && first.view.blocks,
    )
    const back = await harness.press('previous', buttonIn(second, 'previous'))
    expect(back.kind === 'answer' && back.view.blocks).toEqual(first.kind === 'answer' && first.view.blocks)
    expect(() => buttonIn(back, 'previous')).toThrow()
  })
  it('check the right to look again', async () => {
    await harness.store.answers.put({
      id: 'kept',
      at: Date.now(),
      person: 'kim',
      doc: { command: 'subscriber find', input: {}, view: { title: 'x', tone: 'plain', blocks: [] } },
    })
    expect(refusalOf(await harness.press('next', 'kept', 'kim')).code).toBe('may_not_run')
  })
  it('say so when the answer was asked for as it no longer can be', async () => {
    await harness.store.answers.put({
      id: 'older',
      at: Date.now(),
      person: 'sam',
      doc: {
        command: 'subscriber find',
        input: { limit: 'many' },
        view: { title: 'x', tone: 'plain', blocks: [] },
      },
    })
    expect(refusalOf(await harness.press('next', 'older')).message).toBe('There is no such page.')
  })
  it('say so when the answer is gone', async () => {
    expect(refusalOf(await harness.press('share', 'nothing')).code).toBe('answer_gone')
  })
})

describe('look-ups', () => {
  it('run as the one who presses, for whoever may see the change or run them', async () => {
    harness.sandbox.fault({ row: 'sendText', kind: 'drop_after' })
    const asked = await harness.ask('message text 15550110000 "Your parcel is on its way"')
    const change = await harness.click('confirm', asked)
    expect(change.state).toBe('unknown')
    expect(refusalOf(await harness.press('look_up', `${change.id}.x`, 'kim')).code).toBe('may_not_run')
    for (const person of ['sam', 'fay']) {
      expect(await harness.press('look_up', `${change.id}.x`, person)).toMatchObject({ kind: 'answer' })
      const [entry] = await harness.store.audit.find({ who: person, limit: 1 })
      expect(entry).toMatchObject({ kind: 'ran', command: 'contact get' })
    }
    expect(refusalOf(await harness.press('look_up', 'nothing', 'fay')).code).toBe('no_such_change')
  })
  it('of what a service can tell show the card to whoever may see the change, and to nobody else', async () => {
    harness.sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
    const asked = await harness.ask('refund pay_1001 20 --customer cus_1001')
    const change = await harness.click('confirm', asked)
    expect(change).toMatchObject({ state: 'unknown', lookUps: expect.arrayContaining([expect.any(String)]) })
    const refused = await harness.press('look_up', `${change.id}.x`, 'kim')
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'may_not_run' } })
    const reply = await harness.press('look_up', `${change.id}.x`, 'fay')
    expect(reply).toMatchObject({ kind: 'change', change: { state: 'unknown', checked: { happened: true } } })
  })
  it('of what a service can tell are made again after two seconds', async () => {
    const clock = { now: Date.now() }
    const bot = await openHarness({ tasks: false, now: () => clock.now })
    bot.sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
    const change = await bot.click('confirm', await bot.ask('refund pay_1001 20 --customer cus_1001'))
    const looks = async (afterMs: number) => {
      clock.now += afterMs
      await bot.press('look_up', change.id)
      return (await bot.stored(change)).checked?.n
    }
    expect([await looks(0), await looks(1_999), await looks(1)]).toEqual([1, 1, 2])
  })
  it('are recorded with who, from where, and what', async () => {
    await harness.handle({
      from: account('slack', 'U0SAM'),
      intent: { kind: 'line', line: 'subscriber get ada@example.com' },
    })
    const [entry] = await harness.store.audit.find({ who: 'sam', limit: 1 })
    expect(entry).toMatchObject({
      kind: 'ran',
      platform: 'slack',
      command: 'subscriber get',
      doc: { line: 'subscriber get ada@example.com', account: 'U0SAM' },
    })
  })
})

describe('a form', () => {
  it('is offered for what is missing where the platform has forms, with what was given', async () => {
    const intent = { kind: 'line', line: 'upgrade sub_301 --quantity 2' } as const
    const from = account('terminal', 'sam')
    expect(await harness.handle({ from, intent, forms: true })).toMatchObject({
      kind: 'form',
      form: { command: 'upgrade', values: { subscriptionId: 'sub_301', quantity: '2' } },
    })
    expect(refusalOf(await harness.handle({ from, intent, forms: false }))).toMatchObject({
      code: 'missing_arguments',
      message: 'upgrade needs plan-id and payment-mode.',
    })
  })
  it('of a command that there is not is refused, with so much of its name as can be read', async () => {
    const intent = { kind: 'form', command: `${'no such '.repeat(5)}one`, values: {} } as const
    expect(refusalOf(await harness.handle({ from: account('terminal', 'sam'), intent }))).toMatchObject({
      code: 'unknown_command',
      message: `There is no command "${'no such '.repeat(5).trim()}".`,
    })
  })
  it('is not offered to somebody who may not run the command', async () => {
    const reply = await harness.handle({
      from: account('terminal', 'kim'),
      intent: { kind: 'line', line: 'upgrade' },
      forms: true,
    })
    expect(refusalOf(reply).code).toBe('may_not_run')
  })
})

describe('an answer with more columns than are shown', () => {
  const wide = table(['One', 'Two', 'Three', 'Four', 'Five'], [['1', '2', '3', '4', '5']])
  const queryOf = (name: string, fileOf = async (): Promise<OutFile | undefined> => undefined) =>
    defineQuery({
      name,
      summary: 'Show five columns',
      area: 'columns',
      input: z.object({}),
      examples: [name],
      uses: [],
      run: async () =>
        answer(
          { title: 'Five', tone: 'plain', blocks: [wide, note('plain', 'Twice'), wide] },
          defined({ file: await fileOf() }),
        ),
    })
  let spooled: OutFile | undefined
  const columns = definePack({
    name: 'columns',
    title: 'Columns',
    surface: 1,
    auth: 'bearer',
    environment: { baseUrl: 'COLUMNS_BASE_URL', keys: { apiKey: 'COLUMNS_API_KEY' } },
    rows: {},
    kinds: {},
    commands: [
      queryOf('columns show'),
      queryOf('columns export', async () => ({ name: 'five.csv', type: 'text/csv', content: '' })),
      queryOf('columns archive', async () => {
        const spool = createSpool('five.csv', 'text/csv')
        await spool.add('5'.repeat(1_000_001))
        spooled = await spool.end()
        return spooled
      }),
      queryOf('columns break', () => Promise.reject(new Error('broken'))),
    ],
    sandbox: async () => defineSandbox({ seed: () => ({}), handlers: {} }),
  })

  it('offers a file of all of them, unless it comes with one', async () => {
    const { say, press } = await openHarness({ tasks: false, packs: [columns] })
    const reply = await say('columns show', 'fay')
    const file = await press('file', buttonIn(reply, 'file'), 'fay')
    const each = 'One,Two,Three,Four,Five\r\n1,2,3,4,5\r\n'
    expect(file).toMatchObject({
      view: { title: 'Five, as a file', footer: '2 rows' },
      file: { name: 'columns-show.csv', content: `${each}\r\n${each}` },
    })
    const exported = await say('columns export', 'fay')
    expect(() => buttonIn(exported, 'file')).toThrow('there is no file')
  })

  it('that nobody is given leaves no file behind, and troubles nobody where it fails', async () => {
    const { handle } = await openHarness({ tasks: false, packs: [columns] })
    for (const line of ['columns break', 'columns archive'])
      expect(
        await handle({
          from: account('terminal', 'fay'),
          storing: Promise.resolve('repeated'),
          intent: { kind: 'line', line },
        }),
      ).toEqual({ kind: 'repeated' })
    await until(() => expect(spooled?.path).toBeDefined())
    await until(() => expect(existsSync(spooled?.path ?? '')).toBe(false))
  })
})
