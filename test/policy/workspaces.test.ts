import { expect, it, test } from 'vitest'
import type { Change, Clause } from '../../src/kernel/model/change.ts'
import { partiesBehind, requestAuthors } from '../../src/kernel/policy/behind-request.ts'
import { decidersOf, othersWho } from '../../src/kernel/policy/deciders.ts'
import { isListed, refuseUndecidable, refuseUnlisted, whoMayRun } from '../../src/kernel/policy/listed.ts'
import { isWorkflow, managersOf, personOf, spaceFrom } from '../../src/kernel/policy/people.ts'
import { whoCanView } from '../../src/kernel/policy/who-can.ts'
import {
  accountsWithin,
  approvalsIn,
  homeOf,
  isListedIn,
  isOfAllWorkspaces,
  isOfWorkspace,
} from '../../src/kernel/policy/workspaces.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { approvals, changeIn, party } from '../approvals/sample.ts'
import { policyOf } from './example.ts'

const file = `version: 1
workspaces: { slack: [T2], discord: ["60"] }
people:
  - { id: ann, name: Ann, slack: U0A, roles: [support], manager: bob }
  - { id: bob, name: Bob, slack: [T2/U0B, U0B], discord: "402", roles: [finance], manager: cat }
  - { id: cat, name: Cat, slack: T2/U0C, roles: [finance], manager: dan }
  - { id: dan, name: Dan, roles: [finance] }
  - { id: eve, name: Eve, discord: "60/405", roles: [legal], manager: eve2 }
  - { id: eve2, name: Eve two, discord: "406", roles: [] }
agents:
  - { id: hers, name: Hers, owner: cat, roles: [support], token: { env: HERS } }
  - { id: flow, name: Flow, owner: bob, roles: [support], token: { workflow: true } }
roles:
  support: { run: [refund, "list *"] }
  finance: { run: ["*"], approve: [refund, "campaign *"] }
  legal: { run: [refund], approve: [upgrade] }
everyone: { run: ["bellhop *"] }
approvals: { slack: [T2/C0, C0], discord: "300" }
policies:
  - { name: small, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: large, commands: [refund], amount: { over: 50, upTo: 90 }, require: [{ approvals: 2, from: [finance] }, { approvals: 1 }] }
  - { name: mail, commands: ["list *"], require: none }
`
const policy = policyOf(file)
const [first, t2, g60, nowhere] = [undefined, 'slack:T2', 'discord:60', 'slack:T9']
const spaces = [first, t2, g60, nowhere]

const listed: Record<string, (string | undefined)[]> = {
  ann: [first],
  bob: [first, t2],
  cat: [t2],
  dan: [first],
  eve: [g60],
  eve2: [first],
  nobody: [],
}

test('everybody is listed where their accounts are, and without any in the first workspace', () => {
  const found = Object.keys(listed).map((id) => [
    id,
    spaces.filter((space) => isListedIn(policy, id, { requester: { space } })),
  ])
  expect(Object.fromEntries(found)).toEqual(listed)
  expect(policy.spaces).toEqual([undefined, t2, g60])
})

test('somebody is of a workspace by speaking there, or by being listed there', () => {
  for (const person of Object.keys(listed))
    for (const space of spaces)
      for (const asked of spaces)
        expect(
          isOfWorkspace(policy, { person, platform: 'slack', space } as never, {
            requester: { space: asked } as never,
          }),
        ).toBe(space === asked || (listed[person] ?? []).includes(asked))
})

test('what is of all workspaces is for who is listed in each of them', () => {
  const everywhere = { ...policy, spaces: [first, t2] }
  const speaks = (person: string, space?: string) => ({ person, platform: 'slack', space }) as never
  const able = Object.keys(listed).filter((one) => isOfAllWorkspaces(everywhere, speaks(one, nowhere)))
  expect(able).toEqual(['bob'])
  expect(isOfAllWorkspaces(everywhere, speaks('ann', t2))).toBe(true)
  expect(isOfAllWorkspaces(policy, speaks('bob', first))).toBe(false)
})

