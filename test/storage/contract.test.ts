import fc from 'fast-check'
import { type Change, states } from '../../src/kernel/model/change.ts'
import type { Job } from '../../src/kernel/store/bulk.ts'
import { type LinkKind, linkEnd, pairOf } from '../../src/lib/things/link.ts'
import { asSet, type CallsOf, eachIsAlike, type Group } from './alike.ts'
import { createModel, type Modelled } from './model.ts'
import { partyOf, sampleChange } from './sample.ts'

const time = fc.integer({ min: 0, max: 9 })
const soon = fc.integer({ min: 1, max: 3 })
const few = fc.integer({ min: 1, max: 9 })
const owner = fc.constantFrom('one', 'two')
const person = fc.constantFrom('p1', 'p2')
const name = fc.constantFrom('a', 'b', 'c')
const none = fc.constant<unknown[]>([])
/** Never the same for two names, so that what comes first is never open. */
const timeOf = (key: string): fc.Arbitrary<number> => time.map((at) => at * 3 + key.charCodeAt(0) - 97)

const taskInput = name.chain((key) =>
  fc.record({
    key: fc.constant(key),
    kind: fc.constantFrom('tell', 'chunk'),
    doc: fc.constantFrom(1, 2),
    dueAt: timeOf(key),
  }),
)
const task = fc.record({ key: name, revision: soon, owner })
const taskAndTime = task.chain((one) => timeOf(one.key).map((at) => [one, at] as const))
const hold = fc.record({ leaseMs: soon, owner })

const ends = ['email:a@b.c', 'customer:1', 'payment:1', 'payment:2', 'subscriber:2'].flatMap((text) => {
  const [kind, id] = text.split(':') as [LinkKind, string]
  return linkEnd(kind, id) ?? []
})
const end = fc.constantFrom(...ends)
const pairs = ends.flatMap((one) =>
  ends.flatMap((other) => {
    const made = pairOf(one, other)
    return made === undefined ? [] : [made]
  }),
)
const pair = fc.constantFrom(...pairs)

const state = fc.constantFrom(...states)
const someStates = fc.uniqueArray(state)
const since = fc.constantFrom(0, 10, 11, 20)
const changeId = fc.constantFrom('c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6')
const change = (version: fc.Arbitrary<number>) =>
  fc
    .record({
      id: changeId,
      version,
      state,
      requester: person.map(partyOf),
      intent: fc.constantFrom('x', 'x', 'y'),
      amount: fc.constantFrom(null, 0.1, 0.2, 7),
      updatedAt: since,
    })
    .map((over): Change => {
      const names = [['refund'], ['refund', 'upgrade', 'refund'], ['upgrade'], []][over.id.charCodeAt(1) % 4]
      return sampleChange({ ...over, names: names as string[] })
    })

const jobState = fc.constantFrom('running', 'running', 'paused', 'done', 'pinned' as const)
const changeOf = (id: string): string => (id === 'a' ? 'c0' : 'c1')
const jobStates = fc.uniqueArray(jobState)
const job = fc.constantFrom('a', 'b')
const chunk = fc.record({ jobId: job, n: time.map((n) => n % 3), owner })
const count = fc.integer({ min: 0, max: 2 })

