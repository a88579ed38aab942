import { describe, expect, it } from 'vitest'
import type { Party } from '../../src/kernel/model/change.ts'
import {
  accountsInGroups,
  administratorsOf,
  agentsWithOwners,
  approveNamesOf,
  groupOf,
  isAdministrator,
  mayApprove,
  mayRun,
  onceForRoles,
  personNamed,
  personNow,
  personOf,
  rolesNow,
} from '../../src/kernel/policy/people.ts'
import { exampleFile, policyOf } from './example.ts'

const policy = policyOf(exampleFile)

describe('who an account is', () => {
  it('is one person in both messengers, in the console and in the terminal', () => {
    const accounts = [
      ['slack', 'U0SUPPORT'],
      ['discord', '400000000000000001'],
      ['console', 'p1'],
      ['terminal', 'p1'],
    ] as const
    for (const [platform, account] of accounts) {
      expect(personOf(policy, { platform, account, groups: [], name: 'sam (he)' })).toEqual({
        person: 'p1',
        name: 'Support one',
        known: true,
        roles: ['support'],
      })
    }
  })

  it('is a stranger on a platform where the same text means somebody else', () => {
    expect(personOf(policy, { platform: 'discord', account: 'U0SUPPORT', groups: [] })).toEqual({
      person: 'discord:U0SUPPORT',
      name: 'U0SUPPORT',
      known: false,
      roles: [],
    })
    expect(personOf(policy, { platform: 'slack', account: 'p1', groups: [] }).known).toBe(false)
    expect(personOf(policy, { platform: 'terminal', account: 'U0SUPPORT', groups: [] }).known).toBe(false)
  })

  it('has the roles of its groups as well, known or not', () => {
    const known = personOf(policy, {
      platform: 'slack',
      account: 'U0SUPPORT',
      groups: ['S0FIN', 'S0FIN', 'S9'],
    })
    const stranger = personOf(policy, {
      platform: 'discord',
      account: '7',
      groups: ['500000000000000001'],
      name: 'Ina',
    })
    expect(known.roles).toEqual(['support', 'finance'])
    expect(stranger).toEqual({ person: 'discord:7', name: 'Ina (7)', known: false, roles: ['finance'] })
  })

  it('gets no role from the group of another platform, nor from a name that every object has', () => {
    const groups = ['S0FIN', 'constructor', '__proto__', 'toString']
    expect(personOf(policy, { platform: 'discord', account: '7', groups }).roles).toEqual([])
    expect(personOf(policy, { platform: 'console', account: 'x', groups }).roles).toEqual([])
    expect(mayRun(policy, { roles: ['constructor', '__proto__'] }, ['refund'])).toBe(false)
  })
})

describe('what somebody may do', () => {
  const support = personOf(policy, { platform: 'terminal', account: 'p1', groups: [] })
  const finance = personOf(policy, { platform: 'terminal', account: 'p2', groups: [] })
  const stranger = personOf(policy, { platform: 'slack', account: 'U9', groups: [] })

  it('is what their roles say, and what everyone may', () => {
    expect(mayRun(policy, support, ['refund'])).toBe(true)
    expect(mayRun(policy, support, ['subscriber get'])).toBe(true)
    expect(mayRun(policy, support, ['transaction delete'])).toBe(false)
    expect(mayRun(policy, support, ['api call', 'refund'])).toBe(true)
    expect(mayRun(policy, finance, ['transaction delete'])).toBe(true)
    expect(mayRun(policy, stranger, ['bellhop help'])).toBe(true)
    expect(mayRun(policy, stranger, ['subscriber get'])).toBe(false)
  })

  it('is nothing at all when the file gives nothing', () => {
    const empty = policyOf('version: 1')
    expect(mayRun(empty, { roles: ['finance'] }, ['bellhop help'])).toBe(false)
    expect(mayApprove(empty, { roles: ['finance'] }, ['refund'])).toBe(false)
  })

  it('includes approving only by an approve list: running is not approving', () => {
    expect(mayApprove(policy, support, ['refund'])).toBe(false)
    expect(mayApprove(policy, finance, ['refund'])).toBe(true)
    expect(mayApprove(policy, stranger, ['bellhop help'])).toBe(false)
  })
})

