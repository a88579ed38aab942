import { expect, it, test } from 'vitest'
import { type EmergencyAsk, refuseEmergency } from '../../src/kernel/policy/emergency.ts'
import { canaryFor, evaluate, mayVote, type PolicyInput } from '../../src/kernel/policy/evaluate.ts'
import { approvals, changeIn, party } from '../approvals/sample.ts'
import { exampleFile, policyOf } from './example.ts'

const file =
  `${exampleFile}emergency: { from: [support, finance], commands: [refund, "list *"], upTo: 100, for: 5m }
`.replace('expiresIn: 30m', 'expiresIn: 30m, hold: 10m, reason: required')
const policy = policyOf(file)
const plain: EmergencyAsk = { names: ['refund'], roles: ['finance'], movesMoney: true, amount: 99 }

it.each<[string, Partial<EmergencyAsk>, string | undefined]>([
  ['is done alone', {}, undefined],
  ['is done alone at the limit', { amount: 100 }, undefined],
  ['by one of several roles', { roles: ['other', 'support'] }, undefined],
  ['under another name', { names: ['api call', 'list remove'] }, undefined],
  ['without money needs no amount', { movesMoney: false, amount: null }, undefined],
  ['without money has no limit', { movesMoney: false, amount: 500 }, undefined],
  ['by an agent', { agent: 'hers' }, 'an agent does nothing alone'],
  ['by another role', { roles: ['other'] }, 'it is for support and finance'],
  ['by no role', { roles: [] }, 'it is for support and finance'],
  ['of another command', { names: ['upgrade'] }, 'it is for refund, list *'],
  ['of no known amount', { amount: null }, 'its amount is not known, and it is for amounts up to 100'],
  ['of more', { amount: 100.01 }, 'it is for amounts up to 100, and this is 100.01'],
])('what somebody wants to do alone %s', (_, over, why) => {
  const said = refuseEmergency(policy, { ...plain, ...over })
  expect(said?.message).toBe(why && `This cannot be done as an emergency: ${why}. Nobody was asked.`)
})

test('nobody does anything alone where the file has no emergency, and without a limit any amount', () => {
  expect(refuseEmergency({ emergency: null }, plain)?.message).toContain('bellhop.yml has no emergency')
  const open = { emergency: { from: ['finance'], commands: ['*'], forMs: 1 } }
  for (const amount of [null, 1e9]) expect(refuseEmergency(open, { ...plain, amount })).toBeUndefined()
})

const ask = (over: Partial<PolicyInput> = {}): PolicyInput => ({
  ...{ names: ['refund'], area: 'billing', movesMoney: true, amount: 90, duplicates: 0 },
  currency: null,
  spent: () => [{ currency: null, sum: 0 }],
  ...over,
})

test('what somebody does alone is signed, is not held, and waits as long as the file says', () => {
  const alone = evaluate(policy, ask({ emergency: { roles: ['finance'] } }))
  expect(alone).toMatchObject({
    rule: 'emergency',
    clauses: [{ kind: 'confirm', sign: 'passkey' }],
    expiresInMs: 300_000,
    reason: 'required',
  })
  expect(alone).not.toHaveProperty('holdMs')
  expect(evaluate(policy, ask({ amount: 5 }))).not.toHaveProperty('holdMs')
  for (const over of [{}, { emergency: { roles: ['other'] } }, { emergency: { roles: [] } }])
    expect(evaluate(policy, ask(over))).toMatchObject({
      rule: 'refund',
      clauses: [approvals(1)],
      expiresInMs: 1_800_000,
      holdMs: 600_000,
    })
  expect(evaluate(policyOf(exampleFile), ask({ emergency: { roles: ['finance'] } })).rule).toBe('refund')
})

