/** What somebody does all day: what had to be typed for it while rows had no actions, and what is typed now. */
export type EverydayJob = {
  title: string
  before: string[]
  /** Every line, and what is written into a form. */
  now: string[]
}

export const everydayJobs = {
  refund: {
    title: 'refund a double charge',
    before: [
      'subscriber get ada@example.com',
      'transaction find cus_1001',
      'refund pay_1013 49 --description "Charged twice"',
    ],
    now: ['person get ada@example.com', 'Charged twice'],
  },
  answer: {
    title: 'answer a customer by message',
    before: ['contact find', 'message text 15550110000 --body "Your refund is on its way."'],
    now: ['person get ada@example.com', 'Your refund is on its way.'],
  },
  campaign: {
    title: 'send a campaign to those who bought',
    before: ['campaign find', 'campaign send cmp_spring_sale --tags customer'],
    now: ['campaign send "Spring sale" --tags customer'],
  },
  nudge: {
    title: 'find what is stuck and nudge',
    before: ['approval list', 'approval remind 7k2m9qwx4p'],
    now: ['approval list'],
  },
  refunded: {
    title: 'see what was refunded this month, by whom and why',
    before: ['audit find --command refund --since 30d', 'approval get 7k2m9qwx4p', 'approval get 7k2m9qwx4p'],
    now: ['report refunds --since 30d --by requester', 'report refunds --since 30d --by reason'],
  },
} as const satisfies Record<string, EverydayJob>

export const characters = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.length, 0)

/** Ids that no name was: somebody had to copy them from another answer. */
export const copiedIds = (lines: readonly string[]): number =>
  lines.join(' ').match(/\b(pay|cus|sub|cmp)_\w+|\b\d{9,}\b|\b[0-9a-f]{24}\b|\b7k2m9qwx4p\b/g)?.length ?? 0