test('somebody is at home in the first workspace if they are there at all', () => {
  const homes = Object.keys(listed).map((id) => [id, homeOf(policy, id)])
  expect(Object.fromEntries(homes)).toEqual({
    ...{ ann: first, bob: first, cat: t2, dan: first, eve: g60, eve2: first },
    nobody: undefined,
  })
})

test('the accounts of somebody in a workspace, and its approvals channels', () => {
  const within = (id: string, space?: string) => {
    const person = policy.people.find((one) => one.id === id) as (typeof policy.people)[number]
    return Object.values(accountsWithin(person, space)).join(' ')
  }
  expect([within('bob'), within('bob', t2), within('bob', g60), within('cat')]).toEqual([
    'U0B 402 bob bob',
    'bob bob T2/U0B',
    'bob bob',
    'cat cat',
  ])
  expect(spaces.map((space) => approvalsIn(policy, space).map((one) => one.join(' ')))).toEqual([
    ['slack C0', 'discord 300'],
    ['slack T2/C0'],
    [],
    [],
  ])
})

test('an account speaks in its own workspace, an id in the one where its person is at home', () => {
  const from = (platform: string, account: string) => spaceFrom(policy, { platform, account })
  expect([from('slack', 'U0B'), from('slack', 'T2/U0B'), from('slack', 'T9/U9')]).toEqual([
    first,
    t2,
    'slack:T9',
  ])
  expect([from('console', 'cat'), from('console', 'bob'), from('console', 'who')]).toEqual([t2, first, first])
  // An account that is nobody's id says nothing of where its person is at home.
  expect(from('discord', '406')).toBe(first)
  expect(from('slack', 'cat')).toBe(first)
  expect(from('mcp', 'hers')).toBe(t2)
  const workflow = policy.agents[1]?.accounts.slack as string
  expect([from('slack', workflow), from('slack', `T2/${workflow}`)]).toEqual([first, t2])
  // Eve has no account there, so her workflows are of the first workspace, wherever she is at home.
  const far = policyOf(file.replace('owner: bob', 'owner: eve'))
  expect(spaceFrom(far, { platform: 'slack', account: workflow })).toBe(first)
})

test('an agent is who asks by one of its accounts, of which those of workflows are told apart', () => {
  const workflow = policy.agents[1]?.accounts.slack as string
  const agentOf = (platform: string, account: string) =>
    personOf(policy, { platform, account, groups: [] }).agent
  expect(policy.agents[1]?.elsewhere).toEqual([{ platform: 'slack', account: `T2/${workflow}` }])
  expect([agentOf('slack', `T2/${workflow}`), agentOf('discord', `T2/${workflow}`)]).toEqual([
    'flow',
    undefined,
  ])
  expect([agentOf('slack', `T3/${workflow}`), agentOf('mcp', 'hers'), agentOf('slack', 'hers')]).toEqual([
    undefined,
    'hers',
    undefined,
  ])
  const moved = {
    ...policy,
    agents: policy.agents.map((one) =>
      one.id === 'flow'
        ? {
            ...one,
            elsewhere: [
              { platform: 'slack', account: 'T3/W' },
              { platform: 'slack', account: 'T4/W' },
            ],
          }
        : one,
    ),
  }
  expect(personOf(moved, { platform: 'slack', account: 'T4/W', groups: [] }).agent).toBe('flow')
  expect([
    isWorkflow(policy, 'slack', workflow),
    isWorkflow(policy, 'mcp', 'hers'),
    isWorkflow(policy, 'slack', 'U0A'),
  ]).toEqual([true, false, false])
})

