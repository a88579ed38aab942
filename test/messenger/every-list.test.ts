import { beforeAll, describe, expect, it, test } from 'vitest'
import { toViewJson } from '../../adapters/console/message-json.ts'
import { renderMessage } from '../../adapters/discord/render/render.ts'
import { isWholeInSlack, renderSlack } from '../../adapters/slack/render/message.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Party } from '../../src/kernel/model/change.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { View } from '../../src/lib/view/view.ts'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { changeIn } from '../approvals/sample.ts'
import { fromOf, openTestApp, policyOf, type TestApp } from '../harness/app.ts'
import { addRow, addSchedule } from '../storage/rows.ts'

const policy = `version: 1
people:
  - { id: ann, name: Ann, slack: U0ANN, discord: "400000000000000009", roles: [all] }
  - { id: sam, name: Sam, roles: [all] }
roles:
  all: { run: ["*"], approve: ["*"] }
`
const ann: Party = { person: 'ann', name: 'Ann', platform: 'slack', account: 'U0ANN', roles: ['all'] }

/** What each messenger shows of a view, and whether that is all of it. */
const messengers = {
  slack: {
    account: 'U0ANN',
    isWhole: (view: View) => isWholeInSlack(view, new Set()),
    // One text may come in several pieces, which are read without a seam.
    text: (view: View) =>
      JSON.stringify(renderSlack(view).blocks).replaceAll('"},{"type":"text","text":"', ''),
  },
  discord: {
    account: '400000000000000009',
    isWhole: (view: View) => renderMessage(view).isWhole,
    text: (view: View) => JSON.stringify(renderMessage(view).body),
  },
  console: { account: 'ann', isWhole: undefined, text: (view: View) => JSON.stringify(toViewJson(view)) },
  terminal: { account: 'ann', isWhole: undefined, text: (view: View) => textOfView(view) },
}
type Name = keyof typeof messengers

/** Each messenger with a bot of its own: what is stored for one stays. */
let bot: TestApp
const openFor = async (platform: Name) => {
  const { isWhole } = messengers[platform]
  bot = await openTestApp({ policy, tasks: false })
  if (isWhole !== undefined) bot.app.join({ ...createFakeMessenger(platform), isWhole })
  made.clear()
}

const rowName = (at: number) => `Row-${at}-end`
const day = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString()

/** As many as there are to be, each like the first one that is there. */
const fill = <T extends object>(
  state: Record<string, unknown>,
  key: string,
  count: number,
  over: (at: number) => Partial<T>,
) => {
  const seeded = seeds.get(key) ?? ((state[key] as T[])[0] as T)
  seeds.set(key, seeded)
  state[key] = Array.from({ length: count }, (_, at) => ({ ...seeded, ...over(at) }))
}
const seeds = new Map<string, object>()
const inService =
  (service: 'email' | 'chat' | 'billing', key: string, over: (at: number) => object) =>
  ({ sandbox }: { sandbox: Sandbox }, count: number) =>
    fill(sandbox.state[service] as unknown as Record<string, unknown>, key, count, over)

type Listing = { line: string; fill(bot: TestApp, count: number): unknown; most?: number; pages?: boolean }

