import { describe, expect, it } from 'vitest'
import { work } from '../../../src/features/replay/draft-work.ts'
import { replayRequests } from '../../../src/features/replay/replay.ts'
import type { Judged, PastRequest } from '../../../src/kernel/model/change.ts'
import { textOfView } from '../../../src/lib/view/text.ts'
import { policyOf } from '../../harness/app.ts'
import { commandsWith } from '../../harness/commands.ts'
import { sourceOf } from '../../harness/policy-source.ts'

const registry = commandsWith()
const file = `version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support], manager: fay }
  - { id: sue, name: Sue, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: refunds, commands: [refund], require: confirm }
`
const { load } = sourceOf(file, () => file, registry)
const { digest } = policyOf(file, registry)
const base = 1_000_000
const [minute, hour] = [60_000, 3_600_000]
const sam = { person: 'sam', name: 'Sam', platform: 'terminal', account: 'sam', roles: ['support'] }
const past = (over: Partial<PastRequest> = {}, judged: Partial<Judged> = {}): PastRequest => ({
  id: 'r',
  state: 'applied',
  command: 'refund',
  names: ['refund'],
  input: {},
  area: 'billing',
  line: 'refund pay_1 20',
  intent: 'one',
  amount: 20,
  currency: null,
  requester: sam,
  votes: [],
  createdAt: base,
  updatedAt: base,
  steps: [{ at: base, state: 'applied' }],
  judged: {
    policy: digest,
    rule: 'refunds',
    clauses: [{ kind: 'confirm' }],
    expiresInMs: 24 * hour,
    terms: {},
    groups: { known: [], in: [] },
    spent: [],
    same: null,
    had: { reason: false, evidence: false },
    ...judged,
  },
  ...over,
})
const asked: number[] = []
const replayed = async (
  text: string,
  requests: PastRequest[],
  stored: Record<string, string> = { [digest]: file },
) => {
  const store = {
    changes: {
      past: async function* (since: number) {
        asked.push(since)
        for (const one of requests) yield [one]
      },
    },
    policies: { text: async (of: string) => stored[of] },
  }
  return replayRequests({ store, registry, load }, policyOf(text, registry), { since: base })
}
const verdicts = async (...given: Parameters<typeof replayed>) =>
  (await replayed(...given)).items.map(({ id, verdict, reason, parts }) =>
    [id, verdict, reason ?? parts.map(({ kind }) => kind).join()].join(': '),
  )
const withBudget = (limit: number, more = '') =>
  `${file}budgets:\n  - { name: all, commands: [refund, upgrade], per: requester, window: 1h, limit: ${limit}, then: { approvals: 1, from: [finance] }${more} }\n`
const measure = {
  name: 'other',
  commands: ['upgrade', 'refund'],
  per: 'requester',
  windowMs: hour,
  sum: 0,
} as const
const stricter = 'r: stricter: an approval instead of a confirmation'

describe('what is not on record is not guessed', () => {
  it.each<[string, string, PastRequest, string]>([
    [
      'what judged it',
      file,
      past({ judged: undefined }),
      'It was asked before what a replay needs was recorded.',
    ],
    [
      'the version of then',
      file,
      past({}, { policy: '0123456789abcdef' }),
      'The version 0123456789ab that judged it is not on record, or cannot be read any more.',
    ],
    [
      'a version that cannot be read',
      file,
      past({}, { policy: 'broken' }),
      'The version broken that judged it is not on record, or cannot be read any more.',
    ],
    [
      'one group',
      `${file}groups: { slack: { S0A: [finance] } }\n`,
      past({ requester: { ...sam, platform: 'slack', account: 'U0SAM' } }),
      'Nobody had asked whether Sam was in S0A.',
    ],
    [
      'two groups',
      `${file}groups: { slack: { S0A: [finance], S0B: [finance] } }\n`,
      past({ requester: { ...sam, platform: 'slack', account: 'U0SAM' } }),
      'Nobody had asked whether Sam was in S0A or S0B.',
    ],
    [
      'the reason',
      file.replace('require: confirm', 'require: confirm, reason: required'),
      past({}, { had: undefined }),
      'Whether it came with a reason is not on record.',
    ],
    [
      'both demands',
      file.replace('require: confirm', 'require: confirm, reason: required, evidence: required'),
      past({}, { had: undefined }),
      'Whether it came with a reason is not on record. Whether it came with evidence is not on record.',
    ],
    [
      'a budget',
      withBudget(100),
      past({ steps: undefined }),
      'What the budget "all" held then is not on record.',
    ],
    [
      'a repetition',
      `${file}duplicates: { window: 30m }\n`,
      past({ steps: undefined }),
      'Whether the same was asked shortly before is not on record.',
    ],
  ])('%s', async (_, text, request, reason) => {
    expect(await verdicts(text, [request], { [digest]: file, broken: 'version: what' })).toEqual([
      `r: not_replayable: ${reason}`,
    ])
  })
})

