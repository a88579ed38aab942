import { z } from 'zod'
import {
  anything,
  flag,
  lenientList,
  listOf,
  number,
  part,
  record,
  text,
  texts,
} from '../../src/lib/services/endpoints/answer-fields.ts'

export const subscriber = record({
  _id: text,
  userId: text,
  businessId: text,
  email: text,
  firstName: text,
  lastName: text,
  mobile: text,
  leadScore: number,
  dateOfBirth: text,
  status: text,
  country: text,
  city: text,
  tags: texts,
  source: text,
  segments: texts,
  customFields: part({ company: text, position: text }),
  activity: lenientList(z.unknown()),
  automationWorkflows: lenientList(z.unknown()),
  lists: texts,
  totalSent: number,
  totalDelivered: number,
  totalOpens: number,
  totalUniqueOpens: number,
  totalUniqueClick: number,
  totalClicks: number,
  deleteAfter: text,
  suppressionDetail: part({ createdAt: text, updatedAt: text, reason: text, type: text }),
  isSuppressed: flag,
  campaignDetails: lenientList(record({ _id: text, campaignId: text, campaignName: text })),
  createdAt: text,
  updatedAt: text,
})

export const subscriberPage = record({
  subscribers: listOf(subscriber),
  suppressionList: lenientList(z.unknown()),
  pagination: part({
    currentPage: number,
    itemsPerPage: number,
    totalItems: number,
    totalPages: number,
    hasNextPage: flag,
    hasPrevPage: flag,
  }),
})

const scoreRule = part({ value: number, status: text })

export const subscriberStatistics = record({
  totalSubscribersInBusiness: number,
  totalSubscribersAcrossAllLists: number,
  listWiseCounts: lenientList(
    record({
      _id: text,
      listName: text,
      count: number,
      totalSubscribers: number,
      unsubscribedCount: number,
      engagedCount: number,
    }),
  ),
  leadScoreAnalytics: part({ averageLeadScore: number, hotLeads: number, coldLeads: number }),
  leadScoreConfig: part({
    emailOpen: scoreRule,
    emailClick: scoreRule,
    emailBounce: scoreRule,
    unsubscribe: scoreRule,
    createdAt: text,
    updatedAt: text,
  }),
  statusAnalytics: part({ subscribed: number, unsubscribed: number, bounced: number, spam: number }),
  engagedSubscribers: number,
  isListSpecific: flag,
  selectedListName: text,
})

export const campaign = record({
  _id: text,
  campaignDetails: part({
    campaignType: text,
    campaignName: text,
    senderName: text,
    subject: text,
    preheaderText: text,
  }),
  status: text,
  templateId: part({ _id: text, name: text, builderType: text, htmlContent: text }),
  createdAt: text,
  updatedAt: text,
})

export const campaignPage = record({
  campaigns: listOf(campaign),
  pagination: part({
    page: number,
    limit: number,
    totalCount: number,
    totalPages: number,
    hasNextPage: flag,
    hasPrevPage: flag,
  }),
})

export const campaignReceipt = record({
  campaignId: text,
  campaignName: text,
  totalEmails: number,
  queued: number,
  message: text,
})

export const createdList = record({
  list: part({
    id: text,
    name: text,
    count: number,
    counts: part({
      totalSubscribers: number,
      unsubscribedCount: number,
      engagedCount: number,
      lastUpdated: anything,
    }),
    createdAt: text,
    updatedAt: text,
  }),
})

export const removal = record({ subscriberId: text, email: text, removedLists: texts, currentLists: texts })