/** Every command that lists something, with what it lists; the counts that it is tried with end where it says. */
const listings: Listing[] = [
  {
    line: 'subscriber find',
    fill: inService('email', 'subscribers', (at) => ({
      ...{ _id: `${at}`.padStart(24, '0'), email: `${rowName(at)}@example.com` },
    })),
    pages: true,
  },
  {
    line: 'campaign find',
    fill: ({ sandbox }, count) => {
      const { campaigns } = sandbox.state.email
      const seeded = (seeds.get('campaigns') ?? campaigns[0]) as (typeof campaigns)[number]
      const details = (at: number) => ({ ...seeded.campaignDetails, campaignName: rowName(at) })
      fill(sandbox.state.email as unknown as Record<string, unknown>, 'campaigns', count, (at) => ({
        ...{ _id: `${at}`.padStart(24, '0'), campaignDetails: details(at) },
      }))
    },
    pages: true,
  },
  {
    line: 'list segments',
    fill: inService('email', 'segments', (at) => ({ id: `seg_${at}`, name: rowName(at) })),
  },
  {
    line: 'subscriber fields',
    fill: inService('email', 'customFields', (at) => ({ id: `f_${at}`, name: rowName(at) })),
  },
  {
    line: 'contact lists',
    fill: inService('chat', 'lists', (at) => ({ _id: `l_${at}`, name: rowName(at) })),
  },
  {
    line: 'transaction refunds cus_1001',
    fill: inService('billing', 'refunds', (at) => ({ description: rowName(at), customer_id: 'cus_1001' })),
    pages: true,
  },
  {
    line: 'license codes prod_desk lic_501',
    fill: ({ sandbox: { state } }, count) => {
      const [license] = state.billing.licenses
      const codes = Array.from({ length: count }, (_, at) => ({ code: rowName(at), is_used: 'no' as const }))
      if (license !== undefined)
        state.billing.licenses = [
          { ...license, id: 'lic_501', product_id: 'prod_desk', license_codes: codes },
        ]
    },
    pages: true,
  },
  {
    line: 'job list',
    fill: async ({ store }, count) => {
      await filled(count, 'job', async (at) => {
        await store.changes.insert({ ...changeOf('voided', 1_000_000 + at) })
        await addRow(store, 'bulk_jobs', {
          ...{ id: `j${at}`, change_id: changeOf('voided', 1_000_000 + at).id, state: 'paused', total: 1 },
          ...{ chunks: 1, digest: '', upto: 0, since: 0, since_done: 0, shown_at: 0 },
          ...{ created_at: at, updated_at: at },
        })
      })
    },
    most: 100,
  },
  {
    line: 'webhook list',
    fill: async ({ store }, count) => {
      await filled(count, 'hook', (at) =>
        addRow(store, 'webhook_events', {
          ...{ hook: rowName(at), change_id: `w${at}`, n: 1, type: 'applied', at, body: '', attempts: 0 },
          ...{ due_at: 9e12, error: null, is_dead: 0 },
        }),
      )
    },
    most: 100,
  },
  {
    line: 'policy history',
    fill: async ({ store }, count) => {
      await filled(count, 'policy', async (at) => {
        await store.policies.keep(`d${at}`, 'version: 1', at)
        await store.policies.add({
          ...{ n: at + 1, digest: `d${at}`, at, who: 'ann', name: rowName(at), source: 'bellhop.yml' },
        })
      })
    },
    pages: true,
    most: 100,
  },
  {
    line: 'bellhop sessions',
    fill: async ({ store }, count) => {
      await filled(count, 'session', (at) =>
        addRow(store, 'sign_ins', {
          ...{ id: rowName(at), digest: `s${at}`, kind: 'session', person: 'ann', via: 'slack' },
          ...{ at, ends_at: 9e15 },
        }),
      )
    },
    most: 100,
  },
  {
    line: 'bellhop passkeys',
    fill: async ({ store }, count) => {
      await filled(count, 'key', (at) =>
        addRow(store, 'passkeys', {
          ...{ id: `k${at}`, person: 'ann', name: rowName(at), public_key: 'p', counter: 0, is_copied: 0 },
          ...{ made_at: 0, change_id: 'c', approved_by: 'sam', enrolled_at: at },
        }),
      )
    },
    most: 100,
  },
  { line: 'list find', fill: inService('email', 'lists', (at) => ({ id: `lst_${at}`, name: rowName(at) })) },
  {
    line: 'contact find',
    fill: inService('chat', 'contacts', (at) => ({ _id: `${at}`.padStart(24, '0'), name: rowName(at) })),
    pages: true,
  },
  {
    line: 'multiplan find',
    fill: inService('billing', 'multiplans', (at) => ({
      id: `mp_${at}`,
      page_title: rowName(at),
      plans: [],
    })),
    pages: true,
  },
  {
    line: 'addon find prod_desk',
    fill: inService('billing', 'addons', (at) => ({ id: `addon_${at}`, name: rowName(at) })),
    pages: true,
  },
  {
    line: 'license find prod_desk',
    fill: inService('billing', 'licenses', (at) => ({ id: `lic_${at}`, name: rowName(at) })),
    pages: true,
  },
  {
    line: 'transaction find cus_1001',
    fill: inService('billing', 'transactions', (at) => ({
      ...{ id: `pay_${at}`, invoice_id: rowName(at), createdAt: day(at) },
    })),
    pages: true,
  },
  {
    line: 'approval list --state rejected',
    fill: async ({ store }, count) => {
      await filled(count, 'rejected', (at) => store.changes.insert(changeOf('rejected', at)))
    },
    pages: true,
    // long-lists.test.ts has 5,000 that wait.
    most: 100,
  },
  {
    line: 'schedule find',
    fill: async ({ store }, count) => {
      await filled(count, 'schedule', (at) =>
        addSchedule(store, { id: `s${at}`, by: ann, line: rowName(at) }),
      )
    },
    most: 100,
  },
  {
    line: 'away list',
    fill: async ({ store }, count) => {
      await filled(count, 'away', (at) =>
        store.absences.set({
          by: { ...ann, person: `p${at}`, name: rowName(at) },
          to: null,
          at: 0,
          endsAt: Date.now() + 9e8 + at,
        }),
      )
    },
    most: 100,
  },
  {
    // Whoever stands in for somebody has a right for a while.
    line: 'grant list',
    fill: async ({ store }, count) => {
      await filled(count, 'standing in', (at) =>
        store.absences.set({
          by: { ...ann, person: `q${at}`, name: rowName(at) },
          to: 'sam',
          at: 0,
          endsAt: Date.now() + 9e8 + at,
        }),
      )
    },
    most: 100,
  },
  {
    line: 'audit find --command "row *"',
    fill: async ({ store }, count) => {
      await filled(count, 'audit', (at) =>
        store.audit.append({
          ...{ kind: 'asked', who: 'ann', name: 'Ann', platform: 'slack', changeId: null },
          ...{ command: 'row make', doc: { line: rowName(at) } },
        }),
      )
    },
    pages: true,
    most: 100,
  },
]

