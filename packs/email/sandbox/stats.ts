import { daysFromEpoch } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import type { HandlerCall } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { countsOf } from './lists.ts'
import { type EmailState, success } from './state.ts'

/** What makes a lead hot or cold is not documented; these bounds are the stand-in's own. */
const hotFrom = 70
const coldBelow = 30

export function subscriberStats({ state }: HandlerCall<EmailState>) {
  const { subscribers } = state
  const scores = subscribers.map((one) => one.leadScore)
  const sum = scores.reduce((total, score) => total + score, 0)
  const withStatus = (status: string) => subscribers.filter((one) => one.status === status).length
  const listWiseCounts = state.lists.map((list) => {
    const counts = countsOf(state, list)
    return { _id: list.id, listName: list.name, count: counts.totalSubscribers, ...counts }
  })
  return success('Subscriber statistics retrieved', {
    totalSubscribersInBusiness: subscribers.length,
    totalSubscribersAcrossAllLists: listWiseCounts.reduce((total, list) => total + list.count, 0),
    listWiseCounts,
    leadScoreAnalytics: {
      averageLeadScore: scores.length === 0 ? 0 : Math.round((sum / scores.length) * 100) / 100,
      hotLeads: scores.filter((score) => score >= hotFrom).length,
      coldLeads: scores.filter((score) => score < coldBelow).length,
    },
    leadScoreConfig,
    statusAnalytics: {
      subscribed: withStatus('subscribed'),
      unsubscribed: withStatus('unsubscribed'),
      bounced: withStatus('bounced'),
      spam: withStatus('complaint'),
    },
    engagedSubscribers: subscribers.filter((one) => one.totalOpens > 0).length,
    isListSpecific: false,
    selectedListName: 'All Subscribers',
  })
}

const leadScoreConfig = {
  emailOpen: { value: 2, status: 'active' },
  emailClick: { value: 5, status: 'active' },
  emailBounce: { value: -5, status: 'active' },
  unsubscribe: { value: -10, status: 'active' },
  createdAt: daysFromEpoch(-500),
  updatedAt: daysFromEpoch(-90),
}
