/** Two who ask, one who may only look, two who decide, on both platforms; every billing change needs one of them, everything else a confirm. */
export const provePolicy = `version: 1
people:
  - { id: p-asks, name: Sam Support, slack: U0SUPPORT, discord: "400000000000000001", roles: [support] }
  - { id: p-asks2, name: Sue Support, slack: U0SUPPORT2, discord: "400000000000000004", roles: [support] }
  - { id: p-decides, name: Fay Finance, slack: U0FINANCE, discord: "400000000000000002", roles: [finance] }
  - { id: p-decides2, name: Finn Finance, slack: U0FINANCE2, discord: "400000000000000003", roles: [finance] }
  - { id: p-looks, name: Lee Looks, slack: U0LOOKS, discord: "400000000000000005", roles: [looks] }
roles:
  looks: { run: ["list find"] }
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
approvals: { slack: C0APPROVALS, discord: "300000000000000009" }
policies: []
grants:
  - { name: a look, run: ["audit *"], to: [looks], require: { approvals: 1, from: [finance] }, for: 24h }
`