it.each<[string, string, PastRequest[], string[]]>([
  [
    'a group that was asked about',
    `${file}groups: { slack: { S0A: [finance] } }\n`,
    [
      past(
        { requester: { ...sam, platform: 'slack', account: 'U0SAM' } },
        { groups: { known: ['S0A'], in: [] } },
      ),
    ],
    ['r: same: '],
  ],
  [
    'somebody of another workspace, whom no group of this one holds',
    `${file}groups: { slack: { S0A: [finance] } }\n`,
    [past({ requester: { ...sam, platform: 'slack', account: 'U0SAM', workspace: 'T9' } })],
    ['r: stricter: may no longer ask'],
  ],
  [
    'a demand that was met',
    file.replace('require: confirm', 'require: confirm, reason: required'),
    [past({}, { had: { reason: true, evidence: false } })],
    ['r: same: '],
  ],
  [
    'a demand that was not met',
    file.replace('require: confirm', 'require: confirm, reason: required'),
    [past()],
    ['r: stricter: reason'],
  ],
  [
    'a demand of then',
    file.replace('require: confirm', 'require: confirm, reason: required'),
    [past({}, { had: undefined, terms: { reason: 'required' } })],
    ['r: same: '],
  ],
  [
    'a demand that was not met, beside one that was',
    file.replace('require: confirm', 'require: confirm, reason: required, evidence: required'),
    [past({}, { had: { reason: true, evidence: false } })],
    ['r: stricter: evidence'],
  ],
  [
    'a demand that was met, and is none any more',
    file,
    [past({}, { had: { reason: true, evidence: true }, terms: { reason: 'required' } })],
    ['r: looser: reason'],
  ],
  [
    'a sum that was counted',
    withBudget(100),
    [past({}, { spent: [{ ...measure, sum: 81 } as never] })],
    [stricter],
  ],
  [
    'a sum that was counted, whatever the order of its commands',
    withBudget(100).replace('[refund, upgrade]', '[upgrade, refund]'),
    [past({}, { spent: [{ ...measure, commands: ['refund', 'upgrade'], sum: 81 } as never] })],
    [stricter],
  ],
  [
    'a sum that was counted, and is just enough',
    withBudget(100),
    [past({}, { spent: [{ ...measure, sum: 80 } as never] })],
    ['r: same: '],
  ],
  [
    'a sum over another window',
    withBudget(100),
    [past({}, { spent: [{ ...measure, windowMs: hour + 1, sum: 99 } as never] })],
    ['r: same: '],
  ],
  [
    'a sum for everybody',
    withBudget(100),
    [past({}, { spent: [{ ...measure, per: 'everyone', sum: 99 } as never] })],
    ['r: same: '],
  ],
  [
    'a sum of other commands',
    withBudget(100),
    [past({}, { spent: [{ ...measure, commands: ['refund'], sum: 99 } as never] })],
    ['r: same: '],
  ],
  [
    'what was spent before',
    withBudget(100),
    [
      past({
        id: 'before',
        createdAt: base - hour,
        amount: 81,
        steps: [{ at: base - hour, state: 'applied' }],
      }),
      past(),
    ],
    [stricter],
  ],
  [
    'what was spent too long before',
    withBudget(100),
    [
      past({
        id: 'before',
        createdAt: base - hour - 1,
        amount: 81,
        steps: [{ at: base - hour - 1, state: 'applied' }],
      }),
      past(),
    ],
    ['r: same: '],
  ],
  [
    'what somebody else spent',
    withBudget(100),
    [
      past({
        id: 'before',
        createdAt: base - 1,
        amount: 81,
        requester: { ...sam, person: 'sue', account: 'sue' },
        steps: [{ at: base - 1, state: 'applied' }],
      }),
      past(),
    ],
    ['r: same: '],
  ],
  [
    'what was spent on something else',
    withBudget(100),
    [
      past({
        id: 'before',
        createdAt: base - 1,
        amount: 81,
        names: ['api call'],
        steps: [{ at: base - 1, state: 'applied' }],
      }),
      past(),
    ],
    ['r: same: '],
  ],
  ['an amount of the plan of then', withBudget(100), [past({ amount: 101 }, { amount: 20 })], ['r: same: ']],
  ['no amount in the plan of then', withBudget(100), [past({}, { amount: null })], [stricter]],
  [
    'the same, as it was counted',
    `${file}duplicates: { window: 30m }\n`,
    [past({}, { same: { windowMs: 30 * minute, count: 1 } })],
    [stricter],
  ],
  [
    'the same, not counted',
    `${file}duplicates: { window: 30m }\n`,
    [past({}, { same: { windowMs: 30 * minute, count: 0 } })],
    ['r: same: '],
  ],
  [
    'the same of what may be asked for twice',
    `${file}duplicates: { window: 30m }\n`.replace('run: [refund]', 'run: [refund, freeze]'),
    [
      past(
        { command: 'freeze', names: ['freeze'], area: 'bellhop' },
        { same: { windowMs: 30 * minute, count: 1 } },
      ),
    ],
    ['r: same: '],
  ],
  [
    'the same, over another window',
    `${file}duplicates: { window: 30m }\n`,
    [past({}, { same: { windowMs: minute, count: 1 } })],
    ['r: same: '],
  ],
  [
    'the same before',
    `${file}duplicates: { window: 30m }\n`,
    [
      past({
        id: 'before',
        createdAt: base - 30 * minute,
        steps: [{ at: base - 30 * minute, state: 'pending' }],
      }),
      past(),
    ],
    [stricter],
  ],
  [
    'another before',
    `${file}duplicates: { window: 30m }\n`,
    [
      past({ id: 'before', intent: 'two', createdAt: base - 1, steps: [{ at: base - 1, state: 'pending' }] }),
      past(),
    ],
    ['r: same: '],
  ],
  [
    'the same a second time, after the first',
    `${file}duplicates: { window: 30m }\n`,
    [
      past({ id: 'first' }, { same: { windowMs: 30 * minute, count: 0 } }),
      past({ id: 'again' }, { same: { windowMs: 30 * minute, count: 1 } }),
    ],
    ['first: same: ', 'again: stricter: an approval instead of a confirmation'],
  ],
  [
    'no right to ask',
    file.replace('run: [refund]', 'run: ["list *"]'),
    [past()],
    ['r: stricter: may no longer ask'],
  ],
  [
    'a manager',
    file.replace('require: confirm', 'require: { approvals: 1, from: [manager] }'),
    [past()],
    [stricter],
  ],
  [
    'a manager who is missing',
    file.replace('require: confirm', 'require: { approvals: 1, from: [manager] }'),
    [past({ requester: { ...sam, person: 'sue', account: 'sue' } })],
    ['r: stricter: no manager,an approval instead of a confirmation'],
  ],
  [
    'one who has a manager, and one who has none',
    file.replace('require: confirm', 'require: { approvals: 1, from: [manager] }'),
    [past({ id: 'with' }), past({ id: 'without', requester: { ...sam, person: 'sue', account: 'sue' } })],
    [
      'with: stricter: an approval instead of a confirmation',
      'without: stricter: no manager,an approval instead of a confirmation',
    ],
  ],
  [
    'a manager who is of the workspace where it was asked, and not of the first',
    `${file
      .replace('slack: U0SAM,', 'slack: [U0SAM, T2/U0SAM],')
      .replace('id: fay, name: Fay,', 'id: fay, name: Fay, slack: T2/U0FAY,')
      .replace(
        'require: confirm',
        'require: { approvals: 1, from: [manager] }',
      )}workspaces: { slack: [T2] }\n`,
    [past({ id: 'there', requester: { ...sam, space: 'slack:T2' } }), past({ id: 'here' })],
    [
      'there: stricter: an approval instead of a confirmation',
      'here: stricter: no manager,an approval instead of a confirmation',
    ],
  ],
  [
    'a manager who is missing beside others',
    file.replace(
      'require: confirm',
      'require: [{ approvals: 1, from: [manager] }, { approvals: 1, from: [finance] }]',
    ),
    [past({ requester: { ...sam, person: 'sue', account: 'sue' } })],
    ['r: stricter: no manager,an approval instead of a confirmation'],
  ],
  [
    'a manager who was missing then',
    file.replace(
      'require: confirm',
      'require: [{ approvals: 1, from: [manager] }, { approvals: 1, from: [finance] }]',
    ),
    [
      past(
        { requester: { ...sam, person: 'sue', account: 'sue' } },
        {
          clauses: [
            { kind: 'approvals', count: 1, from: [], people: [], because: 'rule "refunds"' },
            { kind: 'approvals', count: 1, from: ['finance'], because: 'rule "refunds"' },
          ],
        },
      ),
    ],
    ['r: same: '],
  ],
  [
    'amounts that are small, none, nothing and not known',
    file.replace(
      'require: confirm }',
      'amount: { upTo: 50 }, require: confirm }\n  - { name: rest, commands: [refund], require: { approvals: 1, from: [finance] } }',
    ),
    [
      past({ id: 'small', amount: 20 }),
      past({ id: 'below', amount: -20 }),
      past({ id: 'zero', amount: 0 }),
      past({ id: 'unknown', amount: null }),
    ],
    [
      'small: same: ',
      'below: stricter: an approval instead of a confirmation',
      'zero: same: ',
      'unknown: stricter: an approval instead of a confirmation',
    ],
  ],
  [
    'two, the first asked first',
    file,
    [
      past({ id: 'late', createdAt: base + 1 }),
      past({ id: 'early' }),
      past({ id: 'before', createdAt: base - 1 }),
    ],
    ['early: same: ', 'late: same: '],
  ],
])('%s is judged again', async (_, text, requests, expected) => {
  expect(await verdicts(text, requests)).toEqual(expected)
})

