/** Sam asks; Fay and Finn decide; Gus has his roles by group; Kim may only look. */
export const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, slack: U0SAM, discord: "400000000000000001", roles: [support] }
  - { id: fay, name: Fay Finance, slack: U0FAY, discord: "400000000000000002", roles: [finance] }
  - { id: finn, name: Finn Finance, slack: U0FINN, roles: [finance] }
  - { id: gus, name: Gus, slack: U0GUS }
  - { id: kim, name: Kim, roles: [reader] }
groups:
  slack: { S0FIN: [finance] }
  discord: { "500000000000000001": [finance] }
roles:
  support: { run: ["subscriber *", "list *", "contact *", "campaign *", "message *", refund, upgrade, downgrade, "approval *"] }
  finance: { run: ["*"], approve: ["*"] }
  reader: { run: ["subscriber get"] }
everyone: { run: ["bellhop *"] }
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: refund, commands: [refund], amount: { upTo: 500 }, require: { approvals: 1, from: [finance] }, expiresIn: 30m }
  - { name: large refund, commands: [refund], require: { approvals: 2, from: [finance] } }
  - { name: plan change, commands: [upgrade, downgrade], require: { approvals: 1, from: [finance] } }
  - { name: lists, commands: [list create], require: none }
budgets:
  - { name: refunds a day, commands: [refund], per: requester, window: 24h, limit: 200, then: { approvals: 2, from: [finance] } }
duplicates: { window: 30m }
`
