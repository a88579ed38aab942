import { expect, it, test } from 'vitest'
import { isIn, isRefused, wantedOf } from '../../src/kernel/cards/card-places.ts'
import { listMark, listPlaceOf } from '../../src/kernel/cards/list-mark.ts'
import type { Change, ChangeState, Clause } from '../../src/kernel/model/change.ts'
import { policyOf } from '../policy/example.ts'
import { approvals, changeIn, party } from './sample.ts'

const policy = policyOf(`version: 1
workspaces: { slack: [T2] }
people:
  - { id: ann, name: Ann, slack: U0A, roles: [support] }
  - { id: bob, name: Bob, slack: U0B, discord: "402", roles: [finance] }
  - { id: cat, name: Cat, discord: "403", roles: [finance] }
  - { id: dan, name: Dan, slack: T2/U0D, roles: [finance] }
  - { id: eve, name: Eve, slack: U0E, roles: [support] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
approvals: { slack: [C0, T2/C0], discord: "300" }
`)
const confirm: Partial<Change> = { clauses: [{ kind: 'confirm' }] }
const origin = (over: object) => ({
  origin: { platform: 'slack', channel: 'C1', handle: 'h', direct: false, ...over } as Change['origin'],
})
const closed = (...channels: [string, string][]): Partial<Change> => ({
  reach: {
    refusals: channels.map(([platform, to]) => ({ platform, place: 'mirror', to, why: 'x' })),
    asked: [],
  },
})
const named = (person: string, as: 'manager' | 'asked'): Partial<Change> => ({
  clauses: [{ ...approvals(1), people: [{ person, name: person, as }] } as Clause],
})
const both: [string, string][] = [
  ['slack', 'C0'],
  ['discord', '300'],
]

type Where = { joined?: string[]; shared?: boolean; approvals?: boolean }
const placesOf = async (state: ChangeState, over: Partial<Change>, where: Where = {}) => {
  const { joined = ['slack', 'discord'], shared = false, approvals: hasChannels = true } = where
  const core = {
    policy: hasChannels ? policy : { ...policy, approvals: [] },
    messengers: new Map(joined.map((platform) => [platform, { platform, isShared: shared }])),
    store: { absences: { active: async () => [] } },
  } as never as Parameters<typeof wantedOf>[0]
  const wanted = await wantedOf(core, changeIn(state, over))
  return wanted.map(({ platform, place, target }) => {
    const to =
      'account' in target
        ? target.account
        : `${target.channel}${target.onlyFor ? ` for ${target.onlyFor}` : ''}`
    return `${place} ${platform} ${to}`
  })
}
const mirrors = ['mirror slack C0', 'mirror discord 300']

