import { describe, expect, test, vi } from 'vitest'
import { auditFor } from '../../adapters/console/panel.ts'
import { actorOf } from '../../src/kernel/actors/authorization.ts'
import { readContext } from '../../src/kernel/context/command-context.ts'
import type { Preview } from '../../src/kernel/messenger/definition.ts'
import { until } from '../harness/until.ts'
import { createApiClient, openEventStream, viewIn } from './api-client.ts'
import { openConsoleHarness } from './harness.ts'

const opened = await openConsoleHarness()
const client = createApiClient(opened)
const items = async (typed: string, as = 'p-support') => {
  const { body } = await client.get('complete', { typed, as })
  return (body.items as { text: string }[]).map(({ text }) => text)
}

describe('completion', () => {
  test.each([
    ['ref', ['refund ', 'transaction refunds ']],
    ['/refu', ['refund ', 'transaction refunds ']],
    ['subscriber f', ['subscriber fields', 'subscriber find ']],
    ['Campaign S', ['campaign send ', 'campaign send-list ']],
    ['stats', ['subscriber stats']],
    ['', []],
    ['   ', []],
    ['nonsense', []],
    ['refund pay_1001 120 --re', ['--refund-type ']],
    ['refund pay_1001 120 --refund-type ', ['refund ', 'refund_credit ', 'record_refund ']],
    ['refund pay_1001 120 --refund-type=refund ', ['--customer ', '--description ', '--at ', '--also ']],
    ['refund pay_1001 20 USD ', ['--customer ', '--refund-type ', '--description ', '--at ', '--also ']],
    ['refund pay_1001 ', []],
    ['refund pay_1001 120 --description "not ', []],
    ['subscriber find --status subscribed --status', []],
  ])('after %j comes %j', async (typed, expected) => {
    expect(await items(typed)).toEqual(expected)
  })

  test('offers live values where a parameter has them', async () => {
    const found = await items('campaign send ')
    expect(found.length).toBeGreaterThan(2)
    const campaign = found[0]?.trim() ?? ''
    expect(await items(`campaign send ${campaign.slice(0, -1)}`)).toContain(`${campaign} `)
  })

  test('says how the command is used and what is being typed', async () => {
    const { body } = await client.get('complete', { typed: 'refund pay_1001 ', as: 'p-support' })
    expect(body.usage).toMatch(/^refund <payment-id> \[amount\]/)
    expect(body.about).toMatch(/^amount: .*\(optional\)$/)
  })

  test('offers nothing that the persona may not run', async () => {
    expect(await items('audit')).toEqual([])
    expect(await items('audit', 'p-finance')).toContain('audit verify ')
    expect((await client.get('complete', { typed: 'audit find ', as: 'p-support' })).body.usage).toBeNull()
  })
})

const wordsIn = (seen: unknown): string => JSON.stringify((seen as Preview).drawing)

