import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  actorOf,
  isDecider,
  isOwn,
  mayDecide,
  maySee,
  partyOf,
  refuseFrozen,
  refuseNonDecider,
  refuseToAgent,
  refuseToRun,
  refuseToRunNow,
} from '../../../src/kernel/actors/authorization.ts'
import { askGroups } from '../../../src/kernel/actors/membership.ts'
import type { Actor } from '../../../src/kernel/command/context.ts'
import type { Command } from '../../../src/kernel/command/define.ts'
import type { Change, Clause } from '../../../src/kernel/model/change.ts'
import { approvals, changeIn, party } from '../../approvals/sample.ts'
import { assertUntil } from '../../harness/assert-until.ts'
import { policyOf } from '../../policy/example.ts'

const written = policyOf(`version: 1
people:
  - { id: ann, name: Ann, slack: U-ann, discord: "7" }
  - { id: bob, name: Bob, slack: U-bob }
groups:
  slack: { S1: [finance] }
  discord: { "9": [finance] }
roles:
  support: { run: [refund] }
  switch: { run: [api call] }
  finance: { approve: [refund] }
  mail: { approve: ["campaign *"] }
  lister: { run: [approval list] }
everyone: { run: ["bellhop *"] }
`)
const running = (...run: string[]) => ({ run, approve: [], delegate: false })
const policy = {
  ...written,
  roles: { ...written.roles, reader: running('audit export'), worker: running('job list') },
}
const roles = ['support', 'switch', 'finance', 'mail', 'lister', 'reader', 'worker']
const someRoles = fc.subarray(roles)
const actor: fc.Arbitrary<Actor> = fc
  .record({
    account: fc.constantFrom('U-ann', 'U-bob', 'U-new'),
    roles: someRoles,
    agent: fc.option(fc.constantFrom('hers', 'other'), { nil: undefined }),
  })
  .map(({ account, roles: own, agent }) => {
    const person = { 'U-ann': 'ann', 'U-bob': 'bob', 'U-new': 'slack:U-new' }[account] as string
    const known = account !== 'U-new'
    return { person, name: person, platform: 'slack', account, known, roles: own, ...(agent && { agent }) }
  })
const clauses = fc.constantFrom<Clause[]>(
  [{ kind: 'confirm' }],
  [approvals(1)],
  [approvals(1, [])],
  [approvals(1, ['mail'])],
)
const change: fc.Arbitrary<Change> = fc
  .record({
    clauses,
    state: fc.constantFrom('pending' as const, 'unknown' as const, 'applied' as const),
    by: fc.constantFrom('U-ann', '7', 'U-new'),
    agent: fc.option(fc.constantFrom('hers', 'other'), { nil: undefined }),
    pinned: fc.boolean(),
    standsFor: fc.constantFrom<string[] | undefined>(undefined, ['refund']),
    isEmergency: fc.boolean(),
    changedBy: fc.option(fc.constantFrom('U-ann', 'U-bob'), { nil: undefined }),
  })
  .map(({ clauses: asked, state, by, agent, pinned, standsFor, isEmergency, changedBy }) =>
    changeIn(state, {
      clauses: asked,
      requester: party('then', {
        platform: by === '7' ? 'discord' : 'slack',
        account: by,
        ...(agent && { agent }),
      }),
      ...(pinned && { pinned: 'job' as never }),
      ...(isEmergency && { emergency: { why: 'It is due tonight' } }),
      ...(changedBy && { changedBy: [party('then', { account: changedBy })] }),
      ...(standsFor && { command: 'api call', names: ['api call', 'refund'], standsFor }),
    }),
  )
const ownerOf = ({ account }: { account: string }) =>
  ({ 'U-ann': 'ann', '7': 'ann', 'U-bob': 'bob' })[account] ?? `slack:${account}`

