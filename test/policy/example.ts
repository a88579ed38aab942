import { type Loaded, loadPolicy } from '../../src/kernel/policy/file/load.ts'
import type { Policy } from '../../src/kernel/policy/policy.ts'
import { platforms } from '../harness/platforms.ts'
import { knownCommands } from './known-commands.ts'

/** A team as it could be: one person with two accounts each, groups, amounts, a budget. */
export const exampleFile = `version: 1
people:
  - { id: p1, name: Support one, slack: U0SUPPORT, discord: "400000000000000001", roles: [support] }
  - { id: p2, name: Finance one, slack: U0FINANCE, discord: "400000000000000002", roles: [finance] }
  - { id: p3, name: Finance two, slack: U0FINANCE2, roles: [finance] }
groups:
  slack: { S0FIN: [finance] }
  discord: { "500000000000000001": [finance] }
roles:
  support: { run: ["subscriber *", "list *", "contact *", "campaign *", "message *", refund, upgrade, downgrade] }
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
approvals: { slack: C0APPROVALS, discord: "300000000000000009" }
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: refund, commands: [refund], amount: { upTo: 500 }, require: { approvals: 1, from: [finance] }, expiresIn: 30m }
  - { name: large refund, commands: [refund], require: { approvals: 2, from: [finance] } }
  - { name: plan change, commands: [upgrade, downgrade], require: { approvals: 1, from: [finance] } }
  - { name: mail, commands: ["campaign send", "message *"], require: confirm }
budgets:
  - { name: refunds a day, commands: [refund], per: requester, window: 24h, limit: 200, then: { approvals: 2, from: [finance] } }
duplicates: { window: 30m }
`

export const load = (text: string): Loaded =>
  loadPolicy(text, { file: 'bellhop.yml', commands: knownCommands, platforms })

export function policyOf(text: string): Policy {
  const loaded = load(text)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.policy
}
