import { z } from 'zod'
import type { email } from '../../packs/email/endpoints.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import type { DataOf } from '../../src/lib/services/client/client.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, chart, facts, table } from '../../src/lib/view/view.ts'

type Stats = DataOf<typeof email.rows.subscriberStats>

export const subscriberStats = defineQuery({
  name: 'subscriber stats',
  summary: 'Show how many subscribers there are, by status and by list',
  area: 'email',
  input: z.object({}),
  examples: ['subscriber stats'],
  uses: ['email.subscriberStats'],
  async run(_input, context) {
    const stats = (await context.email.subscriberStats()).data ?? {}
    return answer({
      title: `Subscriber statistics: ${stats.selectedListName ? theirs(stats.selectedListName) : 'all subscribers'}`,
      tone: 'plain',
      blocks: [totals(stats), ...byStatus(stats), ...byList(stats)],
    })
  },
})

const totals = (stats: Stats): Block => {
  const { averageLeadScore, hotLeads, coldLeads } = stats.leadScoreAnalytics ?? {}
  return facts({
    Subscribers: figure(stats.totalSubscribersInBusiness),
    Engaged: share(stats.engagedSubscribers, stats.totalSubscribersInBusiness),
    ...Object.fromEntries(
      statuses(stats).map(([label, count]) => [label, share(count, stats.totalSubscribersInBusiness)]),
    ),
    'Average lead score': figure(averageLeadScore),
    'Hot leads': figure(hotLeads),
    'Cold leads': figure(coldLeads),
    'List memberships': figure(stats.totalSubscribersAcrossAllLists),
    'Score rules': scoreRules(stats),
  })
}

/** The service counts complaints under "spam". */
const statuses = ({ statusAnalytics: counts }: Stats): [label: string, count: number][] =>
  (
    [
      ['Subscribed', counts?.subscribed],
      ['Unsubscribed', counts?.unsubscribed],
      ['Bounced', counts?.bounced],
      ['Complaints', counts?.spam],
    ] as const
  ).flatMap(([label, count]) => (typeof count === 'number' ? [[label, count]] : []))

const byStatus = (stats: Stats): Block[] => {
  const counts = statuses(stats).filter(([, count]) => count > 0)
  return counts.length === 0 ? [] : [chart('Subscribers by status', 'pie', Object.fromEntries(counts))]
}

const byList = ({ listWiseCounts }: Stats): Block[] => {
  const lists = (listWiseCounts ?? [])
    .map((one) => ({ ...one, name: one.listName ?? one._id ?? '', size: one.count ?? one.totalSubscribers }))
    .sort((one, other) => (other.size ?? 0) - (one.size ?? 0))
  if (lists.length === 0) return []
  const sizes = Object.fromEntries(lists.map(({ name, size }) => [name, size ?? 0]))
  return [
    chart('Subscribers by list', 'bar', sizes),
    table(
      ['List', 'Subscribers#', 'Unsubscribed#', 'Engaged#', 'Id+'],
      lists.map((one) => [
        one.name,
        figure(one.size),
        figure(one.unsubscribedCount),
        figure(one.engagedCount),
        one._id ?? '',
      ]),
      lists.map(({ _id, name }) => thing('list', _id, { name })),
    ),
  ]
}

const scoreRules = ({ leadScoreConfig: rules }: Stats): string =>
  (
    [
      ['open', rules?.emailOpen],
      ['click', rules?.emailClick],
      ['bounce', rules?.emailBounce],
      ['unsubscribe', rules?.unsubscribe],
    ] as const
  )
    .flatMap(([event, rule]) => {
      if (typeof rule?.value !== 'number') return []
      const off = rule.status && rule.status !== 'active' ? ` (${theirs(rule.status)})` : ''
      return [`${event} ${rule.value > 0 ? '+' : ''}${rule.value}${off}`]
    })
    .join(', ')

const figure = (value: number | null | undefined): string =>
  typeof value === 'number' ? formatNumber(value) : ''

const share = (part: number | null | undefined, whole: number | null | undefined): string => {
  if (typeof part !== 'number') return ''
  return whole ? `${formatNumber(part)} (${Math.round((part / whole) * 100)}%)` : formatNumber(part)
}