/** Written from the sentences: where it was asked, where those look who decide, and in person where nobody would see it. */
it.each<[string, ChangeState, Partial<Change>, Where, string[]]>([
  ['one that needs people', 'pending', {}, {}, ['origin slack C1', ...mirrors]],
  ['one that has ended', 'applied', {}, {}, ['origin slack C1', ...mirrors]],
  [
    'one asked in the approvals channel',
    'pending',
    origin({ channel: 'C0' }),
    {},
    ['origin slack C0', 'mirror discord 300'],
  ],
  [
    'one asked in a channel that another messenger calls as its approvals channel',
    'pending',
    origin({ channel: '300' }),
    {},
    ['origin slack 300', ...mirrors],
  ],
  [
    'one of another workspace',
    'pending',
    { requester: party('ann', { space: 'slack:T2' }) },
    {},
    ['origin slack C1', 'mirror slack T2/C0'],
  ],
  [
    'where one messenger is not joined',
    'pending',
    {},
    { joined: ['slack'] },
    ['origin slack C1', 'mirror slack C0'],
  ],
  ['one that a program waits for', 'pending', origin({ waits: true }), {}, mirrors],
  ['one that its requester confirms', 'pending', confirm, {}, ['origin slack C1 for U-ann']],
  [
    'one that was confirmed and done',
    'applied',
    confirm,
    {},
    ['origin slack C1 for U-ann', 'public slack C1'],
  ],
  ['one that was confirmed and failed', 'failed', confirm, {}, ['origin slack C1 for U-ann']],
  [
    'one that was confirmed in private',
    'applied',
    { ...confirm, ...origin({ direct: true }) },
    {},
    ['origin slack C1 for U-ann'],
  ],
  [
    'one that was confirmed and is unknown',
    'unknown',
    confirm,
    {},
    ['origin slack C1 for U-ann', 'public slack C1', ...mirrors],
  ],
  [
    'one that was confirmed in the approvals channel and is unknown',
    'unknown',
    { ...confirm, ...origin({ channel: 'C0' }) },
    {},
    ['origin slack C0 for U-ann', 'public slack C0', ...mirrors],
  ],
  [
    'one that somebody does alone',
    'applied',
    { ...confirm, emergency: { why: 'x' } },
    {},
    ['origin slack C1', ...mirrors],
  ],
  [
    'told directly',
    'pending',
    { notify: 'direct' },
    {},
    ['origin slack C1', 'direct:bob slack U0B', 'direct:cat discord 403', ...mirrors],
  ],
  [
    'told directly, once it is decided',
    'approved',
    { notify: 'direct' },
    {},
    ['origin slack C1', ...mirrors],
  ],
  [
    'asked in private, with channels',
    'pending',
    origin({ direct: true }),
    {},
    ['origin slack C1', ...mirrors],
  ],
  [
    'asked in private, without channels',
    'pending',
    origin({ direct: true }),
    { approvals: false },
    ['origin slack C1', 'direct:bob slack U0B', 'direct:cat discord 403'],
  ],
  [
    'asked in private, where only the channel is to be told',
    'pending',
    { ...origin({ direct: true }), notify: 'channel' },
    { approvals: false },
    ['origin slack C1'],
  ],
  [
    'asked in private where all look',
    'pending',
    origin({ direct: true }),
    { approvals: false, shared: true },
    ['origin slack C1'],
  ],
  [
    'with one channel closed',
    'pending',
    closed(['slack', 'C0']),
    {},
    ['origin slack C1', 'direct:bob slack U0B', ...mirrors],
  ],
  [
    'with another channel closed that is none of its own',
    'pending',
    closed(['slack', 'C9']),
    {},
    ['origin slack C1', ...mirrors],
  ],
  [
    'with all channels closed',
    'pending',
    closed(...both),
    {},
    ['origin slack C1', 'direct:bob slack U0B', 'direct:cat discord 403', ...mirrors],
  ],
  [
    'unknown, with a channel closed',
    'unknown',
    closed(['slack', 'C0']),
    {},
    ['origin slack C1', 'direct:bob slack U0B', ...mirrors],
  ],
  [
    'unknown, with all channels closed',
    'unknown',
    closed(...both),
    {},
    ['origin slack C1', 'direct:bob slack U0B', 'direct:cat discord 403', ...mirrors],
  ],
  ['done, with a channel closed', 'applied', closed(['slack', 'C0']), {}, ['origin slack C1', ...mirrors]],
  [
    'that asks a manager by name',
    'pending',
    named('eve', 'manager'),
    {},
    ['origin slack C1', 'direct:eve slack U0E', ...mirrors],
  ],
  [
    'that asked one by name, and is decided',
    'approved',
    named('eve', 'manager'),
    {},
    ['origin slack C1', ...mirrors],
  ],
])('a card is wanted: %s', async (_, state, over, where, places) => {
  expect(await placesOf(state, over, where)).toEqual(places)
})

test('in person somebody has it in whichever messenger, elsewhere in each place apart', () => {
  const at = (platform: string, place: string) => ({ platform, place, target: {} as never })
  expect(isIn([at('slack', 'mirror')], at('slack', 'mirror'))).toBe(true)
  expect(isIn([at('slack', 'mirror')], at('discord', 'mirror'))).toBe(false)
  expect(isIn([at('slack', 'direct:bob')], at('discord', 'direct:bob'))).toBe(true)
  expect(isIn([at('slack', 'direct:bob')], at('slack', 'direct:cat'))).toBe(false)
  expect(isIn([at('slack', 'x'), at('slack', 'mirror')], at('slack', 'mirror'))).toBe(true)
})

test('a place refused it by its messenger and channel, a person in whichever messenger', () => {
  const change = changeIn('pending', {
    reach: {
      refusals: [
        { platform: 'slack', place: 'mirror', to: 'C0', why: 'x' },
        { platform: 'slack', place: 'direct:bob', to: 'Bob', why: 'x' },
      ],
      asked: [],
    },
  })
  expect([
    isRefused(change, 'slack', 'mirror', 'C0'),
    isRefused(change, 'slack', 'mirror'),
    isRefused(change, 'slack', 'mirror', 'C9'),
    isRefused(change, 'discord', 'mirror', 'C0'),
    isRefused(change, 'discord', 'direct:bob', 'other'),
    isRefused(change, 'slack', 'direct:cat'),
    isRefused(changeIn('pending'), 'slack', 'mirror'),
  ]).toEqual([true, true, false, false, true, false, false])
})

test('a button of a list says which page it stands on', () => {
  for (const page of [1, 2, 17]) expect(listPlaceOf(`c1.0123.${listMark(page)}`)).toEqual({ page, part: 0 })
  expect(listPlaceOf(`c1.0123.${listMark(2)}-3`)).toEqual({ page: 2, part: 3 })
  expect([listPlaceOf('c1.0123'), listPlaceOf('c1.0123.other'), listPlaceOf('c1.0123.listx')]).toEqual([
    undefined,
    undefined,
    { page: 1, part: 0 },
  ])
})
