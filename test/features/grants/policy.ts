/** Sam and Kim ask, Fay and Finn decide and give; Lee decides, and gives nothing. */
export const grantsPolicy = `
version: 1
people:
  - { id: sam, name: Sam Support, slack: U0SAM, roles: [support] }
  - { id: kim, name: Kim, slack: U0KIM, roles: [support] }
  - { id: fay, name: Fay Finance, slack: U0FAY, roles: [finance] }
  - { id: finn, name: Finn Finance, slack: U0FINN, roles: [finance] }
  - { id: lee, name: Lee Lead, slack: U0LEE, roles: [lead] }
  - { id: vic, name: Vic Visitor, slack: U0VIC, roles: [visitor] }
agents:
  - { id: helper, name: Helper, owner: sam, roles: [support], token: { env: HELPER_TOKEN } }
roles:
  support: { run: ["subscriber *", "list *", refund, "grant *", "approval *"] }
  finance: { run: ["*"], approve: ["*"] }
  lead: { run: ["*"], approve: ["*"] }
  visitor: { run: ["grant *"] }
everyone: { run: ["bellhop *"] }
grants:
  - { name: a look, run: ["audit *", "addon *"], to: [support], require: { approvals: 1, from: [finance] }, for: 24h }
  - { name: small refunds, approve: [refund], to: [support], require: { approvals: 1, from: [finance] }, for: 7d, upTo: 50, inAll: 1500, currency: USD, times: 40 }
policies:
  - { name: refund, commands: [refund], amount: { upTo: 500 }, require: { approvals: 1, from: [finance, lead] } }
  - { name: large refund, commands: [refund], require: { approvals: 2, from: [finance, lead] } }
duplicates: { window: 30m }
`