it.each<[PolicyInput['byNature'], Partial<PolicyInput>, unknown[]]>([
  ['nothing', {}, []],
  ['nothing', { names: ['list create'], movesMoney: false }, []],
  ['approval', {}, [approvals(1)]],
  ['approval', { amount: 5 }, [{ kind: 'approvals', count: 1, from: [], because: 'four eyes' }]],
  ['unseen', {}, [approvals(1)]],
  ['unseen', { amount: 5 }, [{ kind: 'approvals', count: 1, from: [], because: 'nobody has looked at it' }]],
  [
    'unseen',
    { amount: 5, emergency: { roles: ['finance'] } },
    [{ kind: 'approvals', count: 1, from: [], because: 'nobody has looked at it' }],
  ],
  [undefined, { amount: 5 }, [{ kind: 'confirm' }]],
])('by its nature something needs %s, whatever the rules say: %j', (byNature, over, clauses) => {
  expect(evaluate(policy, ask({ byNature, ...over })).clauses).toEqual(clauses)
})

test('what holds without a rule goes by what it is: money, a change of the rules, or any other', () => {
  const without = (over: Partial<PolicyInput>) => {
    const { rule, clauses, matched, expiresInMs } = evaluate(policy, ask({ names: ['freeze'], ...over }))
    expect(matched).toEqual([])
    return [rule, clauses[0]?.kind, expiresInMs / 3_600_000]
  }
  expect(without({})).toEqual(['default for billing changes', 'approvals', 24])
  expect(without({ movesMoney: false })).toEqual(['default for changes', 'confirm', 1])
  expect(without({ movesMoney: false, guarded: true })).toEqual([
    'default for changes of the rules',
    'approvals',
    24,
  ])
  expect(without({ guarded: true })).toEqual(['default for billing changes', 'approvals', 24])
})

test('a manager is asked for by who asks, in the workspace where they ask', () => {
  const staffed = policyOf(
    exampleFile
      .replace('roles: [support] }', 'roles: [support], manager: p2 }')
      .replace(
        'require: { approvals: 1, from: [finance] }, expires',
        'require: { approvals: 1, from: [manager] }, expires',
      )
      .replace('then: { approvals: 2, from: [finance] }', 'then: { approvals: 1, from: [manager, finance] }'),
  )
  const people = [{ person: 'p2', name: 'Finance one', as: 'manager' }]
  const [rule] = evaluate(staffed, ask({ requester: 'p1' })).clauses
  expect(rule).toEqual({ ...approvals(1, []), people })
  expect(
    evaluate(staffed, ask({ requester: 'p1', spent: () => [{ currency: null, sum: 180 }] })).clauses,
  ).toEqual([
    { ...approvals(1, []), people },
    { ...approvals(1), because: 'budget "refunds a day"', people },
  ])
  expect(evaluate(staffed, ask({ requester: 'p1', space: 'slack:T9' })).clauses).toEqual([
    { ...approvals(1, []), people: [] },
  ])
  expect(evaluate(staffed, ask()).clauses).toEqual([approvals(1, ['manager'])])
})

test('who votes is of the workspace of the change, and one of its clauses or, where only its requester confirms, their right asks for them', () => {
  const voter = (roles: string[], space?: string) =>
    ({ person: 'p2', platform: 'slack', roles, ...(space && { space }) }) as never
  const change = changeIn('pending')
  expect(mayVote(policy, voter(['finance']), change)).toBe(true)
  expect(mayVote(policy, voter(['support']), change)).toBe(false)
  const far = changeIn('pending', { requester: party('ann', { space: 'slack:T9' }) })
  expect(mayVote(policy, voter(['finance']), far)).toBe(false)
  expect(mayVote(policy, voter(['finance'], 'slack:T9'), far)).toBe(true)
  const confirmed = changeIn('unknown', { clauses: [{ kind: 'confirm' }] })
  expect(mayVote(policy, voter(['finance']), confirmed)).toBe(true)
  expect(mayVote(policy, voter(['support']), confirmed)).toBe(false)
})

test('the share of long work that runs first is that of its rule, which has no amount', () => {
  const canary = policyOf(
    exampleFile.replace(
      'commands: ["campaign send", "message *"], require: confirm',
      'commands: ["campaign send"], require: confirm, canary: 5%',
    ),
  )
  expect([canaryFor(canary, ['campaign send']), canaryFor(canary, ['list create'])]).toEqual([
    0.05,
    undefined,
  ])
})
