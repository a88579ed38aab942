import { expect, it } from 'vitest'
import { agentSender } from '../../../adapters/mcp/requests.ts'
import type { Agent } from '../../../src/kernel/model/agent.ts'
import type { Verb } from '../../../src/lib/view/view.ts'
import { broken, createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { fromOf } from '../../harness/app.ts'
import { nextOf } from '../../storage/sample.ts'
import { buttonOf, changeOf, openHarness, refusalOf } from '../harness.ts'

/** Sam may ask, and nothing else; Lou may look at any receipt, and Kim at nothing. */
const policy = `version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: lou, name: Lou, roles: [looker] }
  - { id: kim, name: Kim, roles: [idle] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
  looker: { run: [approval receipt] }
  idle: { run: [] }
policies: [{ name: refunds, commands: [refund], require: { approvals: 1, from: [finance] } }]
`
const open = () => openHarness({ tasks: false, policy })

it('a receipt is for whoever may see the request, without any right to the command; from others it takes the right', async () => {
  const { ask, press, payment } = await open()
  const change = await ask(`refund ${payment()} 60`)
  const button = buttonOf(change)
  expect(await press('receipt', button, 'sam')).toMatchObject({ kind: 'answer', command: 'approval receipt' })
  expect(refusalOf(await press('receipt', button, 'kim')).code).toBe('may_not_run')
  expect(refusalOf(await press('receipt', button, 'lou')).code).toBe('no_such_change')
  expect(refusalOf(await press('receipt', 'nothing', 'sam')).code).toBe('no_such_change')
})

it('whoever may run nothing is shown what they asked for', async () => {
  const { ask, press, payment } = await open()
  const change = await ask(`refund ${payment()} 60`)
  const reply = await press('mine', 'mine', 'sam')
  expect(reply).toMatchObject({
    kind: 'answer',
    command: 'approval list',
    view: { title: 'What you asked for' },
  })
  expect(JSON.stringify(reply)).toContain(change.id)
  expect(JSON.stringify(await press('mine', 'mine', 'kim'))).not.toContain(change.id)
})

it('after a press in a list the message is that page of the list, as it is for whoever pressed', async () => {
  const { app, ask, payment, handle, stored, store } = await open()
  const slack = createFakeMessenger('slack')
  app.join(slack)
  const changes = []
  for (let at = 0; at < 13; at++) changes.push(await ask(`refund ${payment(10_000 + at)} 60`))
  const [first, second] = changes
  const newest = changes.at(-1)
  if (!first || !second || !newest) throw new Error('too few')
  const place = { channel: 'C1', handle: null, direct: false }
  const view = { title: 'Waiting', tone: 'plain' as const, blocks: [] }
  const list = await slack.post({ ...place, onlyFor: null }, view)
  const press = async (account: string, id: string, pressedOn: string | undefined = list) => {
    const reply = await handle({
      from: fromOf(account, 'slack'),
      place,
      pressedOn,
      intent: { kind: 'press', verb: 'approve', id },
    })
    return { reply, shown: slack.messages.get(list)?.versions ?? [] }
  }
  const one = await press('U0FAY', `${buttonOf(first)}.list1`)
  expect((await stored(first)).state).toBe('applied')
  expect(one.shown.at(-1)).toMatchObject({ kind: 'list', title: 'Waiting for a decision', footer: 'Page 1' })
  expect(JSON.stringify(one.shown.at(-1))).not.toContain(first.id)
  const two = await press('U0FAY', `${buttonOf(second)}.list2`)
  expect(two.shown.at(-1)).toMatchObject({ kind: 'list', footer: 'Page 2' })
  const refused = await press('U0SAM', `${buttonOf(newest)}.list1`)
  expect(refusalOf(refused.reply).code).toBe('own_request')
  expect(JSON.stringify(refused.shown.at(-1))).toContain(newest.id)
  expect(refused.shown).toHaveLength(4)
  slack.fail({ call: 'edit', error: broken() })
  expect(await press('U0FAY', `${buttonOf(newest)}.list1`)).toMatchObject({ reply: { kind: 'change' } })
  for (const { id } of changes) expect(await store.cards.of(id)).toEqual([])
})

it('whatever is pressed on a card, that message is kept up to date from then on; no other message becomes a card', async () => {
  const { app, ask, payment, handle, store } = await open()
  app.join(createFakeMessenger('slack'))
  const change = await ask(`refund ${payment()} 60`)
  const onCard: Verb[] = [
    ...(['approve', 'remind', 'change', 'retime', 'again'] as const),
    ...(['receipt', 'tell', 'look_up', 'show_all', 'why'] as const),
  ]
  const elsewhere: Verb[] = ['details', 'share', 'next', 'file', 'mine', 'act', 'run_it']
  for (const verb of [...onCard, ...elsewhere])
    await handle({
      from: fromOf('U0SAM', 'slack'),
      pressedOn: verb,
      intent: { kind: 'press', verb, id: buttonOf(change) },
    })
  const copies = await store.cards.of(change.id)
  expect(copies.map(({ address }) => address).toSorted()).toEqual(onCard.toSorted())
})

it('who showed an answer to whom is in the log before anybody reads it', async () => {
  const { say, handle, store } = await open()
  const shown = await say('subscriber get ada@example.com', 'fay')
  const [share] = shown.kind === 'answer' ? (shown.view.actions ?? []) : []
  if (share?.verb !== 'share') throw new Error('no Share')
  const place = { channel: 'C1', handle: null, direct: false }
  const intent = { kind: 'press', verb: 'share', id: share.id } as const
  expect(await handle({ from: fromOf('fay'), place, delivery: 'd7', intent })).toMatchObject({
    kind: 'share',
  })
  const [entry] = await store.audit.find({ who: 'fay', limit: 1 })
  expect(entry).toMatchObject({
    kind: 'shared',
    command: 'subscriber get',
    doc: { answer: share.id, line: 'subscriber get ada@example.com', channel: 'C1', delivery: 'd7' },
  })
})

it('whoever is known by the word of the machine alone may remind, and nothing that decides', async () => {
  const { ask, handle, payment, store } = await open()
  const change = await ask(`refund ${payment()} 60`)
  const press = (verb: Verb, id = buttonOf(change)) =>
    handle({
      from: { ...fromOf('sam'), operator: 'root' },
      intent: { kind: 'press', verb, id, reason: 'so' },
    })
  for (const verb of ['cancel', 'reject', 'approve', 'approve_all', 'review'] as const)
    expect(refusalOf(await press(verb)).code, verb).toBe('may_not_approve')
  expect(await press('remind')).not.toMatchObject({ refusal: { code: 'may_not_approve' } })
  await press('approve', 'nothing')
  const [entry] = await store.audit.find({ command: 'press approve', limit: 1 })
  expect(entry).toMatchObject({ kind: 'refused', changeId: null, doc: { code: 'may_not_approve' } })
})

it.each([
  ['an assistant of a person', { ...fromOf('sam'), through: 'Assistant' }],
  [
    'an agent that the file no longer lists',
    { platform: 'mcp', account: 'hal', name: 'HAL', groups: [], agent: 'hal' },
  ],
  ['an agent with an id of a person', agentSender({ id: 'fay', name: 'Fay' } as Agent)],
])('%s decides nothing, and may not even remind', async (_, from) => {
  const { ask, handle, payment } = await open()
  const change = await ask(`refund ${payment()} 60`)
  for (const verb of ['approve', 'reject', 'confirm', 'remind'] as const) {
    const reply = await handle({ from, intent: { kind: 'press', verb, id: buttonOf(change) } })
    expect(refusalOf(reply)).toMatchObject({
      code: 'may_not_approve',
      message: 'An agent asks; people decide.',
    })
  }
})

it('a look at what became of a change is not repeated within two seconds', async () => {
  const clock = { now: Date.parse('2026-11-16T10:00:00Z') }
  const { sandbox, store, press, ask, click, payment, stored } = await openHarness({
    tasks: false,
    policy,
    now: () => clock.now,
    settings: { retries: 0 },
  })
  sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
  const asked = await ask(`refund ${payment()} 60 --customer cus_1001`)
  const change = await click('approve', asked, 'fay')
  expect(change.state).toBe('unknown')
  const checked = { n: 1, at: clock.now, happened: null, message: 'Nobody knows.' }
  await store.changes.swap(nextOf(await stored(change), { checked }))
  const looksAfter = async (ms: number) => {
    const before = sandbox.wire.length
    clock.now += ms
    expect(changeOf(await press('look_up', buttonOf(change), 'sam')).id).toBe(change.id)
    return sandbox.wire.length - before
  }
  expect(await looksAfter(1_999)).toBe(0)
  expect(await looksAfter(1)).toBeGreaterThan(0)
})