it('the very version that judged it is known, though no text of it is kept', async () => {
  expect(await verdicts(file, [past()], {})).toEqual(['r: same: '])
})

it('cents add up to just what a budget holds, and what has no amount adds nothing', async () => {
  const spent = [26.6, 26.7, 26.7, null].map((amount, at) =>
    past({ id: `${at}`, amount, createdAt: base - 1, steps: [{ at: base - 1, state: 'applied' }] }),
  )
  expect(await verdicts(withBudget(100), [...spent, past()])).toEqual(['r: same: '])
})

it('a budget of other commands needs no record', async () => {
  const others = withBudget(100).replace('[refund, upgrade]', '[upgrade]')
  const vague = past({ id: 'before', createdAt: base - 1, names: ['upgrade'], steps: undefined })
  expect(await verdicts(others, [vague, past()])).toEqual(['r: same: '])
})

it.each([
  [80, 'r: same: '],
  [81, stricter],
])('a budget of everybody counts what others spent, here %i', async (amount, expected) => {
  const spent = {
    id: 'before',
    createdAt: base - 1,
    amount,
    steps: [{ at: base - 1, state: 'applied' as const }],
  }
  const others = past({ ...spent, requester: { ...sam, person: 'sue', account: 'sue' } })
  const text = withBudget(100).replace('per: requester', 'per: everyone')
  expect(await verdicts(text, [others, past()])).toEqual([expected])
})

