import { expect, test } from 'vitest'
import { agentPolicyOf } from '../../src/kernel/policy/agent-policy.ts'
import { exampleFile, policyOf } from './example.ts'
import { knownCommands } from './known-commands.ts'

const policy = policyOf(
  `${exampleFile}agents:
  - { id: hers, name: Hers, owner: p2, roles: [support], token: { env: HERS }, rate: 7 }
  - { id: his, name: His, owner: p3, roles: [finance], token: { env: HIS } }
`.replace('policies:\n', 'policies:\n  - { name: free, commands: ["list *"], require: none }\n'),
)
const commands = knownCommands.filter(({ name }) =>
  [
    'subscriber get',
    'refund',
    'upgrade',
    'list create',
    'campaign send',
    'freeze',
    'addon delete',
    'api call',
  ].includes(name),
)

test('an agent reads what it may ask for, and what people must say to each of its changes', () => {
  expect(
    agentPolicyOf(policy, 'hers', [
      ...commands,
      { name: 'policy reload', kind: 'change', guarded: true },
      { name: 'go', kind: 'change', movesMoney: true, area: 'email' },
    ]),
  ).toEqual({
    agent: 'Hers',
    owner: 'Finance one',
    roles: ['support'],
    callsPerMinute: 7,
    lookUps: ['subscriber get'],
    changes: [
      { command: 'list create', rules: [{ rule: 'free', needs: 'nothing' }] },
      // An agent cannot say yes to itself.
      { command: 'campaign send', rules: [{ rule: 'mail', needs: '1 approval' }] },
      {
        command: 'refund',
        rules: [
          { rule: 'small refund', amount: { upTo: 50 }, needs: '1 approval' },
          { rule: 'refund', amount: { upTo: 500 }, needs: '1 approval from finance' },
          { rule: 'large refund', needs: '2 approvals from finance' },
        ],
      },
      { command: 'addon delete', rules: [{ rule: 'default for billing changes', needs: '1 approval' }] },
      { command: 'upgrade', rules: [{ rule: 'plan change', needs: '1 approval from finance' }] },
      { command: 'api call', rules: [{ rule: 'default for changes', needs: '1 approval' }] },
      { command: 'freeze', rules: [{ rule: 'default for changes', needs: '1 approval' }] },
      {
        command: 'policy reload',
        rules: [{ rule: 'default for changes of the rules', needs: '1 approval' }],
      },
      { command: 'go', rules: [{ rule: 'default for email changes', needs: '1 approval' }] },
    ],
    budgets: [
      {
        name: 'refunds a day',
        commands: ['refund'],
        window: '24 h',
        limit: 200,
        beyond: '2 approvals from finance',
      },
    ],
    duplicatesWithin: '30 m',
  })
})

test('what no rule is about at any amount has the default behind its rules', () => {
  const ranged = { ...policy, policies: policy.policies.filter(({ amount }) => amount), duplicates: null }
  const { changes, duplicatesWithin } = agentPolicyOf(
    ranged,
    'his',
    commands.filter(({ name }) => name === 'refund'),
  )
  expect(changes[0]?.rules.map(({ rule }) => rule)).toEqual([
    'small refund',
    'refund',
    'default for billing changes',
  ])
  expect(duplicatesWithin).toBeNull()
})

test('a request under another name of the same thing goes by the rules for that name', () => {
  const one = { ...policy, policies: policy.policies.filter(({ name }) => name === 'plan change') }
  const only = { ...one, policies: one.policies.map((rule) => ({ ...rule, commands: ['downgrade'] })) }
  const { changes } = agentPolicyOf(
    only,
    'his',
    commands.filter(({ name }) => name === 'upgrade'),
  )
  expect(changes[0]?.rules.map(({ rule }) => rule)).toEqual(['plan change'])
})

test('an agent that the file no longer lists has nothing but its id', () => {
  expect(agentPolicyOf(policy, 'gone', [])).toMatchObject({
    ...{ agent: 'gone', owner: '', roles: [], callsPerMinute: 0, lookUps: [], changes: [] },
  })
})