describe('who somebody is today', () => {
  const agents = policyOf(
    `${exampleFile}agents:\n  - { id: hers, name: Hers, owner: p2, roles: [support], token: { env: HERS } }\n`,
  )
  const at = (platform: string, account: string, roles: string[] = []): Party => ({
    person: 'then',
    name: 'Then',
    platform,
    account,
    roles,
  })

  it('goes by the account, and an agent is its owner', () => {
    expect(personNow(policy, at('discord', '400000000000000002'))).toBe('p2')
    expect(personNow(policy, at('slack', 'U9'))).toBe('slack:U9')
    expect(personNow(policy, { ...at('slack', 'U0FINANCE'), workspace: 'T9' })).toBe('slack:T9:U0FINANCE')
    expect(personOf(agents, { platform: 'mcp', account: 'hers', groups: [] })).toEqual({
      person: 'p2',
      name: 'Hers (agent of Finance one)',
      known: true,
      roles: ['support'],
      agent: 'hers',
    })
    expect(agentsWithOwners(agents)).toEqual([{ name: 'Hers', owner: 'Finance one' }])
    expect(
      personOf({ ...agents, people: [] }, { platform: 'mcp', account: 'hers', groups: [] }),
    ).toMatchObject({
      name: 'Hers (agent of p2)',
      known: false,
    })
  })

  it('is called by the account that nobody lists, whatever name it takes', () => {
    const named = (name: string) =>
      personOf(policy, { platform: 'slack', account: 'U9', groups: [], name }).name
    expect(['', '  ', 'U9', 'Fay'].map(named)).toEqual(['U9', 'U9', 'U9', 'Fay (U9)'])
  })

  it('has the roles of the groups that were said, or, where nobody could say, those it had that a group still gives', () => {
    const was = at('slack', 'U0SUPPORT', ['support', 'finance', 'owner'])
    expect(rolesNow(policy, was, ['S0FIN'])).toEqual(['support', 'finance'])
    expect(rolesNow(policy, was, [])).toEqual(['support'])
    expect(rolesNow(policy, was, undefined)).toEqual(['support', 'finance'])
    expect(rolesNow(policy, at('slack', 'U9', ['support', 'finance']), undefined)).toEqual(['finance'])
    expect(rolesNow(policy, { ...was, workspace: 'T9' }, undefined)).toEqual([])
    expect(rolesNow(policyOf(exampleFile.replace(/groups:\n.*\n.*\n/, '')), was, undefined)).toEqual([
      'support',
    ])
  })

  it('may be in groups with its own account, or, where accounts are ids, with those that the file lists', () => {
    expect(accountsInGroups(policy, at('slack', 'U0SUPPORT'))).toEqual([
      { platform: 'slack', account: 'U0SUPPORT' },
    ])
    expect(accountsInGroups(policy, at('console', 'p1'))).toEqual([
      { platform: 'slack', account: 'U0SUPPORT' },
      { platform: 'discord', account: '400000000000000001' },
    ])
    expect(accountsInGroups(policy, at('console', 'p3'))).toEqual([
      { platform: 'slack', account: 'U0FINANCE2' },
    ])
    expect(accountsInGroups(policy, at('console', 'nobody'))).toEqual([])
    expect(accountsInGroups(policy, { ...at('slack', 'U0SUPPORT'), workspace: 'T9' })).toEqual([])
  })

  it('gets roles from a group of another messenger under that messenger’s name', () => {
    const roles = (group: string) =>
      personOf(policy, { platform: 'console', account: 'p1', groups: [group] }).roles
    expect(roles(groupOf('slack', 'S0FIN'))).toEqual(['support', 'finance'])
    expect(roles(groupOf('discord', 'S0FIN'))).toEqual(['support'])
  })

  it('is found by id, name or account as people write them', () => {
    const written = ['p2', ' FINANCE ONE ', 'u0finance', ' Nobody ', 'P3']
    expect(written.map((one) => personNamed(policy, one))).toEqual(['p2', 'p2', 'p2', 'Nobody', 'p3'])
    const twins = { ...policy, people: policy.people.flatMap((one) => [one, { ...one, id: `${one.id}b` }]) }
    expect(personNamed(twins, 'finance one')).toBe('p2')
    // An id means whose it is, whatever the name of somebody before them.
    const alike = policy.people.map((one) => ({ ...one, name: 'p3' }))
    for (const written of ['p3', 'P3', ' p3 '])
      expect(personNamed({ ...policy, people: alike }, written)).toBe('p3')
    const called = policy.people.map((one) => ({ ...one, name: 'U0FINANCE' }))
    expect(personNamed({ ...policy, people: called }, 'u0finance')).toBe('p2')
    // A first name is enough where it is one person's.
    expect(['support', 'finance'].map((one) => personNamed(policy, one))).toEqual(['p1', 'finance'])
    expect(personNow(twins, at('slack', 'U0FINANCE'))).toBe('p2')
  })
})

describe('who keeps the file', () => {
  it('is whoever may take a changed one in, but no agent and nobody who is not listed', () => {
    expect(administratorsOf(policy).map(({ id }) => id)).toEqual(['p2', 'p3'])
    const finance = { person: 'p2', known: true, roles: ['finance'] }
    expect(isAdministrator(policy, finance)).toBe(true)
    expect(isAdministrator(policy, { ...finance, roles: ['support', 'finance'] })).toBe(true)
    expect(isAdministrator(policy, { ...finance, known: false })).toBe(false)
    expect(isAdministrator(policy, { ...finance, agent: 'hers' })).toBe(false)
    expect(isAdministrator(policy, { ...finance, roles: ['support'] })).toBe(false)
  })

  it('is whom the file names, whatever their roles, once it names anybody', () => {
    const named = { ...policy, administrators: ['p1'] }
    expect(administratorsOf(named).map(({ id }) => id)).toEqual(['p1'])
    expect(isAdministrator(named, { person: 'p2', known: true, roles: ['finance'] })).toBe(false)
    expect(isAdministrator(named, { person: 'p1', known: true, roles: [], agent: 'hers' })).toBe(false)
  })
})

it('who may approve is asked of what is really done, where a command can call any endpoint', () => {
  expect(approveNamesOf({ names: ['api call', 'refund'] })).toEqual(['api call', 'refund'])
  expect(approveNamesOf({ names: ['api call', 'refund'], standsFor: ['refund'] })).toEqual(['refund'])
})

it('each list of roles is asked about once', () => {
  const asked: (readonly string[])[] = []
  const mayApproveIt = onceForRoles((roles) => asked.push(roles) > 0 && roles.includes('finance'))
  const [finance, support] = [['finance'], ['support']]
  expect([finance, support, finance, support].map(mayApproveIt)).toEqual([true, false, true, false])
  expect(asked).toEqual([finance, support])
})