test('a manager is whoever the file names, is somebody else and is listed where it is asked', () => {
  const asked = (id: string, space?: string, from = policy) =>
    managersOf(from, id, space)?.map(({ name, as }) => `${name} as ${as}`)
  expect([asked('ann'), asked('ann', t2), asked('ann', g60)]).toEqual([
    ['Bob as manager'],
    ['Bob as manager'],
    [],
  ])
  expect([asked('bob'), asked('bob', t2), asked('dan'), asked('nobody')]).toEqual([
    [],
    ['Cat as manager'],
    [],
    [],
  ])
  const own = { ...policy, people: policy.people.map((one) => ({ ...one, manager: one.id })) }
  expect(asked('ann', first, own)).toEqual([])
  const role = { ...policy, roles: { ...policy.roles, manager: { run: [], approve: [] } } }
  expect(asked('ann', first, role)).toBeUndefined()
})

/** Written from the sentence: of the workspace, not behind the request, and one of the clauses asks for them. */
test('who may decide is of the workspace of the request, and stands not behind it', () => {
  const ask = (over: Partial<Change> = {}, space?: string) =>
    changeIn('pending', {
      requester: party('ann', { account: 'U0A', ...(space && { space }) }),
      ...over,
    })
  const names = (change: Change, from = policy) => decidersOf(from, change).map(({ name }) => name)
  expect(names(ask())).toEqual(['Bob', 'Dan'])
  expect(names(ask({}, t2))).toEqual(['Bob', 'Cat'])
  expect(names(ask({ changedBy: [party('dan')] }))).toEqual(['Bob'])
  expect(names(ask({ requester: party('bob') }))).toEqual(['Dan'])
  expect(names(ask({ clauses: [approvals(1, ['legal'])] }))).toEqual([])
  expect(names(ask({ clauses: [{ kind: 'confirm' }] }))).toEqual(['Bob', 'Dan'])
  expect(names(ask({ standsFor: ['upgrade'], clauses: [approvals(1, [])] }, g60))).toEqual(['Eve'])
  expect(othersWho(policy, ask())).toBe('Bob, Dan can.')
  expect(othersWho(policy, ask({}, nowhere))).toBe('Somebody else who has the role finance can.')
  const both = {
    ...policy,
    roles: { ...policy.roles, cfo: { run: [], approve: ['refund'] } },
  }
  expect(othersWho(both, ask({}, nowhere))).toBe('Somebody else who has the role finance or cfo can.')
  expect(othersWho(policy, ask({ names: ['addon delete'] }))).toBe(
    'Nobody may approve addon delete yet: the policy file must give somebody that right.',
  )
})

test('behind a request stand who asked and who changed it, by who they are today', () => {
  const change = {
    requester: party('old', { account: 'U0A' }),
    changedBy: [party('bob', { account: 'U0B' }), party('x', { account: 'U9' })],
  }
  expect(partiesBehind(change).map(({ person }) => person)).toEqual(['old', 'bob', 'x'])
  expect(partiesBehind({ requester: change.requester })).toHaveLength(1)
  expect(requestAuthors(change)).toEqual(['old', 'bob', 'x'])
  expect(requestAuthors(change, policy)).toEqual(['ann', 'bob', 'slack:U9'])
})

const managerless: Clause = { ...approvals(1, []), people: [] } as Clause

it.each<[string, string, Clause[], string | undefined]>([
  ['a listed account', 'U0A', [approvals(1)], undefined],
  ['an account that nobody lists, of what nobody else decides', 'U9', [{ kind: 'confirm' }], undefined],
  [
    'an account that nobody lists',
    'U9',
    [{ kind: 'confirm' }, approvals(1)],
    'unlisted: This needs somebody else’s approval, and bellhop.yml does not list the slack account U9, which asks for it: nobody could tell that it is somebody else. Bob, Cat, Dan can add it to its person in bellhop.yml.',
  ],
  [
    'a manager who is not there',
    'U0A',
    [approvals(1), managerless],
    'no_manager: This needs the approval of a manager (rule "refund"), and bellhop.yml names none for whoever asks. Nobody was asked. Bob, Cat, Dan can add manager to that person in bellhop.yml.',
  ],
])('whom nobody could be asked for: %s', (_, account, clauses, said) => {
  const why = refuseUndecidable(policy, { platform: 'slack', account }, clauses)
  expect(why && `${why.code}: ${why.message} ${why.next}`).toBe(said)
})

