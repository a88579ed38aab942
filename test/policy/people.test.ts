import { describe, expect, it } from 'vitest'
import { mayApprove, mayRun, personOf } from '../../src/policy/people.ts'
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