it('tells what was asked for then and would be now, and how long it waited by the votes that were given', async () => {
  const fay = { person: 'fay', name: 'Fay', platform: 'terminal', account: 'fay', roles: ['finance'] }
  const approved = (id: string, at: number, by: typeof sam) =>
    past({ id, steps: [{ at, state: 'approved' }], votes: [{ by, at, digest: '' }] })
  const requests = [
    approved('a', base + 10, sam),
    approved('b', base + 30, sam),
    approved('c', base + 20, sam),
  ]
  const same = await replayed(file, requests)
  expect(same.wait).toEqual({ known: 3, before_ms: 20, after_ms: 20, not_known: 0 })
  expect(same.items[0]).toMatchObject({
    before: { rule: 'refunds' },
    after: { rule: 'refunds' },
    wait: { before_ms: 10, after_ms: 10 },
  })
  const strict = file.replace('require: confirm', 'require: { approvals: 1, from: [finance] }, hold: 1h')
  const other = await replayed(strict, [approved('a', base + 10, sam), approved('b', base + 30, fay)])
  expect(other.wait).toEqual({ known: 1, before_ms: 30, after_ms: 30 + hour, not_known: 1 })
  const refused = await replayed(file.replace('run: [refund]', 'run: ["list *"]'), [
    approved('a', base + 10, sam),
  ])
  expect(refused.items[0]?.after).toEqual({ rule: 'refused', require: [] })
  expect(refused.wait).toMatchObject({ known: 0, not_known: 0 })
})

