import { expect, it } from 'vitest'
import { changesIn, namedAsFarAs } from '../../../src/features/reports/figures.ts'
import type { AuditEntry } from '../../../src/kernel/model/audit-entry.ts'

const entry = (kind: string, doc: object = {}, over: Partial<AuditEntry> = {}): AuditEntry => ({
  id: '',
  seq: null,
  at: 10,
  kind,
  who: 'fay',
  name: 'Fay',
  platform: 'slack',
  command: 'refund',
  changeId: 'c1',
  doc: { ...doc },
  ...over,
})
const byFinance = [{ kind: 'confirm' }, { kind: 'approvals' }]
const asked = (doc: object = {}, over: Partial<AuditEntry> = {}) =>
  entry('asked', { clauses: byFinance, rule: 'r', ...doc }, { who: 'sam', name: 'Sam', at: 5, ...over })
const read = (...entries: AuditEntry[]) =>
  changesIn(
    (async function* () {
      yield* entries
    })(),
  )
const start = {
  id: 'c1',
  command: 'refund',
  names: ['refund'],
  requester: { person: 'sam', name: 'Sam' },
  rule: 'r',
  amount: null,
  currency: null,
  reason: null,
  customer: null,
  target: null,
  askedAt: 5,
  neededApproval: true,
  state: 'pending',
  changedAt: 5,
  decision: undefined,
  votes: [],
}
const yes = { person: 'fay', name: 'Fay', at: 10, isYes: true }
const money = { amount: 7, currency: 'USD' }

it.each<[string, AuditEntry[], object | undefined]>([
  ['asked', [asked()], start],
  [
    'asked with all there is to say',
    [asked({ ...money, names: ['refund', 3], plan: { reason: 'why', customer: 'cus', paymentId: 'pay' } })],
    { ...start, ...money, names: ['refund', '3'], reason: 'why', customer: 'cus', target: 'pay' },
  ],
  [
    'asked with values of another kind',
    [asked({ amount: '7', currency: 7, names: 'refund', rule: undefined, clauses: 'none' })],
    { ...start, rule: '', neededApproval: false },
  ],
  [
    'asked with nothing that somebody must agree to',
    [asked({ clauses: [] })],
    { ...start, state: 'approved', decision: { state: 'approved', at: 5 }, neededApproval: false },
  ],
  [
    'asked with a confirmation',
    [asked({ clauses: [{ kind: 'confirm' }, null] })],
    { ...start, neededApproval: false },
  ],
  ['with a step that changes no state', [asked(), entry('reminded')], start],
  [
    'with a vote that is not enough',
    [asked(), entry('approved', { state: 'pending' })],
    { ...start, changedAt: 10, votes: [yes] },
  ],
  [
    'approved',
    [asked(), entry('approved', { state: 'approved' })],
    { ...start, state: 'approved', changedAt: 10, votes: [yes], decision: { state: 'approved', at: 10 } },
  ],
  [
    'rejected',
    [asked(), entry('rejected', { state: 'rejected' })],
    {
      ...start,
      state: 'rejected',
      changedAt: 10,
      votes: [{ ...yes, isYes: false }],
      decision: { state: 'rejected', at: 10 },
    },
  ],
  [
    'approved once, and applied later',
    [
      asked(),
      entry('approved', { state: 'approved' }),
      entry('hold', { state: 'approved' }, { at: 11 }),
      entry('applied', { state: 'applied' }, { at: 12 }),
    ],
    { ...start, state: 'applied', changedAt: 12, votes: [yes], decision: { state: 'approved', at: 10 } },
  ],
  ...(['asked again', 'changed', 'votes lapsed'] as const).map((kind): [string, AuditEntry[], object] => [
    `approved, and then ${kind}`,
    [asked(), entry('approved', { state: 'approved' }), entry(kind, { state: 'pending' }, { at: 11 })],
    { ...start, changedAt: 11, votes: [yes], decision: undefined },
  ]),
  ...(['asked again', 'changed'] as const).map((kind): [string, AuditEntry[], object] => [
    `${kind} with other terms`,
    [
      asked({ amount: 1, currency: 'EUR', clauses: [] }),
      entry(kind, { state: 'pending', rule: 'other', of: money, clauses: byFinance }),
    ],
    { ...start, ...money, rule: 'other', changedAt: 10 },
  ]),
  [
    'asked again with what there was',
    [asked(money), entry('asked again', { state: 'pending', clauses: [], of: { amount: '9' } })],
    { ...start, ...money, changedAt: 10 },
  ],
  [
    'whose sum is known in the end',
    [asked(), entry('applied', { state: 'applied', of: money, rule: 'other', clauses: byFinance })],
    { ...start, ...money, state: 'applied', changedAt: 10 },
  ],
  [
    'whose sum was known before',
    [asked({ amount: 1, currency: 'EUR' }), entry('applied', { state: 'applied', of: money })],
    { ...start, amount: 1, currency: 'EUR', state: 'applied', changedAt: 10 },
  ],
  [
    'whose sum nobody says',
    [asked(), entry('applied', { state: 'applied', of: { amount: '7' } })],
    { ...start, state: 'applied', changedAt: 10 },
  ],
  [
    'that is older than these entries',
    [
      entry('applied', {
        state: 'applied',
        rule: 'r',
        of: {
          ...money,
          person: 'sam',
          name: 'Sam',
          askedAt: 5,
          names: ['x'],
          reason: 'why',
          customer: 'cus',
          neededApproval: true,
        },
      }),
    ],
    { ...start, ...money, names: ['x'], reason: 'why', customer: 'cus', state: 'applied', changedAt: 10 },
  ],
  [
    'that is older, and needed nobody',
    [
      entry('applied', {
        state: 'applied',
        rule: 'r',
        of: {
          person: 'sam',
          name: 'Sam',
          askedAt: 5,
          reason: null,
          customer: null,
          target: 'pay',
          neededApproval: 'yes',
        },
      }),
    ],
    { ...start, target: 'pay', neededApproval: false, state: 'applied', changedAt: 10 },
  ],
  ['that is older, and says nothing of itself', [entry('applied', { state: 'applied' })], undefined],
  ['about no change', [asked({}, { changeId: null })], undefined],
])('a change %s', async (_, entries, expected) => {
  expect(await read(...entries)).toEqual(expected === undefined ? [] : [expected])
})

