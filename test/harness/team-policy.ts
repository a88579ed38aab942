/** Everybody's accounts on both messengers, as the fakes know them. */
const accounts = {
  sam: ['Sam Support', 'U0SAM', '400000000000000001'],
  fay: ['Fay Finance', 'U0FAY', '400000000000000002'],
  finn: ['Finn Finance', 'U0FINN', '400000000000000003'],
  wes: ['Wes Nobody', 'U0WES', '400000000000000005'],
} as const

/** Lines of `people:`, each with an account on every messenger. */
export const peopleOf = (roles: Partial<Record<keyof typeof accounts, string>>): string =>
  Object.entries(roles)
    .map(([id, role]) => {
      const [name, slack, discord] = accounts[id as keyof typeof accounts]
      return `  - { id: ${id}, name: ${name}, slack: ${slack}, discord: "${discord}", roles: [${role}] }`
    })
    .join('\n')

/** Where cards go on each messenger. */
export const approvalsPlaces = 'approvals: { slack: C0APPROVALS, discord: "300000000000000009" }'

/** The policy of most tests of a messenger: Sam asks, Fay and Finn decide, whoever else is a stranger. */
export const teamPolicy = `
version: 1
people:
${peopleOf({ sam: 'support', fay: 'finance', finn: 'finance' })}
groups:
  discord: { "500000000000000001": [finance] }
roles:
  support:
    run: ["subscriber *", "list *", "campaign *", "contact *", "message *", refund, "transaction find", "transaction refunds", "approval *"]
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
${approvalsPlaces}
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: refund, commands: [refund], amount: { upTo: 500 }, require: { approvals: 1, from: [finance] }, expiresIn: 30m }
  - { name: large refund, commands: [refund], require: { approvals: 2, from: [finance] } }
duplicates: { window: 30m }
unseen: pass
`
