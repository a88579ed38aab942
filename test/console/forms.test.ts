import { describe, expect, test } from 'vitest'
import type { Form } from '../../src/kernel/messenger/form.ts'
import type { View } from '../../src/lib/view/view.ts'
import { createApiClient, openEventStream, viewIn } from './api-client.ts'
import { openConsoleHarness } from './harness.ts'

const opened = await openConsoleHarness()
const client = createApiClient(opened)

test('a line with something missing asks for a form that holds what was given', async () => {
  const { body } = await client.say('upgrade --activate now')
  expect(body.kind).toBe('form')
  const form = body.form as Form
  expect(form.command).toBe('upgrade')
  expect(form.values).toEqual({ activate: 'now' })
  expect(form.fields.filter(({ required }) => required).map(({ flag }) => flag)).toEqual([
    'subscription-id',
    'plan-id',
    'payment-mode',
  ])
})

test('a value that does not fit is told beside its field, and nothing is posted', async () => {
  const sam = await openEventStream(opened, 'p-support')
  const before = sam.messages().length
  const { body } = await client.post('form', {
    as: 'p-support',
    command: 'refund',
    values: { paymentId: 'pay_1001', amount: 'lots' },
  })
  expect(body).toMatchObject({
    kind: 'refused',
    field: 'amount',
    message: expect.stringContaining('whole number'),
  })
  expect(sam.messages()).toHaveLength(before)
  await sam.close()
})

test('a form that fits does what the line would have done', async () => {
  const sam = await openEventStream(opened, 'p-support')
  const { body } = await client.post('form', {
    as: 'p-support',
    command: 'refund',
    values: { paymentId: 'pay_1001', amount: '120', description: 'Charged "twice"' },
  })
  expect(body).toEqual({ kind: 'change' })
  const card = await sam.view(({ title }) => title.endsWith('payment pay_1001'))
  expect(JSON.stringify(viewIn(card).blocks)).toContain('Charged \\"twice\\"')
  await sam.close()
})

test('Reject asks why, and the reason is on every card', async () => {
  const fay = await openEventStream(opened, 'p-finance')
  await client.say('refund pay_1003 300 --customer cus_1002')
  const card = await fay.view(({ title }) => title.includes('300 USD to'))
  const reject = viewIn(card).actions.find(({ verb }) => verb === 'reject') ?? { verb: '', id: '' }
  const asked = await client.press(reject, 'p-finance', { message: card.id })
  expect(asked.body).toMatchObject({ kind: 'reason', verb: 'reject', label: 'Reject' })
  await client.press(reject, 'p-finance', { reason: 'Not our mistake' })
  const rejected = await fay.view(({ blocks }) =>
    JSON.stringify(blocks).includes('Rejected by Fay Finance: “Not our mistake”'),
  )
  expect(rejected.id).toBe(card.id)
  await fay.close()
})

test('a file is handed to whoever may see its message, as a download', async () => {
  const fay = await openEventStream(opened, 'p-finance')
  await client.say('audit export', 'p-finance')
  const answer = await fay.comes(() => fay.messages().find(({ file }) => file !== undefined))
  const at = (as: string) =>
    `${opened.base}/console/api/file?${new URLSearchParams({ as, message: answer.id })}`
  const response = await fetch(at('p-finance'))
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/)
  const content = await response.text()
  expect(Buffer.byteLength(content)).toBe(answer.file?.size)
  expect(JSON.parse(content.split('\n')[0] ?? '')).toMatchObject({ seq: 1 })
  expect((await fetch(at('p-support'))).status).toBe(404)
  await fay.close()
})

describe('a file', () => {
  const base64 = Buffer.from('email\nada@example.com\nrosa.yamada.1@example.com\n').toString('base64')
  const file = { name: 'people.csv', base64 }

  test('goes with a line', async () => {
    const sam = await openEventStream(opened, 'p-support')
    const { body } = await client.post('say', { as: 'p-support', line: 'campaign send cmp_welcome', file })
    expect(body).toEqual({ kind: 'change' })
    const card = await sam.view(({ actions }) => actions?.[0]?.verb === 'confirm')
    expect(viewIn(card).title).toBe('Send Welcome aboard to 2 people')
    await sam.close()
  })

  test('goes with a form', async () => {
    const values = { campaignId: 'cmp_welcome', file }
    const { body } = await client.post('form', { as: 'p-support', command: 'campaign send', values })
    expect(body).toEqual({ kind: 'change' })
  })

  test('is not sent back when the form still asks for more', async () => {
    const { body } = await client.post('say', { as: 'p-support', line: 'campaign send', file })
    expect(body.kind).toBe('form')
    expect((body.form as Form).values).toEqual({})
  })

  test('that is no text gets a sentence beside its field', async () => {
    const zip = { name: 'people.xlsx', base64: Buffer.from([0x50, 0x4b, 3, 4, 0]).toString('base64') }
    const values = { campaignId: 'cmp_welcome', file: zip }
    const { body } = await client.post('form', { as: 'p-support', command: 'campaign send', values })
    expect(body).toMatchObject({
      kind: 'refused',
      field: 'file',
      message: expect.stringContaining('people.xlsx'),
    })
  })

  test('that the bot hands over with a message can be downloaded', async () => {
    const made = { name: 'failures.csv', type: 'text/csv', content: 'email\n' }
    const view: View = { title: 'What failed', tone: 'bad', blocks: [] }
    const address = await opened.console.messenger.direct('p-support', view, made)
    const message = address.slice('console:'.length)
    const query = new URLSearchParams({ as: 'p-support', message })
    const response = await fetch(`${opened.base}/console/api/file?${query}`)
    expect(await response.text()).toBe('email\n')
  })
})