it('a wait counts what was held then, and ends with the vote that was enough', async () => {
  const at = (when: number, account: string, platform = 'terminal') => ({
    by: { person: account, name: account, platform, account, roles: ['finance'] },
    at: base + when,
    digest: '',
  })
  const steps = [{ at: base + 40, state: 'approved' as const }]
  const strict = `${file.replace('require: confirm', 'require: { approvals: 1, from: [finance] }')}groups: { slack: { S0A: [finance] } }\n`
  const waitOf = async (votes: PastRequest['votes'], judged: Partial<Judged> = {}, text = strict) => {
    const { items } = await replayed(text, [past({ steps, votes }, judged)])
    return items[0]?.wait
  }
  expect(await waitOf([at(10, 'sue'), at(20, 'fay')], { terms: { holdMs: minute } })).toEqual({
    before_ms: 40 + minute,
    after_ms: 20,
  })
  // Sue may ask and not approve.
  const byAnybody = strict.replace(', from: [finance]', '')
  expect(await waitOf([at(10, 'sue'), at(20, 'fay')], {}, byAnybody)).toMatchObject({ after_ms: 20 })
  // What it waits for after that is no longer the decision.
  steps.push({ at: base + 90, state: 'approved' })
  expect(await waitOf([at(20, 'fay')])).toEqual({ before_ms: 40, after_ms: 20 })
  // Whoever is not listed could be the requester.
  expect(await waitOf([at(10, 'U0NOBODY', 'slack'), at(20, 'fay')])).toMatchObject({ after_ms: 20 })
})

it('only others of the workspace where it was asked are asked to decide', async () => {
  const spread = `${file
    .replace('id: fay, name: Fay,', 'id: fay, name: Fay, slack: U0FAY,')
    .replace('people:\n', 'people:\n  - { id: tom, name: Tom, slack: T2/U0TOM, roles: [finance] }\n')
    .replace('require: confirm', 'require: { approvals: 1, from: [finance] }')}workspaces: { slack: [T2] }\n`
  const here = past({ id: 'here' })
  const own = past({ id: 'own', requester: { ...sam, person: 'fay', account: 'fay' } })
  const there = past({ id: 'there', requester: { ...sam, space: 'slack:T2' } })
  const { asked: more } = await replayed(spread, [
    here,
    own,
    { ...own, id: 'more' },
    there,
    { ...there, id: 'again' },
  ])
  expect(more.map(({ person, after }) => [person, after])).toEqual([
    ['tom', 2],
    ['fay', 1],
    ['sam', 0],
  ])
})