it('who may ask, see and decide is what the file says of their roles, and of nobody else’s', async () => {
  const seen = new Set<string>()
  await assertUntil(
    fc.property(actor, change, (who, some) => {
      const has = (...any: string[]) => any.some((role) => who.roles.includes(role))
      const [asked] = some.clauses as [Clause]
      // One of its names in the list of one of their roles, and a role that the clause asks for.
      const isAskedFor =
        asked.kind === 'confirm' || asked.from.length === 0 || asked.from.some((role) => has(role))
      const decides = has('finance') && isAskedFor
      const isTheirs =
        ownerOf(some.requester) === who.person &&
        (who.agent === undefined || who.agent === some.requester.agent)
      // Whoever has changed it since stands behind it too; no agent does.
      const hasChanged =
        who.agent === undefined && (some.changedBy ?? []).some((one) => ownerOf(one) === who.person)
      const areListed = who.known && some.requester.account !== 'U-new'
      expect(isDecider(policy, who, some)).toBe(decides)
      expect(mayDecide(policy, who, some)).toBe(decides && areListed)
      expect(isOwn(who, { requester: { ...some.requester, person: ownerOf(some.requester) } })).toBe(isTheirs)
      const isPrivate = asked.kind === 'confirm' && some.state !== 'unknown' && some.emergency === undefined
      const sees =
        isTheirs ||
        hasChanged ||
        has('reader') ||
        (some.pinned !== undefined && has('worker')) ||
        (!isPrivate && (decides || has('lister')))
      expect(maySee(policy, who, some)).toBe(sees)
      // Through a switch it takes the switch and what it stands for.
      const mayAsk = has('support') && (some.standsFor === undefined || has('switch'))
      const refused = refuseToRunNow(policy, who, some)?.code
      expect(refused).toBe(
        mayAsk ? undefined : who.known || who.roles.length > 0 ? 'may_not_run' : 'stranger',
      )
      seen.add(`${sees} ${decides} ${refused}`)
    }),
    1_500,
    () => seen.size > 8,
  )
  expect(seen.size).toBeGreaterThan(8)
})

it('a refusal names the roles that were asked about, and whose they are', () => {
  const bob: Actor = {
    person: 'bob',
    name: 'Bob',
    platform: 'slack',
    account: 'U-bob',
    known: true,
    roles: ['mail'],
  }
  expect(refuseToRun(policy, bob, ['refund'])?.message).toBe('None of your roles (mail) may run refund.')
  expect(refuseToRun(policy, { ...bob, roles: [] }, ['refund'], 'the roles of Bob')?.message).toBe(
    'None of the roles of Bob (none) may run refund.',
  )
  expect(refuseToRun(policy, { ...bob, roles: [] }, ['bellhop help'])).toBeUndefined()
})

describe('a freeze', () => {
  it('that was set first is the one that is told of', async () => {
    const freezes = {
      all: async () => ['email', 'all', 'billing'].map((area, at) => ({ area, name: 'Fay', reason: '', at })),
    }
    const refused = await refuseFrozen({ freezes } as never, 'billing', {})
    expect(refused?.message).toBe('All changes are frozen by Fay.')
  })

  it.each<[string, string, string | undefined, boolean]>([
    ['all', 'billing', undefined, true],
    ['all', 'bellhop', undefined, false],
    ['billing', 'billing', undefined, true],
    ['billing', 'email', undefined, false],
    ['agents', 'billing', 'hers', true],
    ['agents', 'bellhop', 'hers', true],
    ['agents', 'billing', undefined, false],
  ])('of %s stops a change in %s by the agent %s: %s', async (area, of, agent, stops) => {
    for (const reason of ['', 'too many']) {
      const freezes = { all: async () => [{ area, name: 'Fay', reason, at: 1 }] }
      const refused = await refuseFrozen(
        { freezes } as never,
        of as never,
        agent === undefined ? {} : { agent },
      )
      expect(refused?.message.endsWith(reason === '' ? 'frozen by Fay.' : 'frozen by Fay: too many.')).toBe(
        stops || undefined,
      )
    }
  })
})

