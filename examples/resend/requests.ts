import { z } from 'bellhop/pack'

export const sendBroadcast = {
  body: z.object({
    broadcastId: z.string(),
    scheduledAt: z.string().optional(),
  }),
}

export const createContact = {
  body: z.object({
    email: z.string(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    unsubscribed: z.boolean().optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
    segmentIds: z.array(z.string()).optional(),
    topics: z.array(z.unknown()).optional(),
  }),
}

export const listContacts = {
  body: z.object({
    segmentId: z.string().optional(),
    limit: z.number().optional(),
    after: z.string().optional(),
    before: z.string().optional(),
  }),
}

export const getContact = {
  body: z.object({
    id: z.string().optional(),
    email: z.string().optional(),
  }),
}

export const removeContact = {
  body: z.object({
    id: z.string().optional(),
    email: z.string().optional(),
  }),
}

export const sendEmail = {
  body: z.object({
    to: z.array(z.string()),
    subject: z.string(),
    text: z.string(),
    html: z.string().optional(),
    cc: z.array(z.string()).optional(),
    bcc: z.array(z.string()).optional(),
    scheduledAt: z.string().optional(),
    attachments: z.array(z.unknown()).optional(),
    tags: z.array(z.unknown()).optional(),
    topicId: z.string().optional(),
    headers: z.record(z.string(), z.unknown()).optional(),
    idempotencyKey: z.string().optional(),
    from: z.string(),
    replyTo: z.array(z.string()).optional(),
  }),
}
