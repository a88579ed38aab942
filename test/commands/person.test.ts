import { beforeEach, describe, expect, test } from 'vitest'
import { defaultTimings } from '../../src/kernel/timings.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { openTeamBot } from './team-bot.ts'

// A view that did not give up by itself would take longer than a test may.
const settings = { breaker: { failures: 1_000, openMs: 1 }, attemptMs: 1e7, readDeadlineMs: 1e7 }
const patienceMs = { ...defaultTimings.patienceMs, view: 1e7 }
const bot = await openTeamBot({ settings, timings: { patienceMs } })
const adaId = '64a000000000000000000001'
const adaContact = '64b000000000000000000001'
const show = async (line: string) => textOfView(await bot.look(line), { details: true, isWhole: true })
const ada = () => bot.sandbox.state.email.subscribers[0] as { mobile: string; email: string }

beforeEach(async () => {
  ada().mobile = '+1 555 011 0000'
  for (const kind of ['email', 'phone', 'subscriber', 'contact', 'customer'] as const) {
    for (const id of ['ada@example.com', '15550110000', adaId, adaContact, 'cus_1001', 'cus_1002']) {
      await bot.store.links.forget([{ kind, id }], true)
    }
  }
  bot.app.core.learner.forget()
})

describe('person get', () => {
  test('leads from an address over the equal number to the contact, and says what no link leads to', async () => {
    const shown = await show('person get ada@example.com')
    expect(shown).toMatch(/Email service[\s\S]*subscribed[\s\S]*Messaging service[\s\S]*Opted in/)
    expect(shown).toContain('No customer is linked to this person')
  })
  test('shows payments, refunds and where the link comes from once it is set by hand', async () => {
    await bot.run('person link ada@example.com --customer cus_1001')
    const shown = await show('person get ada@example.com')
    expect(shown).toMatch(/120 USD +paid +INV-501 +pay_1001/)
    expect(shown).toMatch(/customer cus_1001 and ada@example.com: said by hand by Fay, .* approved by Finn, /)
    for (const who of [adaId, adaContact, 'cus_1001', '+1 555 011 0000', 'ADA@example.com']) {
      expect(await show(`person get ${who}`), who).toMatch(/120 USD +paid +INV-501 +pay_1001/)
    }
  })
  test('finds a customer by an id that no link knows yet', async () => {
    expect(await show('person get cus_1009')).toMatch(/ref_901/)
    expect(await bot.refused('person get cus_9999')).toMatchObject({ code: 'not_found' })
    expect(await bot.refused('person get nobody at all')).toMatchObject({ code: 'not_found' })
  })
  test('shows links that disagree, and takes neither for the right one', async () => {
    await bot.run('person link ada@example.com --customer cus_1001')
    const second = await bot.ask('person link ada@example.com --customer cus_1002')
    expect(textOfView(second.preview)).toContain('linked to another customer already')
    await bot.settle(second)
    const shown = await show('person get ada@example.com')
    expect(shown).toMatch(/Links disagree: more than one customer, customer cus_1001 .*and customer cus_1002/)
    expect(shown).not.toContain('pay_1001')
    await bot.run('person unlink ada@example.com --customer cus_1002')
    expect(await show('person get ada@example.com')).toContain('pay_1001')
  })
  test('does not make one of two people who share a number', async () => {
    const second = bot.sandbox.state.chat.contacts[1] as { mobile: string; _id: string }
    second.mobile = '15550110000'
    const shown = await show('person get +15550110000')
    expect(shown).toContain('2 contacts fit')
    expect(shown).toContain(`person get ${second._id}`)
    expect(await show(`person get ${adaContact}`)).toContain('Ada Lindqvist')
  })
  test('says first what is wrong, then what was paid, and then the rest', async () => {
    await bot.run('person link ada@example.com --customer cus_1001')
    const shown = await show('person get ada@example.com')
    const places = ['49 USD was charged twice', 'Billing service', 'Email service', 'Links'].map((words) =>
      shown.indexOf(words),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  test.each([1, 5, 6, 7, 100])(
    'hands over every one of %i payments, behind the newest and in the file',
    async (n) => {
      const [payment] = bot.sandbox.state.billing.transactions
      if (payment === undefined) throw new Error('no payment')
      bot.sandbox.state.billing.transactions = Array.from({ length: n }, (_, at) => ({
        ...payment,
        id: `pay_x${at}`,
        createdAt: new Date(1.7e12 + at * 3_600_000).toISOString(),
      }))
      const reply = await bot.say('person get cus_1001', 'fay')
      if (reply.kind !== 'answer') throw new Error('no answer')
      const idsIn = (words: string) => new Set(words.match(/\bpay_x\d+\b/g))
      const file = reply.view.actions?.find(({ verb }) => verb === 'file')
      const handed = await bot.press('file', file?.id ?? '', 'fay')
      const details = await bot.press('details', file?.id ?? '', 'fay')
      if (handed.kind !== 'answer' || details.kind !== 'answer') throw new Error('no file')
      const csv = String(handed.file?.content)
      expect(idsIn(csv).size).toBe(n)
      expect(csv.match(/\bpay_x\d+\b/g)?.length).toBe(n)
      expect(idsIn(textOfView(details.view)).size).toBe(n)
      expect(details.view.blocks.length).toBeGreaterThan(0)
    },
  )

  test('shows the newest of five thousand payments in two currencies, and both sums', async () => {
    const [payment] = bot.sandbox.state.billing.transactions
    if (payment === undefined) throw new Error('no payment')
    bot.sandbox.state.billing.transactions = Array.from({ length: 5_000 }, (_, n) => ({
      ...payment,
      id: `pay_x${n}`,
      amount: n + 1,
      currency_code: n % 2 === 0 ? 'USD' : 'EUR',
      createdAt: new Date(1.7e12 + n * 3_600_000).toISOString(),
    }))
    const shown = await show('person get cus_1001')
    expect(shown).toContain('the newest 5 of 5,000')
    expect(shown).toMatch(/5,000 EUR +paid +INV-501 +pay_x4999/)
    expect(shown).toContain('6,250,000 USD and 6,252,500 EUR')
  })
})

describe('person forget', () => {
  test('removes every link of the person, payments included, and says how many', async () => {
    await bot.run('person link ada@example.com --customer cus_1001')
    await show('person get ada@example.com')
    const done = await bot.run('person forget ada@example.com')
    expect(done.outcome?.message).toMatch(/^\d+ links of ada@example.com were removed\.$/)
    expect(await bot.store.links.of([{ kind: 'payment', id: 'pay_1001' }])).toEqual([])
    expect(await bot.store.links.of([{ kind: 'email', id: 'ada@example.com' }])).toEqual([])
    expect(await bot.refused('person forget ada@example.com')).toMatchObject({ code: 'nothing_to_change' })
  })
  test('is in the audit log, as every change of a link is', async () => {
    await bot.run('person link ada@example.com --customer cus_1001')
    const entries = await bot.store.audit.find({ command: 'person link', limit: 5 })
    expect(entries.map(({ kind }) => kind)).toContain('applied')
  })
})

describe('person find', () => {
  test('looks among subscribers and contacts', async () => {
    const shown = await show('person find lindqvist')
    expect(shown).toContain('ada@example.com')
    expect(shown).toContain(adaContact)
  })
  test('says which service could not be asked, and shows what the other found', async () => {
    bot.sandbox.fault({ service: 'chat', row: 'findContacts', kind: 'status', status: 503, times: 9 })
    const shown = await show('person find lindqvist')
    expect(shown).toContain('ada@example.com')
    expect(shown).toMatch(/messaging service has an error/)
  })
})

describe('a view of a person comes although a service does not answer, and says what could not be asked', () => {
  const reads = [
    ['email', 'getSubscriber'],
    ['chat', 'getContact'],
    ['chat', 'findContacts'],
    ['billing', 'findTransactions'],
    ['billing', 'findRefunds'],
  ] as const
  const troubles = [
    { kind: 'status', status: 404 },
    { kind: 'status', status: 405 },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503 },
    { kind: 'wrong_shape' },
    { kind: 'garbage' },
    { kind: 'html' },
    { kind: 'delay', ms: 1e7 },
  ] as const
  test.each(reads)('when %s %s fails in any way', async (service, row) => {
    await bot.run('person link ada@example.com --customer cus_1001')
    for (const trouble of troubles) {
      bot.sandbox.clearFaults()
      bot.sandbox.fault({ service, row, times: 50, ...trouble })
      // Long enough for those that answer.
      patienceMs.view = trouble.kind === 'delay' ? 3_000 : 1e7
      const shown = await show('person get ada@example.com')
      if (service !== 'billing') expect(shown, trouble.kind).toContain('pay_1001')
      if (service !== 'email') expect(shown, trouble.kind).toContain('subscribed')
      expect(shown).toContain('Billing service')
    }
  })
})