it('changes stand in the order in which they were asked for', async () => {
  const all = await read(asked({}, { changeId: 'late', at: 7 }), asked({}, { changeId: 'early', at: 6 }))
  expect(all.map(({ id }) => id)).toEqual(['early', 'late'])
})

it('who may not see a change learns neither its id nor whom it is about, and whose are one person’s all the same', async () => {
  const plan = { reason: 'why', customer: 'cus', paymentId: 'pay' }
  const changes = await read(
    asked({ plan }, { changeId: 'a' }),
    entry('approved', { state: 'approved' }, { changeId: 'a' }),
    asked({ plan }, { changeId: 'b', who: 'sue', name: 'Sue', at: 6 }),
    asked({ plan }, { changeId: 'c', at: 7 }),
  )
  const all = await namedAsFarAs(changes)
  expect(all).toEqual(changes.map((one, at) => ({ ...one, isSeen: true, requesterKey: at % 2 })))
  const [a, b, c] = await namedAsFarAs(changes, async (ids) =>
    ids.filter((id) => id === 'c').map((id) => ({ id })),
  )
  const nobody = { person: '', name: 'not shown' }
  const hidden = { id: '', requester: nobody, reason: null, customer: null, target: null, isSeen: false }
  expect(a).toEqual({
    ...changes[0],
    ...hidden,
    requesterKey: 0,
    votes: [{ ...nobody, at: 10, isYes: true }],
  })
  expect(b).toEqual({ ...changes[1], ...hidden, requesterKey: 1 })
  expect(c).toEqual({ ...changes[2], isSeen: true, requesterKey: 0 })
})

it.each([
  [0, []],
  [500, [500]],
  [501, [500, 1]],
])('of %i changes it is asked who sees them, %j at a time', async (count, pages) => {
  const changes = await read(...Array.from({ length: count }, (_, n) => asked({}, { changeId: `c${n}` })))
  const sizes: number[] = []
  const seen = await namedAsFarAs(changes, async (ids) => {
    sizes.push(ids.length)
    return ids.map((id) => ({ id }))
  })
  expect(sizes).toEqual(pages)
  expect(seen.every(({ isSeen }) => isSeen)).toBe(true)
})
