import { provePolicy } from '../policy.ts'

/** Whoever floods the bot asks here, with an agent of their own; everybody else has done nothing wrong. */
export const flooder = { id: 'p-asks', slack: 'U0SUPPORT', discord: '400000000000000001', name: 'Sam' }
export const agentToken = 'a-token-of-the-greedy-agent-0123456789'

export const isolationPolicy = `${provePolicy}agents:
  - { id: greedy, name: Greedy, owner: p-asks, roles: [support], token: { env: GREEDY_TOKEN }, rate: 600 }
`
