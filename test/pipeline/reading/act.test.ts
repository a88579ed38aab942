import { beforeEach, describe, expect, it } from 'vitest'
import { candidateTable, withWords } from '../../../src/kernel/request/reading/act.ts'
import { fromOf, textOf } from '../../harness/app.ts'
import { agentOf, agentPolicy } from '../../mcp/harness.ts'
import { openHarness, refusalOf } from '../harness.ts'

const harness = await openHarness({
  tasks: false,
  policy: agentPolicy.replace('"list *"', '"list *", "campaign *"'),
})
const { sandbox, store, handle, app } = harness
beforeEach(() => sandbox.reset())
const say = (line: string, from = fromOf('sam')) => handle({ from, intent: { kind: 'line', line } })

/** Two campaigns that differ in the last word of a long name. */
const long = `${'Very '.repeat(13)}long`
const addLong = () => {
  const { campaigns } = sandbox.state.email
  const [some] = campaigns
  if (some === undefined) throw new Error('the sandbox has no campaigns')
  for (const last of ['one', 'two']) {
    const campaignDetails = { ...some.campaignDetails, campaignName: `${long} ${last}` }
    campaigns.push({ ...some, _id: `cmp_long_${last}`, campaignDetails })
  }
}
const shown = `"${long.slice(0, 60).trim()}"`

describe('a word that could mean several things', () => {
  it('is cut where it is long, for people and for agents', async () => {
    addLong()
    expect(textOf(await say(`campaign get "${long}"`))).toContain(`Which campaign is ${shown}?`)
    const values = { campaignId: 'sprng'.padEnd(100) }
    const near = await handle({
      from: fromOf('sam'),
      intent: { kind: 'form', command: 'campaign get', values },
    })
    expect('view' in near && near.view.title).toBe('No campaign is called "sprng"')
    expect(refusalOf(await say(`campaign get "${long}"`, agentOf('helper'))).message).toBe(
      `campaign-id: ${shown} does not say which one.`,
    )
  })

  it('is asked about with a menu that is the same when it is opened again', async () => {
    const reply = await say('campaign get sale')
    const menu = reply.kind === 'answer' ? reply.view.menu : undefined
    expect(menu?.items.map(({ actions }) => actions)).toEqual([['campaign get'], ['campaign get']])
    expect(await app.bot.menuOf(fromOf('sam'), menu?.id ?? '')).toEqual(menu)
  })

  it('is asked about without keeping a file that came with it', async () => {
    const file = { name: 'people.csv', bytes: Buffer.from('email\nada@example.com\n') }
    const reply = await handle({
      from: fromOf('sam'),
      intent: { kind: 'line', line: 'campaign send sale', file },
    })
    const id = reply.kind === 'answer' ? (reply.view.menu?.id ?? '') : ''
    expect(await store.answers.get(id)).toMatchObject({ doc: { input: { campaignId: 'sale' } } })
    expect(JSON.stringify(await store.answers.get(id))).not.toContain('people.csv')
  })
})

it('an agent reads which payments of a customer it could have meant, each by its id', async () => {
  const refused = refusalOf(await say('refund cus_1001', agentOf('helper')))
  expect(refused).toMatchObject({
    message: 'payment-id: "cus_1001" does not say which one.',
    next: expect.stringMatching(/^Give the id of one of these: pay_1001 \(120 USD .*\), pay_1013 \(49 USD /),
  })
})

it('an agent reads beside an id what there is to tell it by, and nothing where there is no more', async () => {
  const { lists } = sandbox.state.email
  const [some] = lists
  if (some === undefined) throw new Error('the sandbox has no lists')
  lists.push({ ...some, id: 'lst_twin' })
  expect(refusalOf(await say(`list get "${some.name}"`, agentOf('helper'))).next).toBe(
    `Give the id of one of these: ${some.id} (${some.name}), lst_twin (${some.name}).`,
  )
})

it.each([
  ['Spring sale, live', 'cmp_1 (Spring sale, live)'],
  ['cmp_1', 'cmp_1'],
  ['', 'cmp_1'],
  [undefined, 'cmp_1'],
])('an id with the words %s beside it is written %s', (words, written) => {
  expect(withWords('cmp_1', words)).toBe(written)
})

it('of what a word could mean the kinds are said only where there are several', () => {
  const columnsFor = (...kinds: ('customer' | 'payment')[]) => {
    const shown = candidateTable(
      kinds.map((kind, at) => ({ kind, id: `id_${at}`, name: 'Ada', beside: 'live' })),
    )
    return shown.kind === 'table' ? [shown.columns.map(({ label }) => label), ...shown.rows] : []
  }
  expect(columnsFor('customer', 'customer')).toEqual([
    ['Name', 'Id', 'About'],
    ['Ada', 'id_0', 'live'],
    ['Ada', 'id_1', 'live'],
  ])
  expect(columnsFor('customer', 'payment')).toEqual([
    ['Name', 'Id', 'Kind', 'About'],
    ['Ada', 'id_0', 'customer', 'live'],
    ['Ada', 'id_1', 'payment', 'live'],
  ])
})

it('a look-up that is chosen from a menu is run at once, whatever more it could be told', async () => {
  const reply = await say('list find')
  const menu = reply.kind === 'answer' ? reply.view.menu : undefined
  const chosen = (menu?.items ?? []).flatMap(({ at, actions }) =>
    actions.flatMap((name) => {
      const command = harness.registry.get(name)
      return command?.kind === 'query' && command.params.length > 1 ? `${menu?.id}.${at}.${name}` : []
    }),
  )
  expect(chosen).not.toEqual([])
  for (const id of chosen) {
    const intent = { kind: 'press', verb: 'act', id } as const
    expect((await handle({ from: fromOf('sam'), forms: true, intent })).kind, id).toBe('answer')
  }
})
