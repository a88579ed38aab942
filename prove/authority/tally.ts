/** What is counted, and how the page says it. */
export const tallied = {
  asks: 'asked',
  runs: 'ran',
  posted: 'cards posted',
  calls: 'of them by api call',
  outside: 'of a pack from outside',
  again: 'asked again',
  lapses: 'votes lapsed',
  waits: 'waited for a messenger',
  copies: 'votes delivered again',
  settled: 'settled',
  unlisted: 'not listed, so refused',
  said: 'links said',
  steered: 'ran by a link',
  changed: 'changed',
  staged: 'ran in stages',
  managed: 'ran with a manager',
  also: 'ran with somebody asked besides',
  batches: 'decided several at once',
  questions: 'asked back or answered',
  restores: 'put back to an earlier step',
  agents: 'ran for an agent',
  slack: 'came by Slack',
  discord: 'by Discord',
  console: 'by the console',
  mcp: 'by the address for agents',
  forms: 'of all by a form',
  presses: 'by a button',
} as const

export type Tally = Record<keyof typeof tallied, number>
export const emptyTally = (): Tally =>
  Object.fromEntries(Object.keys(tallied).map((key) => [key, 0])) as Tally