it('nothing is decided by an agent, nor where nobody can tell who it is', () => {
  const bob: Actor = {
    person: 'bob',
    name: 'Bob',
    platform: 'slack',
    account: 'U-bob',
    known: true,
    roles: [],
  }
  expect(refuseNonDecider(bob, 'approve')).toBeUndefined()
  expect(refuseNonDecider({ ...bob, operator: 'root' }, 'approve')?.message).toContain(
    'nobody can tell who you are',
  )
  expect(refuseNonDecider({ ...bob, agent: 'hers' }, 'approve')?.message).toContain('An agent asks')
  expect(refuseNonDecider({ ...bob, agent: 'hers' }, 'cancel')).toBeUndefined()
  const command = (over: Partial<Command>) => ({ name: 'x', kind: 'query', ...over }) as Command
  const codes = [
    undefined,
    command({}),
    command({ kind: 'decision' }),
    command({ personal: true } as never),
  ].map((one) => [refuseToAgent(bob, one), refuseToAgent({ ...bob, agent: 'hers' }, one)?.code])
  expect(codes).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [undefined, 'may_not_approve'],
    [undefined, 'may_not_run'],
  ])
})

it('somebody on the machine is named beside the person in whose name they speak', () => {
  const from = { platform: 'slack', account: 'U-ann', groups: ['S1'] }
  const plain = actorOf(policy, from as never)
  expect(plain).toMatchObject({ person: 'ann', name: 'Ann', roles: ['finance'], groups: ['S1'] })
  expect(partyOf(plain)).toEqual({
    person: 'ann',
    name: 'Ann',
    platform: 'slack',
    account: 'U-ann',
    roles: ['finance'],
  })
  expect(actorOf(policy, { ...from, operator: 'root' } as never)).toMatchObject({
    name: 'Ann (said by root on the machine)',
    operator: 'root',
  })
})

describe('the groups that somebody is in', () => {
  afterEach(() => void vi.useRealTimers())
  const ann = { platform: 'slack', account: 'U-ann' }
  const asking = (memberships: Record<string, (account: string) => Promise<readonly string[]>>) => {
    const warned: string[] = []
    const messengers = new Map(
      Object.entries(memberships).map(([name, membership]) => [name, { membership }]),
    )
    const log = { warn: (_: object, words: string) => void warned.push(words) }
    return { core: { policy, messengers, log } as never, warned }
  }

  it('are asked of the messengers whose groups give roles, once for each account', async () => {
    const asked: string[] = []
    const member = (of: string, group: string) => async (account: string) => {
      asked.push(`${of} ${account}`)
      return [group]
    }
    const { core } = asking({ slack: member('slack', 'S1'), discord: member('discord', '9') })
    const console = { platform: 'console', account: 'ann' }
    const foreign = { ...ann, workspace: 'T9' }
    const groups = await askGroups(core, [ann, ann, console, foreign])
    expect([ann, console, foreign].map((one) => groups(one))).toEqual([['S1'], ['slack:S1', 'discord:9'], []])
    expect(groups({ platform: 'slack', account: 'U-bob' })).toBeUndefined()
    expect(asked.sort()).toEqual(['discord 7', 'slack U-ann', 'slack U-ann'])
  })

  it('are not known where a messenger fails, is not there, or takes too long', async () => {
    const failing = asking({ slack: () => Promise.reject(new Error('down')), discord: async () => ['9'] })
    expect((await askGroups(failing.core, [ann]))(ann)).toBeUndefined()
    expect(failing.warned).toHaveLength(1)
    const console = { platform: 'console', account: 'ann' }
    expect((await askGroups(failing.core, [console]))(console)).toBeUndefined()
    expect((await askGroups(asking({}).core, [ann]))(ann)).toBeUndefined()
    vi.useFakeTimers()
    const late = askGroups(asking({ slack: () => new Promise(() => undefined) }).core, [ann])
    let isDone = false
    void late.then(() => {
      isDone = true
    })
    await vi.advanceTimersByTimeAsync(2_499)
    expect(isDone).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect((await late)(ann)).toBeUndefined()
  })
})
