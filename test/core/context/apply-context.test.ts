import { expect, it } from 'vitest'
import { features } from '../../../src/features/index.ts'
import { applyContext } from '../../../src/kernel/context/command-context.ts'
import { FenceError } from '../../../src/lib/services/client/fence.ts'
import { changeIn, party } from '../../approvals/sample.ts'

/** A store in which everything can be done and is noted, in a transaction or not. */
const noting = (done: string[], answers: Record<string, unknown> = {}) => {
  const part = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, act) =>
          async (...given: unknown[]) => {
            const called = `${name}.${String(act)}`
            done.push(`${called} ${JSON.stringify(given)}`)
            return answers[called]
          },
      },
    )
  const store: Record<string, unknown> = {
    tx: async (work: (inner: unknown) => Promise<unknown>) => {
      done.push('tx')
      return work(inside)
    },
    lock: async (what: unknown) => void done.push(`lock ${JSON.stringify(what)}`),
  }
  const inside: unknown = new Proxy(store, { get: (own, name) => own[String(name)] ?? part(String(name)) })
  return inside
}

const vote = (person: string) => ({ by: party(person), choice: 'yes' }) as never
const contextIn = (
  given: { isOurs?: boolean; isFresh?: boolean; votes?: string[]; answers?: Record<string, unknown> } = {},
) => {
  const { isOurs = true, isFresh = true, votes = [], answers } = given
  const done: string[] = []
  let woken = 0
  const core = {
    store: noting(done, answers),
    services: { under: () => ({}) },
    learner: { flush: async () => void done.push('flush'), forget: () => void done.push('learner forgets') },
    now: () => 5_000,
    wake: () => void woken++,
    newId: () => 'new',
  }
  const change = changeIn('applying', { votes: votes.map(vote) })
  const fence = { renew: async () => isOurs, isFresh: () => isFresh }
  return { context: applyContext(core as never, change, fence), done, woken: () => woken }
}

/** Every act, by its name. */
const actsOf = (context: object): [string, (...given: unknown[]) => Promise<unknown>][] =>
  Object.entries(context).flatMap(([part, acts]) =>
    typeof acts !== 'object' || acts === null || part === 'requester'
      ? []
      : Object.entries(acts).flatMap(([name, act]) =>
          typeof act === 'function' ? [[`${part}.${name}`, act] as never] : [],
        ),
  )

it.each([
  { isOurs: false, isFresh: true },
  { isOurs: true, isFresh: false },
])('whoever has lost the right to a change does nothing of it: %o', async (lost) => {
  const { context, done, woken } = contextIn(lost)
  const acts = actsOf(context)
  expect(acts.map(([name]) => name).sort()).toEqual([
    'absences.end',
    'absences.set',
    'freezes.clear',
    'freezes.set',
    'links.forget',
    'links.say',
    'passkeys.enrol',
    'passkeys.remove',
    'policy.takeIn',
  ])
  const ofFeatures = features.flatMap((feature) =>
    feature.acts === undefined ? [] : Object.entries(context.of(feature) as Acts),
  )
  expect(ofFeatures.length).toBeGreaterThan(2)
  for (const [name, act] of ofFeatures) await expect(act({}), name).rejects.toThrow(FenceError)
  for (const [name, act] of acts) await expect(act({}), name).rejects.toThrow(FenceError)
  expect([done, woken()]).toEqual([[], 0])
})

type Acts = Record<string, (given: unknown) => Promise<unknown>>

const pair = [
  { kind: 'customer', id: 'c' },
  { kind: 'address', id: 'a' },
] as never

/** What waits is looked at again then: others may be able to decide it, or too few. */
const lookedAt = (...times: number[]) =>
  `tasks.put ${JSON.stringify(times.map((dueAt) => ({ kind: 'standing', key: `standing:${dueAt}`, doc: {}, dueAt })))}`

it.each<[string, (given: ReturnType<typeof contextIn>['context']) => Promise<unknown>, string[], object?]>([
  [
    'an absence is set',
    ({ absences }) => absences.set({ to: 'fay', endsAt: 9_000 } as never),
    ['tx', 'absences.set [{"to":"fay","endsAt":9000}]', lookedAt(5_000, 9_000)],
  ],
  ['an absence ends', ({ absences }) => absences.end('fay'), ['tx', 'absences.end ["fay"]', lookedAt(5_000)]],
  [
    'a key is enrolled by whoever approved it first',
    ({ passkeys }) => passkeys.enrol('k'),
    ['passkeys.enrol ["k",{"changeId":"c1","approvedBy":"Fay","at":5000}]'],
    { votes: ['ann', 'fay', 'finn'] },
  ],
  ['a key is not enrolled by its owner alone', ({ passkeys }) => passkeys.enrol('k'), [], { votes: ['ann'] }],
  [
    'a key is removed while nothing is claimed',
    ({ passkeys }) => passkeys.remove('k'),
    ['tx', 'lock {"alone":["passkeys"]}', 'passkeys.remove ["k"]'],
  ],
  [
    'a freeze waits for what is being claimed',
    ({ freezes }) => freezes.set({ area: 'all' } as never),
    [
      'tx',
      'lock {"alone":["freeze"]}',
      'freezes.set [{"area":"all"}]',
      'tasks.put [{"kind":"standing","key":"standing:5000","doc":{},"dueAt":5000}]',
    ],
  ],
  [
    'a freeze is lifted',
    ({ freezes }) => freezes.clear('all'),
    [
      'tx',
      'freezes.clear ["all"]',
      'tasks.put [{"kind":"standing","key":"standing:5000","doc":{},"dueAt":5000}]',
    ],
  ],
  [
    'a link is said in the name of its requester',
    ({ links }) => links.say(pair, true),
    [`links.say [${JSON.stringify(pair)},{"by":"Ann","isOff":true,"approvedBy":null}]`],
  ],
  [
    'a link that somebody approved says who',
    ({ links }) => links.say(pair, false),
    [`links.say [${JSON.stringify(pair)},{"by":"Ann","isOff":false,"approvedBy":"Fay"}]`],
    { votes: ['fay'] },
  ],
  [
    'what is learned is stored before it is forgotten',
    ({ links }) => links.forget([]),
    ['flush', 'links.forget [[],false]', 'learner forgets'],
  ],
  [
    'more is forgotten where somebody approved it',
    ({ links }) => links.forget([]),
    ['flush', 'links.forget [[],true]', 'learner forgets'],
    { votes: ['fay'] },
  ],
])('%s', async (_, act, expected, given) => {
  const { context, done } = contextIn(given)
  await act(context)
  expect(done).toEqual(expected)
})

it('the clock of the change is the bot’s', () => {
  const { context } = contextIn()
  expect([context.now, context.newId()]).toEqual([5_000, 'new'])
  expect([context.links.isApproved, contextIn({ votes: ['fay'] }).context.links.isApproved]).toEqual([
    false,
    true,
  ])
})
