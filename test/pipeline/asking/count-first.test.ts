import { expect, test } from 'vitest'
import { ok } from '../../../src/lib/result.ts'
import { fromOf, openTestApp, textOf } from '../../harness/app.ts'

const policyWith = (need: string) => `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
roles:
  support: { run: ["campaign *"] }
  finance: { run: ["*"], approve: ["*"] }
policies: [{ name: mail, commands: [campaign send], require: ${need} }]
bulk: { chunk: 5 }
`
const form = (values: Record<string, string>) => ({
  from: fromOf('sam'),
  forms: true,
  intent: { kind: 'form' as const, command: 'campaign send', values },
})

test.each([{ lists: 'Customers' }, { segments: 'High score' }, { tags: 'customer' }])(
  'who fills in the form reads how many %j are before anybody is asked',
  async (chosen) => {
    const { handle, press, store, app } = await openTestApp({
      policy: policyWith('{ approvals: 1, from: [finance] }'),
      tasks: false,
    })
    const reply = await handle(form({ 'campaign-id': 'Spring sale', ...chosen }))
    if (reply.kind !== 'answer') throw new Error(textOf(reply))
    const [, count = ''] = /^Send Spring sale to (\d+) people\?$/.exec(reply.view.title) ?? []
    expect(Number(count)).toBeGreaterThan(5)
    expect(reply.view.actions?.map(({ verb }) => verb)).toEqual(['run_it', 'edit'])
    expect(await store.changes.list({ limit: 5 })).toEqual([])
    const edited = await handle({
      ...form({}),
      intent: { kind: 'press', verb: 'edit', id: reply.view.actions?.[1]?.id ?? '' },
    })
    expect(edited).toMatchObject({ kind: 'form', form: { command: 'campaign send' } })
    const asked = await press('run_it', reply.view.actions?.[0]?.id ?? '', 'sam')
    if (asked.kind !== 'change') throw new Error(textOf(asked))
    expect(asked.change.preview.title).toBe(`Send Spring sale to ${count} people`)
    await app.drain()
  },
)

test('where nobody else is asked, the card itself has the number', async () => {
  const { handle } = await openTestApp({ policy: policyWith('confirm'), tasks: false })
  const reply = await handle(form({ 'campaign-id': 'Spring sale', tags: 'customer' }))
  expect(reply).toMatchObject({ kind: 'change', change: { state: 'pending' } })
})

test('who writes to a few addresses asks at once: the card names them', async () => {
  const { handle } = await openTestApp({
    policy: policyWith('{ approvals: 1, from: [finance] }'),
    tasks: false,
  })
  const reply = await handle(form({ 'campaign-id': 'Spring sale', emails: 'ada@example.com' }))
  expect(reply).toMatchObject({ kind: 'change', change: { state: 'pending' } })
})

test('who attaches a file asks at once, whatever else the form has: they have its people before them', async () => {
  const { handle } = await openTestApp({
    policy: policyWith('{ approvals: 1, from: [finance] }'),
    tasks: false,
  })
  const file = { name: 'people.csv', bytes: Buffer.from('email\nada@example.com\nnoah@example.com\n') }
  const reply = await handle({
    ...form({ 'campaign-id': 'Spring sale', subject: 'Hello' }),
    attached: { file: async () => ok(file) },
  })
  expect(reply).toMatchObject({ kind: 'change', change: { state: 'pending' } })
})