/** What shows one thing, or figures, or points to a command that lists: no list of its own. */
const showsNoList =
  /(?:^report .*| get| show| explain| receipt| patch| stats| status| verify| pack| export| console| help| whoami|^person find)$/

it('every look-up that lists something is tried here', async () => {
  await openFor('terminal')
  const tried = new Set(listings.map(({ line }) => line))
  const untried = bot.registry.all.flatMap(({ kind, name }) =>
    kind !== 'query' || showsNoList.test(name) || [...tried].some((line) => `${line} `.startsWith(`${name} `))
      ? []
      : name,
  )
  expect(untried).toEqual([])
})

const previewOf = (at: number) => ({ title: rowName(at), tone: 'warn' as const, blocks: [] })

const made = new Map<string, number>()
/** Of what is stored, only more is made. */
const filled = async (count: number, key: string, make: (at: number) => Promise<unknown>) => {
  for (let at = made.get(key) ?? 0; at < count; at++) await make(at)
  made.set(key, Math.max(count, made.get(key) ?? 0))
}
const changeOf = (state: 'rejected' | 'voided', at: number) =>
  changeIn(state, {
    id: `c${String(at).padStart(8, '0')}`,
    requester: ann,
    preview: previewOf(at % 1_000_000),
    updatedAt: Date.now() - at,
  })

const viewOf = (reply: Reply, about: string): View => {
  if (reply.kind !== 'answer') throw new Error(`${about}: ${JSON.stringify(reply).slice(0, 300)}`)
  return reply.view
}
const rowsIn = (name: Name, view: View): string[] => [
  ...new Set(
    (
      messengers[name]
        .text({ ...view, menu: undefined, marks: undefined, actions: [] })
        .match(/Row-\d+-end/gi) ?? []
    ).map((one) => one.toLowerCase()),
  ),
]

/** Every row from a line on, as far as Next leads. */
const followed = async (name: Name, line: string, maxPresses: number) => {
  const from = fromOf(messengers[name].account, name)
  let view = viewOf(await bot.handle({ from, intent: { kind: 'line', line } }), line)
  const rows = rowsIn(name, view)
  let presses = 0
  for (; presses < maxPresses; presses++) {
    const next = view.actions?.find(({ verb }) => verb === 'next')
    if (next === undefined) break
    view = viewOf(
      await bot.handle({ from, intent: { kind: 'press', verb: 'next', id: next.id } }),
      `${line} ${presses}`,
    )
    expect(messengers[name].text(view)).not.toMatch(/more (?:row|part|line|fact|request|section)s? left out/)
    rows.push(...rowsIn(name, view))
  }
  return { rows, isEnd: view.actions?.every(({ verb }) => verb !== 'next') ?? true }
}