test('who decides and who asked are two people whom the file lists', () => {
  const asked = (decider: string, requester: string) => {
    const by = { platform: 'slack', account: decider }
    const why = refuseUnlisted(policy, by, { requester: party('x', { account: requester }) })
    return why && `${why.code}: ${why.message} ${why.next}`
  }
  const next = 'Bob, Cat, Dan can add it to its person in bellhop.yml.'
  expect(asked('U0B', 'U0A')).toBeUndefined()
  const own = `unlisted: bellhop.yml does not list the slack account U9, so nobody can tell that you are not who asked. ${next}`
  expect(asked('U9', 'U0A')).toBe(own)
  expect(asked('U9', 'U8')).toBe(own)
  expect(asked('U0B', 'U8')).toBe(
    `unlisted: bellhop.yml does not list the slack account U8, so nobody can tell that somebody else asked. ${next}`,
  )
  expect(isListed(policy, { platform: 'slack', account: 'U0A', workspace: 'T7' })).toBe(false)
})

test('who may run a command is told by roles, and to people of a workspace by the names of those there', () => {
  const told = (space: string | undefined, names: string[], agent?: string) =>
    whoMayRun(policy, { space, agent }, names)
  expect([told(first, ['addon delete']), told(t2, ['addon delete'])]).toEqual([
    'The role finance may run it; ask one of: Bob, Dan.',
    'The role finance may run it; ask one of: Bob, Cat.',
  ])
  expect([
    told(first, ['list create']),
    told(nowhere, ['list create']),
    told(first, ['refund'], 'hers'),
  ]).toEqual([
    'The roles support and finance may run it; ask one of: Ann, Bob, Dan.',
    'The roles support and finance may run it.',
    'The roles support and finance and legal may run it.',
  ])
  const bare = { ...policy, roles: { support: { run: ['refund'], approve: [] } } }
  expect(whoMayRun(bare, { space: first }, ['addon delete'])).toBe('No role may run it yet.')
})

test('who can is told with the rules that speak of it', () => {
  const shown = (command: string, space?: string) =>
    textOfView(whoCanView(policy, { space } as never, command, [command]))
  expect(
    [shown('refund'), shown('refund', g60), shown('list create'), shown('upgrade')].join('\n\n'),
  ).toMatchInlineSnapshot(`
    "Who can run and approve refund

    May run it      support, finance, legal: Ann, Bob, Dan
    May approve it  finance: Bob, Dan

    Rule   For                           Needs
    small  amounts up to 50              a confirmation by the requester
    large  amounts over 50 and up to 90  2 approvals from finance and 1 approval

    policy explain and a whole line says which of them decides.

    Who can run and approve refund

    May run it      support, finance, legal: Eve
    May approve it  finance: nobody whom bellhop.yml lists

    Rule   For                           Needs
    small  amounts up to 50              a confirmation by the requester
    large  amounts over 50 and up to 90  2 approvals from finance and 1 approval

    policy explain and a whole line says which of them decides.

    Who can run and approve list create

    May run it      support, finance: Ann, Bob, Dan
    May approve it  nobody yet

    Rule  For         Needs
    mail  any amount  nothing

    policy explain and a whole line says which of them decides.

    Who can run and approve upgrade

    May run it      finance: Bob, Dan
    May approve it  legal: nobody whom bellhop.yml lists

    No rule speaks of it: what holds without one is in docs/policy.md.

    policy explain and a whole line says which of them decides."
  `)
  expect(
    textOfView(whoCanView({ ...policy, people: [], roles: {} }, {} as never, 'refund', ['refund'])),
  ).toMatchInlineSnapshot(`
    "Who can run and approve refund

    May run it      nobody yet
    May approve it  nobody yet

    Rule   For                           Needs
    small  amounts up to 50              a confirmation by the requester
    large  amounts over 50 and up to 90  2 approvals from finance and 1 approval

    policy explain and a whole line says which of them decides."
  `)
})
