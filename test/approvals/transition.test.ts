import { expect, it, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { features } from '../../src/features/index.ts'
import { type StepCore, transition } from '../../src/kernel/change/transition.ts'
import { useFeatures } from '../../src/kernel/feature.ts'
import type { LawEvent } from '../../src/kernel/law/law.ts'
import { escalationAt } from '../../src/kernel/law/remind.ts'
import type { Change, ChangeState, Clause } from '../../src/kernel/model/change.ts'
import { shownIn } from '../../src/kernel/model/shown.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { defaultTimings } from '../../src/kernel/timings.ts'
import { no, ok } from '../../src/lib/result.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { openTestDatabase } from '../harness/database.ts'
import { approvals, changeIn, outcome, party } from './sample.ts'

const now = 2_000
const digest = '0123456789abcdef'
const weighed = { votes: [], lapsed: [] }
const byBob = { votes: [{ by: party('bob'), at: 1_500, digest }], lapsed: [] }
const shown = shownIn(changeIn('pending'))
const vote: LawEvent = { kind: 'vote', by: party('bob'), mayVote: true, shown, weighed, at: now }
const confirm: Partial<Change> = { clauses: [{ kind: 'confirm' }] }
const drift = { message: 'look', changes: [] }
const { votes: _, ...terms } = changeIn('pending', { amount: 30, line: 'refund pay_1 30' })

type Case = [name: string, state: ChangeState, over: Partial<Change>, event: LawEvent]

/** Every kind of event, each with what can be so of a change beside it. */
const cases: Case[] = [
  ['a vote', 'pending', { clauses: [approvals(2)], remindMs: [5_000, 9_000], reminded: 1 }, vote],
  [
    'a vote in another’s name, after which another lapsed',
    'pending',
    { clauses: [approvals(2)] },
    {
      ...vote,
      for: party('cat'),
      weighed: { votes: [], lapsed: [{ person: 'dan', name: 'Dan', why: 'gone' }] },
    },
  ],
  ['the last vote', 'pending', {}, vote],
  ['the last vote of what is held', 'pending', { holdMs: 500 }, vote],
  ['a vote that opens a stage', 'pending', { clauses: [staged(1), staged(2)] }, vote],
  [
    'a signed confirmation of what one person does alone',
    'pending',
    { clauses: [{ kind: 'confirm', sign: 'passkey' }], emergency: { why: 'down' } },
    {
      ...vote,
      by: party('ann'),
      signed: { person: 'ann', digest, purpose: 'emergency', key: 'k1' } as never,
    },
  ],
  ['a confirmation of what an agent asked', 'pending', { requester: party('ann', { agent: 'hers' }) }, vote],
  [
    'a rejection',
    'pending',
    {},
    { kind: 'reject', by: party('bob'), mayVote: true, shown, reason: 'no', at: now },
  ],
  ['a cancellation of one’s own', 'pending', confirm, { kind: 'cancel', by: party('ann'), at: now }],
  [
    'a cancellation by somebody else',
    'approved',
    { ...confirm, holdUntil: 9_000 },
    { kind: 'cancel', by: party('bob'), mayVote: true, at: now },
  ],
  ['an end of its time', 'pending', { expiresAt: now }, { kind: 'expire', at: now }],
  ['a reminder', 'pending', { remindMs: [500, 900] }, { kind: 'remind', step: 0, at: now }],
  ['a reminder by hand', 'pending', {}, { kind: 'nudge', by: party('bob'), mayVote: true, at: now }],
  [
    'an escalation',
    'pending',
    { clauses: [escalating(1_000), escalating(5_000)] },
    { kind: 'escalate', at: now },
  ],
  ['that it is void', 'pending', {}, { kind: 'void', message: 'The payment is gone.', at: now }],
  ['that people are asked again', 'approved', {}, { kind: 'ask_again', terms, drift, at: now }],
  [
    'a change of what is asked, by somebody else',
    'pending',
    {
      votes: [
        { by: party('dan'), at: 1, digest, for: party('eve') },
        { by: party('bob'), at: 1, digest },
      ],
    },
    {
      ...{ kind: 'amend', by: party('bob'), mayVote: true, drift, at: now },
      terms: { ...terms, runAt: { at: 9_000, zone: 'UTC' } } as never,
    },
  ],
  [
    'a change of what is asked, by who asked',
    'pending',
    {},
    { kind: 'amend', by: party('ann'), mayVote: false, drift, at: now, terms: terms as never },
  ],
  [
    'votes that lapsed',
    'approved',
    {},
    {
      kind: 'lapse',
      weighed: { votes: [], lapsed: [{ person: 'bob', name: 'Bob', why: 'gone' }] },
      expiresAt: 8_000,
      at: now,
    },
  ],
  ['that it waits', 'approved', {}, { kind: 'wait', message: 'Slack is down.', at: now }],
  ['a claim', 'approved', {}, { kind: 'claim', process: 'p1', weighed: byBob, clauses: [], at: now }],
  ...(['applied', 'failed', 'unknown'] as const).map((state): Case => {
    const told = { ...outcome('It is so.'), warning: 'slow', moved: { value: 7, currency: 'EUR' } }
    const over = { amount: null, currency: null }
    return [
      `an end: ${state}`,
      'applying',
      over,
      { kind: 'finish', process: 'process-1', state, outcome: told },
    ]
  }),
  [
    'an end of which no amount is known',
    'applying',
    { amount: null, currency: null },
    { kind: 'finish', process: 'process-1', state: 'applied', outcome: outcome('It is so.') },
  ],
  [
    'an end that its requester looks at',
    'applying',
    confirm,
    { kind: 'finish', process: 'process-1', state: 'applied', outcome: outcome('It is so.') },
  ],
  [
    'an end that a program waits for',
    'applying',
    { origin: { platform: 'slack', channel: null, handle: 'h', direct: false, waits: true } },
    { kind: 'finish', process: 'process-1', state: 'applied', outcome: outcome('It is so.') },
  ],
  [
    'an unknown end that a program waits for',
    'applying',
    { origin: { platform: 'slack', channel: null, handle: 'h', direct: false, waits: true } },
    { kind: 'finish', process: 'process-1', state: 'unknown', outcome: outcome('Who knows.') },
  ],
  ['that its process is lost', 'applying', {}, { kind: 'lost', message: 'It died.', at: now }],
  [
    'a look for the outcome',
    'unknown',
    {},
    { kind: 'checked', check: { n: 1, at: now, happened: true, message: 'It is there.' } },
  ],
  [
    'what was learned late',
    'unknown',
    { checked: { n: 1, at: 1_000, happened: null, message: 'No.' } },
    { kind: 'late', learned: 'applied', outcome: outcome('After all.') },
  ],
  ['that it failed before it ran', 'approved', {}, { kind: 'fail', message: 'No right.', at: now }],
  [
    'whom the card did not reach',
    'pending',
    {},
    {
      kind: 'reach',
      reach: { refusals: [{ platform: 'slack', place: 'mirror', to: 'C', why: 'x' }], asked: ['Bob'] },
    },
  ],
  ['that the card reached everybody', 'pending', {}, { kind: 'reach', reach: undefined }],
  [
    'a review',
    'applied',
    { emergency: { why: 'down', usedAt: 1 } },
    { kind: 'review', by: party('bob'), mayVote: true, shown, reason: 'fine', others: '', at: now },
  ],
  [
    'what somebody found out in the moment of a look',
    'unknown',
    { checked: { n: 1, at: now, happened: true, message: 'It is there.' } },
    {
      ...{
        kind: 'resolve',
        by: party('bob'),
        mayVote: true,
        shown,
        happened: true,
        reason: 'seen',
        others: '',
        at: now,
      },
    },
  ],
  [
    'what somebody found out',
    'unknown',
    {},
    {
      kind: 'resolve',
      by: party('bob'),
      mayVote: true,
      shown,
      happened: false,
      reason: 'looked',
      others: '',
      at: now,
    },
  ],
]

function staged(stage: number): Clause {
  return { ...approvals(1), stage } as Clause
}
function escalating(afterMs: number): Clause {
  return { ...approvals(1), escalate: [{ afterMs, to: [`cfo${afterMs}`] }] } as Clause
}

const taskRow = z.object({ key: z.string(), dueAt: z.number(), doc: z.string() })

const open = async (over: Partial<StepCore> = {}) => {
  const { db, close } = await openTestDatabase('sqlite')
  onTestFinished(close)
  const told: string[] = []
  const core = {
    store: createStore(db, { now: () => now }),
    policy: { digest: 'policy-1' },
    now: () => now,
    timings: defaultTimings,
    process: 'here',
    takesOwn: () => false,
    wake: (afterMs?: number) => told.push(`wake ${afterMs ?? 'now'}`),
    begin: (tasks: readonly { key: string }[]) => told.push(`begin ${tasks.map(({ key }) => key).join(' ')}`),
    count: (one: object) => told.push(`count ${Object.values(one).join(' ')}`),
    newest: {},
    ...over,
  } as never as Parameters<typeof transition>[0]
  const tasks = async () =>
    (await db.all(taskRow, 'SELECT key, due_at AS "dueAt", doc FROM tasks ORDER BY key')).map(
      ({ key, dueAt, doc }) => {
        const { id: __, ...more } = JSON.parse(doc)
        const { news } = more as { news?: { to: { person: string }; why: string } }
        const about = news
          ? ` to ${news.to.person}: ${news.why}`
          : Object.keys(more).length
            ? ` ${JSON.stringify(more)}`
            : ''
        return `${key} in ${dueAt - now}${about}`
      },
    )
  return { core, told, tasks }
}

it.each(cases)('%s is recorded, and what follows from it', async (_, state, over, event) => {
  const { core, told, tasks } = await open()
  const before = changeIn(state, over)
  await core.store.changes.insert(before)
  await core.store.tasks.put(
    ...['expire', 'apply', 'hold'].map((kind) => ({
      kind,
      key: `${kind}:c1`,
      doc: { id: 'c1' },
      dueAt: 99_000,
    })),
  )
  const done = await transition(core, 'c1', async () => ok(event))
  expect(done).toMatchObject({ ok: true, value: { before: { version: 3 }, change: { version: 4 } } })
  const [entry] = await core.store.audit.find({ changeId: 'c1', limit: 1 })
  const stored = (await core.store.changes.get('c1')) as Change
  expect(stored).toEqual(done.ok && JSON.parse(JSON.stringify(done.value.change)))
  const { digest: shown, rule, policy, state: is, ...doc } = Object(entry?.doc) as Record<string, unknown>
  expect([shown, rule, policy, is]).toEqual([stored.digest, stored.rule, 'policy-1', stored.state])
  expect([
    `${entry?.kind} by ${entry?.who}, now ${stored.state}`,
    JSON.stringify(doc),
    ...(await tasks()),
    ...told,
  ]).toMatchSnapshot()
})

test('a change that is not there, an event that may not be and one that the law refuses change nothing', async () => {
  const { core, told, tasks } = await open()
  expect(await transition(core, 'c1', async () => ok(vote))).toMatchObject({
    refusal: { code: 'no_such_change' },
  })
  await core.store.changes.insert(changeIn('applied'))
  expect(await transition(core, 'c1', async () => ok(vote))).toMatchObject({
    refusal: { code: 'not_pending' },
  })
  const refused = await transition(core, 'c1', async () => no(refusal('own_request', 'No.')))
  expect(refused).toMatchObject({ refusal: { code: 'own_request' } })
  expect([told, await tasks(), await core.store.audit.find({ limit: 5 })]).toEqual([[], [], []])
})

test('a change that was moved while its step was taken is an error, not two steps', async () => {
  const { core, told } = await open()
  await core.store.changes.insert(changeIn('pending'))
  const moving = transition(core, 'c1', async (change, store) => {
    await store.changes.swap({ ...change, version: change.version + 1 })
    return ok(vote)
  })
  await expect(moving).rejects.toThrow('change c1 moved inside its own transaction')
  expect(told).toEqual([])
})

test('a look in the moment in which something was learned late is no late news', async () => {
  const { core, tasks } = await open()
  const late = { at: now, learned: 'unknown' as const, message: 'It was sent.', contradicts: null }
  await core.store.changes.insert(changeIn('unknown', { late }))
  const check = { n: 1, at: now, happened: null, message: 'Nobody can tell.' }
  await transition(core, 'c1', async () => ok({ kind: 'checked', check }))
  expect(await tasks()).toEqual(['cards:c1 in 0'])
})

test.each<[string, Clause[], number | undefined]>([
  ['is the first of several', [escalating(5_000), escalating(3_000)], 4_000],
  [
    'is still to come while one of its roles is not asked',
    [{ ...approvals(1), also: ['cfo'], escalate: [{ afterMs: 3_000, to: ['cfo', 'ceo'] }] } as Clause],
    4_000,
  ],
  [
    'is over once all of its roles are asked',
    [{ ...approvals(1), also: ['cfo'], escalate: [{ afterMs: 3_000, to: ['cfo'] }] } as Clause],
    undefined,
  ],
])('the next escalation %s', (_, clauses, at) => {
  expect(escalationAt({ clauses, createdAt: 1_000 })).toBe(at)
})

test('what is read ahead is given to whoever decides on the event', async () => {
  const { core } = await open()
  await core.store.changes.insert(changeIn('pending'))
  const seen: unknown[] = []
  await transition(
    core,
    'c1',
    async (change, store, ahead) => {
      seen.push(change.state, ahead, (await store.changes.get('c1'))?.version)
      return ok(vote)
    },
    { ahead: async () => 'ahead' },
  )
  expect(seen).toEqual(['pending', 'ahead', 3])
})

test('a process that takes its own tasks begins those that are due, and wakes for the others', async () => {
  const taking = await open({ takesOwn: (person: string) => person === 'ann' })
  await taking.core.store.changes.insert(changeIn('pending', { clauses: [approvals(2)] }))
  await transition(taking.core, 'c1', async () => ok(vote))
  expect(taking.told).toEqual(['count change pending', 'begin cards:c1'])
  await transition(taking.core, 'c1', async (change) =>
    ok({ ...vote, by: party('cat'), weighed: { votes: change.votes, lapsed: [] } }),
  )
  expect(taking.told.slice(2)).toEqual(['count change approved', 'begin ', 'wake 400'])
})

test('a step that is on its way to the disk is waited for, unless a claim follows that cannot be there before it', async () => {
  const { core } = await open()
  let synced = 0
  const waiting = {
    ...core,
    store: {
      ...core.store,
      synced: async () => {
        synced += 1
      },
    },
  }
  await core.store.changes.insert(changeIn('pending', { clauses: [approvals(2)] }))
  await transition(waiting, 'c1', async () => ok(vote), { durability: 'buffered' })
  expect(synced).toBe(1)
  const last = async (change: Change) =>
    ok({ ...vote, by: party('cat'), weighed: { votes: change.votes, lapsed: [] } } as LawEvent)
  await transition(waiting, 'c1', last, { durability: 'buffered' })
  expect(synced).toBe(1)
  await transition(waiting, 'c1', async () => ok({ kind: 'wait', message: 'x', at: now }))
  expect(synced).toBe(1)
})

test('hooks are owed what moved, and nothing of what did not', async () => {
  const { core } = await open()
  const hooked = {
    ...core,
    policy: {
      digest: 'policy-1',
      sections: {
        webhooks: [
          { url: 'https://a.example/', events: ['*'] as const, secret: { env: 'A' } },
          { url: 'https://b.example/', events: ['change.rejected'] as const, secret: { env: 'B' } },
        ],
      } as never,
    },
  }
  useFeatures(features)
  await core.store.changes.insert(changeIn('pending', { clauses: [approvals(2)] }))
  await transition(hooked, 'c1', async () => ok(vote))
  const owed = async () =>
    (await core.store.tasks.take({ limit: 20, leaseMs: 1, owner: 'x' })).filter(
      ({ kind }) => kind === 'webhook',
    ).length
  expect(await owed()).toBe(0)
  await transition(hooked, 'c1', async () => ok({ kind: 'void', message: 'x', at: now }))
  expect(await owed()).toBe(1)
})