describe('the side panel', () => {
  test('lists the commands that the persona may run, by noun, with examples', async () => {
    const nouns = async (as: string) =>
      (await client.get('commands', { as })).body as unknown as {
        noun: string
        commands: { name: string; examples: string[] }[]
      }[]
    const support = await nouns('p-support')
    const finance = await nouns('p-finance')
    expect(support.map(({ noun }) => noun)).not.toContain('audit')
    expect(finance.map(({ noun }) => noun)).toContain('audit')
    expect(finance.flatMap(({ commands }) => commands)).toHaveLength(opened.registry.all.length)
    expect(support.flatMap(({ commands }) => commands).every(({ examples }) => examples.length > 0)).toBe(
      true,
    )
  })

  test('shows what waits, whose turn it is, and takes people to the card', async () => {
    await client.say('refund pay_1001 120 --customer cus_1001')
    const waiting = async (as: string) =>
      (await client.get('changes', { as })).body as unknown as {
        id: string
        isForYou: boolean
        title: string
      }[]
    const [forFay] = await waiting('p-finance')
    expect(forFay).toMatchObject({ title: expect.stringContaining('120 USD to'), isForYou: true })
    expect(await waiting('p-support')).toMatchObject([{ isForYou: false }])
    await opened.app.drain()
    const { body } = await client.post('show', { as: 'p-finance', id: forFay?.id })
    const fay = await openEventStream(opened, 'p-finance')
    const card = await fay.comes(() => fay.messages().find(({ id }) => id === body.message))
    expect(viewIn(card).title).toContain('120 USD to')
    await fay.close()
  })

  test('a small refund waits for its requester, and nobody else is shown it', async () => {
    await client.say('refund pay_1002 9 --customer cus_1001')
    const found = async (as: string) => JSON.stringify((await client.get('changes', { as })).body)
    expect(await found('p-support')).toContain('Refund 9 USD to')
    expect(await found('p-finance')).not.toContain('Refund 9 USD to')
    const [mine] = await opened.store.changes.list({ states: ['pending'], limit: 1 })
    expect((await client.post('show', { as: 'p-finance', id: mine?.id })).status).toBe(404)
  })

  test('a request from another messenger can be opened here, and its card stays fresh', async () => {
    const reply = await opened.say('refund pay_1003 150 --customer cus_1002')
    const id = reply.kind === 'change' ? reply.change.id : ''
    const fay = await openEventStream(opened, 'p-finance')
    await client.post('show', { as: 'p-finance', id })
    await client.post('show', { as: 'p-finance', id })
    const card = await fay.view(({ title }) => title.includes('150 USD to'))
    await client.press(viewIn(card).actions[0] ?? { verb: '', id: '' }, 'p-finance')
    const settled = await fay.view(({ title, tone }) => title.includes('150 USD to') && tone === 'good')
    expect(settled.id).toBe(card.id)
    await fay.close()
  })

  test('the audit log is for those who may read it, with its chain checked', async () => {
    expect((await client.get('audit', { as: 'p-support', check: 'yes' })).body).toEqual({ audit: null })
    const { audit } = (await client.get('audit', { as: 'p-finance', check: 'yes' })).body as {
      audit: { verdict: { ok: boolean; sentence: string }; entries: { seq: number | null }[] }
    }
    expect(audit.verdict).toMatchObject({
      ok: true,
      sentence: expect.stringMatching(/^Verified: \d+ entries, none changed, none missing\.$/),
    })
    // The newest may still wait for its number.
    const numbers = audit.entries.flatMap(({ seq }) => seq ?? [])
    expect(numbers).toEqual(numbers.map((_, at) => numbers.length - at))
    expect(numbers.length).toBeGreaterThan(0)
    const unchecked = (await client.get('audit', { as: 'p-finance' })).body as { audit: { verdict: null } }
    expect(unchecked.audit.verdict).toBeNull()
  })

  test('a chain that somebody tampered with is named, with the first bad entry', async () => {
    const { core } = opened.app
    // Every entry gets its number.
    await opened.app.drain()
    const { auditTree } = core.store
    const rowsAfter: typeof auditTree.rowsAfter = async (...page) =>
      (await auditTree.rowsAfter(...page)).map((row, at) => (at === 2 ? { ...row, who: 'p-nobody' } : row))
    const tampered = { ...core, store: { ...core.store, auditTree: { ...auditTree, rowsAfter } } }
    const fay = actorOf(core.policy, { platform: 'console', account: 'p-finance', name: '', groups: [] })
    const found = await auditFor(readContext(tampered, fay), true)
    expect(found?.verdict).toMatchObject({
      ok: false,
      sentence: 'Entry 3 of the audit log is not as it was written.',
    })
  })

  test('any message can be seen as the other messengers would be sent it, by those who see the message', async () => {
    const sam = await openEventStream(opened, 'p-support')
    await client.say('bellhop whoami')
    const answer = await sam.view(({ title }) => title.includes('Sam Support'))
    const { body } = await client.get('as-seen', { as: 'p-support', message: answer.id })
    const { title } = viewIn(answer)
    const header = { type: 'header', text: { type: 'plain_text', text: title, emoji: false } }
    expect(body.Slack).toMatchObject({ json: { blocks: expect.arrayContaining([header]) } })
    expect(body.Discord).toMatchObject({ json: { flags: 32768, components: [{ type: 17 }] } })
    expect(wordsIn(body.Slack)).toContain(title)
    expect(wordsIn(body.Discord)).toContain(title)
    expect((await client.get('as-seen', { as: 'p-finance', message: answer.id })).status).toBe(404)
    await sam.close()
  })
})

test('of each kind that one person reads two are worked on at once, and nobody else waits for the rest', async () => {
  const { changes } = opened.store
  const held = Promise.withResolvers<void>()
  const { list } = changes
  const begun = vi.spyOn(changes, 'list').mockImplementation(async (...asked) => {
    await held.promise
    return list(...asked)
  })
  const read = (as: string) => client.get('changes', { as })
  const flood = Array.from({ length: 70 }, () => read('p-support'))
  const refused: string[] = []
  for (const one of flood)
    void one.then(({ status, body }) => status === 429 && refused.push(String(body.message)))
  await until(() => expect(refused).toHaveLength(8))
  expect(begun).toHaveBeenCalledTimes(2)
  expect(await items('/refu'), 'what they read of another kind').toContain('refund ')
  const other = read('p-finance')
  await until(() => expect(begun).toHaveBeenCalledTimes(3))
  held.resolve()
  expect((await other).status).toBe(200)
  const answers = await Promise.all(flood)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(62)
  expect(new Set(refused)).toEqual(new Set(['Too much is being read for you already. Wait a moment.']))
  expect((await read('p-support')).status).toBe(200)
  begun.mockRestore()
})
