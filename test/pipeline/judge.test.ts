import { describe, expect, it } from 'vitest'
import {
  type ClauseInput,
  decideClauses,
  judge,
  type Past,
} from '../../src/kernel/change/deciding/decide-clauses.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { policyOf } from '../harness/app.ts'
import { commandsWith } from '../harness/commands.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 0, 5, 12)
const registry = commandsWith()
const file = `
version: 1
roles:
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: refund, commands: [refund], require: confirm }
budgets:
  - { name: own, commands: [refund], per: requester, window: 24h, limit: 200, then: { approvals: 2, from: [finance] } }
  - { name: all, commands: ["transaction *", refund], per: everyone, window: 2h, limit: 1000, then: { approvals: 3 } }
duplicates: { window: 30m }
`
const ask: ClauseInput = {
  id: 'c9',
  names: ['refund'],
  area: 'billing',
  movesMoney: true,
  amount: 50,
  currency: null,
  intent: 'the same',
  requester: { person: 'sam', roles: ['finance'] },
  createdAt: now - 1_000,
}
type Filter = Parameters<Past['spent']>[1]

/** What the policy says, given these sums and earlier requests, and what was asked of the past for it. */
const judged = async (
  over: Partial<ClauseInput>,
  {
    sums = {},
    same = [],
    when = 'ask',
    text = file,
  }: {
    sums?: Record<string, number>
    same?: { createdAt: number; id?: string }[]
    when?: 'ask' | 'claim'
    text?: string
  } = {},
) => {
  const filters: Record<string, Filter> = {}
  const intents: unknown[] = []
  const past: Past = {
    spent: async ({ name }, filter) => {
      filters[name] = filter
      return [{ currency: null, sum: sums[name] ?? 0 }]
    },
    sameIntent: async (...about) => {
      intents.push(about)
      return same.map(({ createdAt, id }, at) => ({
        id: id ?? `s${at}`,
        state: 'unknown' as const,
        createdAt,
        requester: { person: 'fay', name: 'Fay', platform: 'slack', account: 'U', roles: [] },
      }))
    },
  }
  const decision = await judge(
    { policy: policyOf(text, registry), registry, now: () => now },
    past,
    { ...ask, ...over },
    when,
  )
  const needs = decision.clauses.map((one) =>
    one.kind === 'confirm' ? 'confirm' : `${one.count} ${one.from}`,
  )
  return { decision, needs, filters, intents }
}

describe('a budget', () => {
  it('asks the past for its own window, people and commands, and never for the change itself', async () => {
    const { filters } = await judged({})
    expect(filters.own).toMatchObject({ requester: 'sam', since: now - 24 * hour, exceptId: 'c9' })
    expect(filters.own?.names).toEqual(['refund'])
    expect(filters.all).toMatchObject({ requester: undefined, since: now - 2 * hour })
    expect(filters.all?.names).toEqual(
      expect.arrayContaining(['refund', 'transaction delete', 'transaction']),
    )
    expect(filters.all?.names).not.toContain('upgrade')
  })

  it('counts what is approved when something is asked for, and what runs or ran when it is claimed', async () => {
    const statesAt = async (when: 'ask' | 'claim') => (await judged({}, { when })).filters.own?.states
    expect(await statesAt('ask')).toEqual(['approved', 'applying', 'applied', 'unknown', 'held', 'accepted'])
    expect(await statesAt('claim')).toEqual(['applying', 'applied', 'unknown', 'held', 'accepted'])
  })

  it.each([
    [150, 50, ['confirm']],
    [150, 50.01, ['2 finance']],
    [200, 0, ['confirm']],
    [200, 0.01, ['2 finance']],
    [0, null, ['2 finance', '3 ']],
  ])('of which %d of 200 are spent, asked for %d: %j', async (own, amount, needs) => {
    expect((await judged({ amount }, { sums: { own } })).needs).toEqual(needs)
  })

  it('has a sum of its own each, and the judgement keeps them', async () => {
    const heldOf = (sum: number) => ({ sum, sums: [{ currency: null, sum }] })
    const { needs, decision } = await judged({}, { sums: { own: 100, all: 951 } })
    expect(needs).toEqual(['3 '])
    expect(decision.counted.spent).toEqual([
      { name: 'own', commands: ['refund'], per: 'requester', windowMs: 24 * hour, ...heldOf(100) },
      {
        name: 'all',
        commands: ['transaction *', 'refund'],
        per: 'everyone',
        windowMs: 2 * hour,
        ...heldOf(951),
      },
    ])
    expect((await judged({ names: ['upgrade'] })).filters).toEqual({})
  })
})

