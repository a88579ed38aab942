import { defineServiceChange, ok, openView, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const sendEmail = defineServiceChange({
  name: 'resend send-email',
  summary: 'Send a single transactional email to one or more recipients immediately (or schedule it)',
  area: 'resend',
  input: z.object({
    to: z.array(z.string()).describe('Array of recipient email addresses (1-50 recipients)'),
    subject: z.string().describe('Email subject line'),
    text: z.string().describe('Plain text email content'),
    from: z.string().describe('Sender email address (e.g. "onboarding@resend.com" or "Acme ")'),
    html: z.string().optional().describe('HTML email content'),
    cc: z.array(z.string()).optional().describe('Optional array of CC email addresses'),
    bcc: z.array(z.string()).optional().describe('Optional array of BCC email addresses'),
    scheduledAt: z.string().optional().describe('Optional parameter to schedule the email'),
    attachments: z.array(z.unknown()).optional().describe('Array of file attachments').meta({ json: true }),
    tags: z.array(z.unknown()).optional().describe('Array of custom tags for tracking/analytics').meta({ json: true }),
    topicId: z.string().optional().describe('Topic ID for subscription-based sending'),
    headers: z.record(z.string(), z.unknown()).optional().describe('Optional custom email headers as key/value pairs (e.g. {"List-Unsubscribe"').meta({ json: true }),
    replyTo: z.array(z.string()).optional().describe('Optional email addresses for the email readers to reply to (e.g. "support@example.com"...'),
  }),
  positional: ['subject', 'text', 'from'],
  examples: ['resend send-email --to ada@example.com example example example'],
  uses: ['resend.sendEmail'],
  plan: z.object({ body: requests.sendEmail.body.omit({ idempotencyKey: true }) }),
  async prepare({ to, subject, text, from, html, cc, bcc, scheduledAt, attachments, tags, topicId, headers, replyTo }) {
    return ok({ body: { to, subject, text, html, cc, bcc, scheduledAt, attachments, tags, topicId, headers, from, replyTo } })
  },
  preview: () => ({ title: 'Send email', tone: 'plain', blocks: [] }),
  row: 'resend.sendEmail',
  request: ({ body }, newId) => ({ body: { ...body, idempotencyKey: newId() } }),
  done: (_, { data }) => ({ message: 'Send email: done.', view: openView('Send email', data) }),
})