it('adds up the amounts that are known, each currency by itself', async () => {
  const { sums } = await replayed(
    file.replace('require: confirm }', 'amount: { upTo: 50 }, require: confirm }'),
    [
      past({ id: 'a', amount: 0.1 }),
      past({ id: 'b', amount: 0.2 }),
      past({ id: 'c', amount: 7, currency: 'EUR' }),
      past({ id: 'd', amount: 60, currency: 'EUR' }),
      past({ id: 'e', amount: null, currency: 'USD' }),
      past({ id: 'f', amount: 5, currency: 'USD', judged: undefined }),
    ],
  )
  expect(sums).toEqual({
    same: { none: 0.3, EUR: 7 },
    stricter: { EUR: 60 },
    looser: {},
    mixed: {},
    not_replayable: { USD: 5 },
  })
})

it('names whoever is asked, and says the id of those who are gone', async () => {
  const by = (role: string) => file.replace('require: confirm', `require: { approvals: 1, from: [${role}] }`)
  const then = by('finance').replace('people:\n', 'people:\n  - { id: finn, name: Finn, roles: [finance] }\n')
  const now = then
    .replace(/ {2}- \{ id: fay.*\n/, '  - { id: tom, name: Tom, roles: [finance] }\n')
    .replace(', manager: fay', '')
  const version = policyOf(then, registry).digest
  const { asked: found } = await replayed(
    now,
    [
      past(
        {},
        { policy: version, clauses: [{ kind: 'approvals', count: 1, from: ['finance'], because: 'x' }] },
      ),
    ],
    { [version]: then },
  )
  expect(found).toEqual([
    { person: 'tom', name: 'Tom', before: 0, after: 1 },
    { person: 'fay', name: 'fay', before: 1, after: 0 },
  ])
})

it('asks nobody where nothing is needed, and nothing waits', async () => {
  const lists = file
    .replace('run: [refund]', 'run: [refund, "list *"]')
    .replace('policies:\n', 'policies:\n  - { name: lists, commands: ["list *"], require: none }\n')
  const list = { command: 'list create', names: ['list create'], area: 'email' }
  const steps = [{ at: base + 30, state: 'approved' as const }]
  const found = await replayed(lists, [past({ ...list, steps })])
  expect(found.asked).toEqual([{ person: 'sam', name: 'Sam', before: 1, after: 0 }])
  expect(found.items[0]?.wait).toEqual({ before_ms: 30, after_ms: 0 })
})

it('asks nobody where the requester may not even ask', async () => {
  const strict = file.replace('require: confirm', 'require: { approvals: 1, from: [finance] }')
  const { asked: found } = await replayed(strict.replace('run: [refund]', 'run: ["list *"]'), [past()])
  expect(found).toEqual([{ person: 'sam', name: 'Sam', before: 1, after: 0 }])
})

it('looks back as far as the longest window', async () => {
  asked.length = 0
  await replayed(file, [])
  await replayed(withBudget(1), [])
  await replayed(`${withBudget(1)}duplicates: { window: 30m }\n`, [])
  await replayed(`${file}duplicates: { window: 30m }\n`, [])
  expect(asked).toEqual([base, base - hour, base - hour, base - 30 * minute])
})

describe('a draft', () => {
  const compared = (text: string, pages: PastRequest[][] = []) => {
    const left = [...pages]
    return work(
      { text, before: file, since: base },
      {
        registry,
        load,
        ask: async (name, about) => (name === 'page' ? left.shift() : about === digest ? file : undefined),
      },
    )
  }
  it('is told with what differs, every page of what was asked, and what the file warns of', async () => {
    const same = await compared(file, [[past()], [past({ id: 'other' })]])
    expect(same.ok && textOfView(same.value.view)).toContain('It says the same as the policy in force.')
    expect(same.ok && same.value.view.title).toBe('2 requests judged by the other file')
    const other = await compared(file.replace('require: confirm', 'require: confirm, reason: required'), [
      [past()],
    ])
    expect(other.ok && textOfView(other.value.view)).toMatch(/stricter +1/)
    expect(other.ok && textOfView(other.value.view)).not.toContain('It says the same')
  })
  it('with mistakes is refused with the first twenty', async () => {
    const bad = await compared(`${file}${Array.from({ length: 22 }, (_, n) => `k${n}: 1`).join('\n')}\n`)
    if (bad.ok) throw new Error('taken')
    expect(bad.refusal.message.match(/unknown key/g)).toHaveLength(20)
    expect(bad.refusal.message).toContain('"k0"')
  })
})
