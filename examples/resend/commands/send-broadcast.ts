import { defineServiceChange, ok, openView, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const sendBroadcast = defineServiceChange({
  name: 'resend send-broadcast',
  summary: 'Send (or schedule) an existing broadcast by ID',
  area: 'resend',
  input: z.object({
    broadcastId: z.string().describe('Broadcast ID or Resend dashboard URL (e.g. https://resend.com/broadcasts/)'),
    scheduledAt: z.string().optional().describe('When to send the broadcast'),
  }),
  positional: ['broadcastId'],
  examples: ['resend send-broadcast example'],
  uses: ['resend.sendBroadcast'],
  plan: z.object({ body: requests.sendBroadcast.body }),
  async prepare({ broadcastId, scheduledAt }) {
    return ok({ body: { broadcastId, scheduledAt } })
  },
  preview: () => ({ title: 'Send broadcast', tone: 'plain', blocks: [] }),
  row: 'resend.sendBroadcast',
  request: ({ body }) => ({ body }),
  done: (_, { data }) => ({ message: 'Send broadcast: done.', view: openView('Send broadcast', data) }),
})
