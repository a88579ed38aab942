import { describe, expect, it } from 'vitest'
import { standing } from '../../src/kernel/law/standing.ts'
import type { Change, Clause } from '../../src/kernel/model/change.ts'
import type { Absence } from '../../src/kernel/store/absences.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { policyOf } from '../harness/app.ts'
import { commandsWith } from '../harness/commands.ts'
import { approvals, changeIn, party } from './sample.ts'

const registry = commandsWith([])

type File = { ann?: string; bob?: string | undefined; finance?: string; support?: string; more?: string }
/** Ann asks, Bob and Cid decide, Ada keeps the file. */
const fileOf = ({
  ann = '[support]',
  bob = '[finance]',
  finance = '[refund]',
  support = '[refund]',
  more = '',
}: File = {}) =>
  policyOf(
    `
version: 1
people:
  - { id: ann, name: Ann, slack: U-ann, roles: ${ann}${bob === '' ? '' : ', manager: bob'} }
${bob === '' ? '' : `  - { id: bob, name: Bob, slack: U-bob, roles: ${bob} }`}
  - { id: cid, name: Cid, slack: U-cid, roles: [finance] }
  - { id: ada, name: Ada, slack: U-ada, roles: [admin] }
${more}
roles:
  support: { run: ${support} }
  finance: { run: [refund], approve: ${finance} }
  other: { run: ["subscriber *"], approve: ["subscriber *"] }
  admin: { run: ["policy *"], approve: ["policy *"] }
administrators: [ada]
`,
    registry,
  )

const bobAs = (as: 'manager' | 'asked'): Clause => ({
  kind: 'approvals',
  count: 1,
  from: [],
  because: 'rule "refund"',
  people: [{ person: 'bob', name: 'Bob', as }],
})

/** What Bob, and in most of them Cid too, is needed for. */
const kinds: Record<string, Clause[]> = {
  'two of anybody who may': [approvals(2, [])],
  'two of a role': [approvals(2)],
  'two of a role that was escalated to': [{ ...approvals(2, ['lead']), also: ['finance'] } as Clause],
  'two of a role with a passkey': [{ ...approvals(2), sign: 'passkey' } as Clause],
  'one in each of two stages': [
    { ...approvals(1), stage: 1 } as Clause,
    { ...approvals(1), stage: 2 } as Clause,
  ],
  'the manager': [bobAs('manager')],
  'somebody who was asked': [bobAs('asked')],
}

type Case = { file: File; change?: Partial<Change>; absences?: Absence[] }
const awayUntil = (endsAt: number, person = 'bob', to: string | null = null): Absence => ({
  by: party(person),
  to,
  at: 0,
  endsAt,
})
const changedByBob = { changedBy: [party('bob')] }

/** What makes Bob unable to decide, and for which kinds of need he stays able. */
const causes: Record<string, Case & { but?: string[] }> = {
  'he left': { file: { bob: '' } },
  'he is away until after it expires': { file: {}, absences: [awayUntil(200_000)] },
  'he lost the role': { file: { bob: '[other]' }, but: ['the manager'] },
  'the role lost its right': { file: { finance: '["subscriber *"]' }, but: ['the manager'] },
  'he changed what is asked': { file: {}, change: changedByBob },
}

const requesterCauses: Record<string, File> = {
  'she may no longer ask for it': { ann: '[other]' },
  'her role lost its right': { support: '["subscriber *"]' },
}

const wordsOf = ({ file, change, absences = [] }: Case, clauses: Clause[]) => {
  const found = standing(fileOf(file), changeIn('pending', { clauses, ...change }), absences)
  return found && `${plainWords(found.why)} ${plainWords(found.help)}`
}

