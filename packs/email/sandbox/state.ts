import type { HandlerResult } from '../../../src/lib/sandbox/endpoint/handler.ts'
export type SubscriberStatus = 'subscribed' | 'unsubscribed' | 'bounced' | 'complaint'

export interface Subscriber {
  _id: string
  userId: string
  businessId: string
  email: string
  firstName: string
  lastName: string
  mobile: string
  leadScore: number
  dateOfBirth: null
  status: string
  country: string
  city: string
  tags: string[]
  source: string
  segments: string[]
  customFields: Record<string, unknown>
  activity: unknown[]
  automationWorkflows: unknown[]
  lists: string[]
  totalSent: number
  totalDelivered: number
  totalOpens: number
  totalUniqueOpens: number
  totalUniqueClick: number
  totalClicks: number
  deleteAfter: null
  suppression: { reason: string; type: string; createdAt: string; updatedAt: string }
  isSuppressed: boolean
  campaignDetails: { _id: string; campaignId: string; campaignName: string }[]
  createdAt: string
  updatedAt: string
}

export interface Campaign {
  _id: string
  businessId: string
  campaignDetails: {
    campaignType: 'Regular' | 'API / Workflow Campaign'
    campaignName: string
    senderName: string
    subject: string
    preheaderText: string
  }
  status: 'draft' | 'scheduled' | 'live'
  templateId: { _id: string; name: string; builderType: string; htmlContent: string }
  createdAt: string
  updatedAt: string
}

export interface SubscriberList {
  id: string
  name: string
  lastUpdated: string
  createdAt: string
  updatedAt: string
}

export interface Segment {
  id: string
  name: string
}

export interface QueuedEmail {
  campaignId: string
  email: string
  subject: string
  fromName: string
  senderEmail: string
  attachments: { filename: string; url: string }[]
  queuedAt: string
}

export interface EmailState {
  businessId: string
  userId: string
  subscribers: Subscriber[]
  lists: SubscriberList[]
  segments: Segment[]
  customFields: { id: string; name: string; type: string }[]
  campaigns: Campaign[]
  /** Emails accepted for sending: the effect of a send. */
  outbox: QueuedEmail[]
  /** Sizes of files that the stand-in knows, in bytes: it fetches nothing. */
  fileSizes: Record<string, number>
  /** The number in the next record's id. */
  serial: number
}

/** The one envelope of the email service. */
export const success = (message: string, data: object, status = 200): HandlerResult => ({
  status,
  body: { success: true, status: 'success', message, data },
})