describe('the same intent', () => {
  const before = { createdAt: now - 2_000 }
  const after = { createdAt: now - 1_000 }

  it('is looked for within the window, and never finds the change itself', async () => {
    const { intents, decision } = await judged({})
    expect(intents).toEqual([['the same', now - hour / 2, 'c9', []]])
    expect(decision.counted.same).toEqual({ windowMs: hour / 2, count: 0 })
  })

  it.each([
    ['ask', [before], 1],
    ['ask', [after], 1],
    ['claim', [before], 1],
    ['claim', [after], 0],
    ['claim', [after, before], 1],
  ] as const)('at the %s, of %j counts %d', async (when, same, count) => {
    const { needs, decision } = await judged({}, { when, same: [...same] })
    expect(decision.counted.same?.count).toBe(count)
    expect(needs).toEqual([count === 0 ? 'confirm' : '1 '])
    expect(decision.warnings).toHaveLength(count)
  })

  it('is told with who asked, when, and what came of it, after what is spent', async () => {
    const { decision } = await judged({}, { same: [before], sums: { own: 200 } })
    expect(decision.warnings.map(({ words }) => plainWords(words))).toEqual([
      'Own: 200 of 200 (currency unknown) used in the last 24 h; this would make 250.',
      'Fay asked for the same at 5 Jan 2026, 11:59 UTC (s0); it has an unknown outcome.',
    ])
    const { decision: unseen } = await judged({}, { same: [{ ...before, id: '' }] })
    expect(unseen.warnings.map(({ words }) => plainWords(words))).toEqual([
      'Fay asked for the same at 5 Jan 2026, 11:59 UTC; it has an unknown outcome.',
    ])
  })

  it('is not looked for where the file does not ask, nor of what may be asked twice', async () => {
    const without = await judged({}, { text: file.replace(/duplicates.*\n/, ''), same: [before] })
    const freeze = await judged({ names: ['freeze'], area: 'bellhop', movesMoney: false }, { same: [before] })
    for (const { intents, decision, needs } of [without, freeze]) {
      expect(intents).toEqual([])
      expect(decision.counted.same).toBeNull()
      expect(needs).toEqual(['confirm'])
    }
  })
})

it('an agent has no yes of its own, and a change of the rules has somebody else’s', async () => {
  expect((await judged({ requester: { person: 'sam', roles: [], agent: 'hers' } })).needs).toEqual(['1 '])
  const guarded = registry.all.find((one) => one.kind === 'change' && one.guarded === true)
  for (const [name, need] of [
    [guarded?.name, '1 '],
    ['list create', 'confirm'],
    ['a command that is gone', 'confirm'],
  ])
    expect((await judged({ names: [name ?? ''], area: 'bellhop', movesMoney: false })).needs).toEqual([need])
})

it.each([
  ['nobody asked to do it alone', undefined, ['finance'], 'refund'],
  ['somebody of the role did', { why: 'It burns' }, ['finance'], 'emergency'],
  ['somebody of another role did', { why: 'It burns' }, ['support'], 'refund'],
])('where %s, %j by %j is judged by %s', async (_, emergency, roles, rule) => {
  const text = `${file}emergency: { from: [finance], commands: [refund], for: 30m }\n`
  const { decision } = await judged({ emergency, requester: { person: 'sam', roles } }, { text })
  expect(decision.rule).toBe(rule)
})

it('what is counted is locked first: the intent, and each budget for everybody whose sums it shares', async () => {
  const done: unknown[] = []
  const changes = {
    spent: async () => {
      done.push('summed')
      return []
    },
    sameIntent: async () => {
      done.push('compared')
      return []
    },
  }
  const store = { changes, lock: async (keys: unknown) => void done.push(keys) }
  const core = { policy: policyOf(file, registry), registry, now: () => now }
  for (const [names, person, keys] of [
    [['refund'], 'sam', ['intent the same', 'budget own sam', 'budget all ']],
    [['refund'], 'fay', ['intent the same', 'budget own fay', 'budget all ']],
    [['transaction delete'], 'sam', ['intent the same', 'budget all ']],
    [['list create'], 'sam', ['intent the same']],
  ] as const) {
    done.length = 0
    await decideClauses(core, store as never, { ...ask, names, requester: { person, roles: [] } }, 'claim')
    expect(done[0]).toEqual({ alone: keys })
    expect(done.slice(1).sort()).toEqual(['compared', ...keys.slice(1).map(() => 'summed')])
  }
})