describe('how a request that waits stands', () => {
  for (const [kind, clauses] of Object.entries(kinds)) {
    it(`needs ${kind}: it can be approved while everybody is there`, () => {
      expect(wordsOf({ file: {} }, clauses)).toBeUndefined()
    })
    for (const [cause, { but = [], ...one }] of Object.entries(causes)) {
      it(`needs ${kind}, and ${cause}`, () => {
        const words = wordsOf(one, clauses)
        if (but.includes(kind)) {
          expect(words).toBeUndefined()
          return
        }
        expect(words).toMatch(/^This cannot be approved as it stands: \d approvals? .*(needed)/)
        expect(words).toContain('Ada can give')
        expect(words).toContain('Ann can cancel it and ask anew')
      })
    }
    for (const [cause, file] of Object.entries(requesterCauses)) {
      it(`needs ${kind}, and ${cause}`, () => {
        expect(wordsOf({ file }, clauses)).toContain('Ann may no longer run refund')
      })
    }
    it(`needs ${kind}, and the file lists Ann no longer`, () => {
      const stranger = { requester: party('gone', { name: 'Ann', roles: ['support'] }) }
      expect(wordsOf({ file: {}, change: stranger }, clauses)).toContain('no longer lists Ann')
    })
  }

  it('needs a confirmation: nobody but its requester matters', () => {
    const clauses: Clause[] = [{ kind: 'confirm' }]
    for (const one of Object.values(causes)) expect(wordsOf(one, clauses)).toBeUndefined()
    for (const file of Object.values(requesterCauses)) expect(wordsOf({ file }, clauses)).toBeDefined()
  })

  it('says what is left, who changed it and who is away, and how they can help', () => {
    expect(wordsOf({ file: {}, change: changedByBob }, [approvals(2)])).toBe(
      'This cannot be approved as it stands: 2 approvals from finance are needed, and only Cid could give one. Bob changed it, and so cannot approve it. Ada can give somebody else the role finance in bellhop.yml. Ann can cancel it and ask anew: then Bob can approve it.',
    )
    expect(wordsOf({ file: {}, absences: [awayUntil(200_000)] }, [approvals(2)])).toContain(
      'Bob is away until',
    )
  })

  it('counts who is back before it expires, and who lets somebody vote for them who could not', () => {
    expect(wordsOf({ file: {}, absences: [awayUntil(50_000)] }, [approvals(2)])).toBeUndefined()
    const dan = '  - { id: dan, name: Dan, slack: U-dan, roles: [support] }'
    const withDan = (delegate: boolean) =>
      standing(
        (() => {
          const policy = fileOf({ more: dan })
          const finance = policy.roles.finance
          return finance === undefined
            ? policy
            : { ...policy, roles: { ...policy.roles, finance: { ...finance, delegate } } }
        })(),
        changeIn('pending', { clauses: [approvals(2)] }),
        [awayUntil(200_000, 'bob', 'dan')],
      )
    expect(withDan(true)).toBeUndefined()
    expect(withDan(false)).toBeDefined()
  })

  it('counts votes that were given, as long as their voters may still vote', () => {
    const vote = { by: party('bob'), at: 1, digest: '0123456789abcdef' }
    const change = { votes: [vote] }
    expect(wordsOf({ file: {}, change }, [approvals(2)])).toBeUndefined()
    expect(wordsOf({ file: { bob: '[other]' }, change }, [approvals(2)])).toContain('only Cid could give one')
    const more = { votes: [vote], changedBy: [party('cid')] }
    expect(wordsOf({ file: {}, change: more }, [approvals(2)])).toContain(
      '1 more approval from finance is needed, and nobody is left who could give it',
    )
  })

  it('counts everybody who could be in a group that gives the role', () => {
    const grouped = fileOf({ bob: '[other]' })
    const policy = { ...grouped, groups: { slack: { S1: ['finance'] } } }
    expect(standing(policy, changeIn('pending', { clauses: [approvals(2)] }), [])).toBeUndefined()
  })

  it('spends nobody on two stages', () => {
    const staged = (a: number, b: number): Clause[] => [
      { ...approvals(a), stage: 1 } as Clause,
      { ...approvals(b, []), stage: 2 } as Clause,
    ]
    expect(wordsOf({ file: {} }, staged(1, 1))).toBeUndefined()
    expect(wordsOf({ file: {} }, staged(2, 1))).toContain('nobody votes in two stages')
  })

  it('is not asked of what does not wait', () => {
    for (const state of ['approved', 'applying', 'applied', 'expired'] as const) {
      const change = changeIn(state, { clauses: [approvals(9)] })
      expect(standing(fileOf(), change, [])).toBeUndefined()
    }
  })
})
