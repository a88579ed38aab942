import { party } from '../approvals/sample.ts'
import { policyOf } from '../policy/example.ts'

/** Two workspaces. Only Bea is listed in both; Rob reads the log of the first. */
const policy = policyOf(`version: 1
workspaces: { slack: [T2] }
people:
  - { id: bea, name: Bea, slack: [U3, T2/U3], roles: [reader] }
  - { id: rob, name: Rob, slack: U1, roles: [reader] }
  - { id: cy, name: Cy, slack: U4, roles: [] }
  - { id: al, name: Alex, slack: U5, roles: [] }
  - { id: tom, name: Tom, slack: T2/U1, roles: [] }
roles:
  reader: { run: ["audit *"] }
`)

const accounts: Record<string, string> = { bea: 'U3', rob: 'U1', cy: 'U4', al: 'U5', tom: 'T2/U1' }

export const partyOf = (id: string) => {
  const { roles = [] } = policy.people.find((one) => one.id === id) ?? {}
  const space = id === 'tom' ? { space: 'slack:T2' } : {}
  return party(id, { account: accounts[id] ?? id, roles: [...roles], ...space })
}

/** What a feature has on record for one of them. */
export const recordsFor = <Records>(
  feature: { records?: (core: never, actor: never) => Records },
  id: string,
  core: object,
): Records => {
  if (feature.records === undefined) throw new Error('it has nothing on record')
  return feature.records({ policy, ...core } as never, { ...partyOf(id), known: true } as never)
}