describe.each(Object.keys(messengers) as Name[])('in %s', (name) => {
  beforeAll(() => openFor(name))

  test.each(listings)(
    '$line shows each of 0, 1, 7 and 100 once, to its end',
    async ({ line, fill: make }) => {
      for (const count of [0, 1, 7, 100]) {
        await make(bot, count)
        const { rows, isEnd } = await followed(name, line, 60)
        const expected = Array.from({ length: count }, (_, at) => rowName(at).toLowerCase())
        expect([count, isEnd, rows.toSorted()]).toEqual([count, true, expected.toSorted()])
      }
    },
  )

  const hasParts = messengers[name].isWhole !== undefined
  test.each(listings.filter(({ pages, most }) => hasParts && pages && most === undefined))(
    '$line has the last of 5,000 in reach',
    async ({ line, fill: make }) => {
      await make(bot, 5_000)
      const size = (await followed('terminal', line, 0)).rows.length
      expect(size).toBeGreaterThan(0)
      const { rows, isEnd } = await followed(name, `${line} --page ${Math.ceil(5_000 / size)}`, 60)
      expect([isEnd, rows.length]).toEqual([true, 5_000 % size || size])
      const past = await bot.handle({
        from: fromOf(messengers[name].account, name),
        intent: { kind: 'line', line: `${line} --page ${Math.ceil(5_000 / size) + 1}` },
      })
      expect(past.kind).toBe('answer')
    },
  )

  test.each([2, 7, 21])(
    'what is marked among %i that wait is decided on, part by part, to the last',
    async (count) => {
      const from = fromOf(messengers[name].account, name)
      const handle = async (intent: Parameters<TestApp['handle']>[0]['intent']) =>
        viewOf(await bot.handle({ from, intent }), name)
      fillPayments(bot, count)
      const ids: string[] = []
      for (let at = 0; at < count; at++) {
        const reply = await bot.say(`refund pay_${at} ${60 + at} --customer cus_1001`, 'sam')
        if (reply.kind !== 'change') throw new Error(JSON.stringify(reply))
        ids.push(reply.change.id)
      }
      const marked: string[][] = []
      let view = await handle({ kind: 'line', line: 'approval list' })
      for (;;) {
        const marks = view.marks?.map(({ id }) => id.split('.')[0] ?? '') ?? []
        const shown = messengers[name].text(view)
        if (isWholeDrawn(name)) expect(marks.filter((id) => !shown.includes(id))).toEqual([])
        marked.push(marks)
        const next = view.actions?.find(({ verb }) => verb === 'next')
        if (next === undefined) break
        view = await handle({ kind: 'press', verb: 'next', id: next.id })
      }
      // One that stands alone on its part has its own buttons.
      const alone = ids.filter((id) => !marked.flat().includes(id))
      expect(alone).toHaveLength(marked.filter((some) => some.length === 0).length)
      for (const some of marked.filter(({ length }) => length > 0)) {
        let left = some
        for (let round = 0; left.length > 0; round++) {
          expect(round).toBeLessThan(count)
          const asked = await handle({ kind: 'press', verb: 'review', id: left.join(',') })
          const button = asked.actions?.find(({ verb }) => verb === 'approve_all')?.id ?? ''
          const done = await handle({ kind: 'press', verb: 'approve_all', id: button })
          // One may be asked for again, as the ones before it changed what it was shown with.
          expect(done.title).toMatch(/^(?:Approved (\d+) of \1|[1-9]\d* votes? given.*)$/)
          const waiting = await bot.store.changes.list({ ids: left, states: ['pending'], limit: 100 })
          left = waiting.map(({ id }) => id)
        }
      }
      const after = await bot.store.changes.list({ ids, limit: 100 })
      expect(after.flatMap(({ id, state }) => (state === 'pending' ? id : [])).toSorted()).toEqual(
        alone.toSorted(),
      )
      for (const id of alone) await bot.press('cancel', id, 'sam')
    },
  )
})

test('what an endpoint answered is turned only while its reader may ask for it', async () => {
  await openFor('slack')
  const from = fromOf('U0ANN', 'slack')
  const line = 'api call billing GET /addons/prod_desk'
  const first = viewOf(await bot.handle({ from, intent: { kind: 'line', line } }), line)
  const id = first.actions?.find(({ verb }) => verb === 'share')?.id ?? ''
  const next = () => bot.handle({ from, intent: { kind: 'press', verb: 'next', id } })
  expect((await next()).kind).toBe('answer')
  bot.app.core.policy = policyOf(policy.replace('run: ["*"]', 'run: ["api call"]'), bot.registry)
  expect(await next()).toMatchObject({ kind: 'refused', refusal: { code: 'may_not_run' } })
})

const fillPayments = inService('billing', 'transactions', (at) => ({
  ...{ id: `pay_${at}`, amount: 10_000, refunded_amount: 0, status: 'paid', customer_id: 'cus_1001' },
}))
/** The terminal has no boxes: whatever is listed there is decided on by its ids. */
const isWholeDrawn = (name: Name) => name !== 'terminal'