const calls: CallsOf<Modelled> = {
  tasks: {
    put: fc.uniqueArray(taskInput, { selector: ({ key }) => key, minLength: 1, maxLength: 2 }),
    putHeld: fc
      .tuple(hold, fc.uniqueArray(taskInput, { selector: ({ key }) => key, minLength: 1, maxLength: 2 }))
      .map(([held, tasks]) => [held, ...tasks]),
    take: fc.record({ limit: soon, leaseMs: soon, owner }).map((wanted) => [wanted]),
    done: fc.tuple(task),
    drop: fc.tuple(fc.uniqueArray(name, { minLength: 1, maxLength: 1 })),
    postpone: taskAndTime.map((both) => [...both, 'no answer']),
    again: taskAndTime.map((both) => [...both]),
    pending: none,
    owners: none,
    release: fc.tuple(owner),
  },
  deliveries: {
    first: fc.tuple(name),
    take: fc.tuple(name, taskInput),
    forget: fc.tuple(name, name),
    prune: fc.tuple(time),
  },
  sessions: {
    offer: fc.tuple(
      fc.record({ id: name, digest: name, person, via: fc.constant('slack'), at: time, endsAt: time }),
    ),
    use: fc.tuple(name, fc.record({ digest: name, endsAt: time })),
    find: fc.tuple(name),
    of: fc.tuple(person),
    end: fc.tuple(person, fc.oneof(name, fc.constant('all'))),
    people: none,
    prune: fc.tuple(time),
  },
  absences: {
    set: fc.tuple(
      fc.record({
        by: person.map(partyOf),
        to: fc.constantFrom(null, 'p3'),
        at: time,
        endsAt: time,
      }),
    ),
    end: fc.tuple(person),
    active: none,
    prune: fc.tuple(time),
  },
  links: {
    learn: fc.tuple(
      fc.array(
        fc.record({ pair, source: fc.constantFrom('billing.changePlan', 'billing.find', 'email.get') }),
        { maxLength: 3 },
      ),
    ),
    say: fc.tuple(
      pair,
      fc.record({ by: person, isOff: fc.boolean(), approvedBy: fc.constantFrom(null, 'p3') }),
    ),
    write: fc.tuple(fc.uniqueArray(pair, { maxLength: 2 }), person),
    of: fc.tuple(fc.uniqueArray(end, { maxLength: 2 })),
    kindsOf: fc.tuple(fc.constantFrom(...ends.map(({ id }) => id))),
    known: fc.tuple(fc.constantFrom(...ends.map(({ kind }) => kind)), fc.integer({ min: 1, max: 3 })),
    forget: fc.tuple(fc.uniqueArray(end, { maxLength: 2 }), fc.boolean()),
  },
  changes: {
    insert: fc.tuple(change(fc.constant(1))),
    get: fc.tuple(changeId),
    take: fc.tuple(changeId),
    swap: fc.tuple(change(fc.integer({ min: 1, max: 4 }))),
    list: fc.tuple(
      fc.record(
        {
          states: someStates,
          requester: person,
          ids: fc.uniqueArray(changeId),
          before: fc.record({ updatedAt: since, id: changeId }),
          skip: count,
          limit: few,
        },
        { requiredKeys: ['limit'] },
      ),
    ),
    countByState: fc.oneof(none, fc.tuple(someStates)),
    countPending: fc.tuple(person),
    sameIntent: fc.oneof(
      fc.tuple(fc.constant('x'), since),
      fc.tuple(fc.constantFrom('x', 'y'), since, changeId),
    ),
    spent: fc.tuple(
      fc.record(
        {
          requester: person,
          names: fc.subarray(['refund', 'upgrade']),
          since,
          states: someStates,
          exceptId: changeId,
        },
        { requiredKeys: ['names', 'since', 'states'] },
      ),
    ),
    applying: fc.tuple(fc.constant(9)),
    past: fc.tuple(since),
  },
  bulk: {
    open: fc.tuple(job),
    addChunks: fc.tuple(
      job,
      count,
      fc.array(fc.array(fc.constant('item'), { maxLength: 3 }), { maxLength: 2 }),
    ),
    pin: fc.tuple(job, fc.record({ total: few, chunks: soon, digest: fc.constant('d') })),
    attach: fc.tuple(job, job.map(changeOf)),
    get: fc.tuple(job),
    ofChange: job.map((id) => [changeOf(id)]),
    list: fc.tuple(
      jobStates.filter((among) => among.length > 0),
      fc.constant(9),
    ),
    move: fc.tuple(
      job,
      fc.constantFrom(['pinned', 'collecting', 'paused'], ['running']),
      jobState,
      fc.record({ reason: fc.constant('asked'), upto: soon, sinceDone: few }, { requiredKeys: [] }),
    ),
    shown: fc.tuple(job, time),
    setMessage: fc.tuple(job, fc.constantFrom('progress', 'summary'), name),
    claim: fc.tuple(job, owner),
    renew: fc.tuple(chunk, owner),
    finish: fc.tuple(
      chunk,
      owner,
      fc.record(
        {
          state: fc.constantFrom('pending', 'sent', 'failed', 'unknown'),
          items: fc.array(fc.constant('item'), { maxLength: 2 }),
          done: count,
          failed: count,
          unknown: count,
          error: fc.constantFrom(null, 'no answer'),
          troubles: fc.constantFrom([], [{ item: 'x', outcome: 'failed', why: 'y' }]),
        },
        { requiredKeys: ['state', 'done', 'failed', 'unknown', 'error', 'troubles'] },
      ),
    ),
    figures: fc.tuple(job),
    sending: fc.tuple(soon),
    lose: fc.tuple(chunk, fc.constant('its process is gone'), time),
    due: fc.tuple(job, fc.uniqueArray(count)),
    loseDue: fc.tuple(chunk, fc.constant('it was sent before')),
    chunks: fc.tuple(
      job,
      count.map((n) => n - 1),
      soon,
    ),
    prune: fc.tuple(fc.record({ unused: time, ended: time })),
  },
  answers: {
    put: fc.tuple(
      name.chain((id) =>
        fc.record({ id: fc.constant(id), at: timeOf(id), person, doc: fc.constantFrom(1, 2) }),
      ),
    ),
    get: fc.tuple(name),
    recent: fc.tuple(person, time, soon),
    prune: fc.tuple(time),
  },
}

const groups: Group[] = [
  [
    ['tasks', 'deliveries'],
    ['tasks', 'deliveries'],
  ],
  [['sessions'], ['sign_ins']],
  [['absences'], ['absences']],
  [['links'], ['links']],
  [['changes'], ['change_names', 'changes']],
  [
    ['bulk', 'changes.insert'],
    ['bulk_chunks', 'bulk_jobs', 'change_names', 'changes'],
  ],
  [
    ['bulk.claim', 'bulk.renew', 'bulk.finish', 'bulk.lose', 'bulk.sending', 'bulk.figures', 'bulk.chunks'],
    ['bulk_chunks', 'bulk_jobs'],
    ['a', 'b'].flatMap((id) => [
      { store: 'bulk', method: 'open', args: [id] },
      { store: 'bulk', method: 'addChunks', args: [id, 0, [['item'], ['item', 'item'], ['item']]] },
      { store: 'bulk', method: 'pin', args: [id, { total: 4, chunks: 3, digest: 'd' }] },
      { store: 'bulk', method: 'move', args: [id, ['pinned'], 'running', { upto: 3, sinceDone: 0 }] },
    ]),
  ],
  [['answers'], ['answers']],
]

eachIsAlike('a store does what the model of it does', {
  groups,
  calls,
  createModel,
  shown: {
    'tasks.putHeld': asSet,
    'tasks.owners': asSet,
    'links.kindsOf': asSet,
    'changes.applying': asSet,
    // What is read of the past is only a part of each change.
    'changes.past': (found) => (found as Change[]).map(({ id, state }) => [id, state]),
    // Jobs of one moment come in any order.
    'bulk.list': (found) => [(found as Job[]).map(({ updatedAt }) => updatedAt), asSet(found)],
  },
})
