import { expect, it } from 'vitest'
import { load, policyOf } from '../example.ts'

const file = (require: string, people = '', roles = '') => `version: 1
people:
  - { id: p1, name: One, roles: [support]${people} }
  - { id: p2, name: Two, roles: [finance] }
  - { id: p3, name: Three, roles: [finance] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
${roles}
policies:
  - { name: refunds, commands: [refund], require: ${require} }
`
const problemsOf = (text: string) => {
  const loaded = load(text)
  return loaded.ok ? [] : loaded.problems.map(({ message }) => message)
}

it('stages are approvals with a place', () => {
  const text = file('{ stages: [{ approvals: 1, from: [finance] }, { approvals: 2 }] }')
  expect(policyOf(text).policies[0]?.require).toEqual([
    { kind: 'approvals', count: 1, from: ['finance'], stage: 1 },
    { kind: 'approvals', count: 2, from: [], stage: 2 },
  ])
})

it.each([
  ['{ stages: [] }', 'stages'],
  [
    '{ stages: [{ approvals: 1, from: [nobody] }] }',
    'unknown role "nobody" in policies[0].require.stages[0].from',
  ],
  ['{ stages: [confirm] }', 'approvals'],
  ['{ approvals: 1, from: [manager] }', 'asks for a manager, and nobody under people has one'],
])('%s is refused', (require, words) => {
  expect(problemsOf(file(require)).join('\n')).toContain(words)
})

it.each([
  [', manager: p9', 'unknown person "p9" in people[0].manager'],
  [', manager: p1', '"p1" is their own manager'],
])('a person%s is refused', (people, words) => {
  expect(problemsOf(file('{ approvals: 1, from: [manager] }', people)).join('\n')).toContain(words)
})

it('a role of that name stays a role, as long as nobody has a manager', () => {
  const role = '  manager: { approve: ["*"] }'
  expect(problemsOf(file('{ approvals: 1, from: [manager] }', '', role))).toEqual([])
  expect(problemsOf(file('{ approvals: 1, from: [manager] }', ', manager: p2', role)).join()).toContain(
    'there is a role "manager" too',
  )
})

it('one stage alone is a list of stages too', () => {
  expect(policyOf(file('{ stages: [{ approvals: 1, from: [finance] }] }')).policies[0]?.require).toEqual([
    { kind: 'approvals', count: 1, from: ['finance'], stage: 1 },
  ])
})
