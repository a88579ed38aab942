import { defineRow, defineService } from 'bellhop/pack'
import * as answers from './answers.ts'
import mcp from './mcp.json' with { type: 'json' }
import * as requests from './requests.ts'

// Resend, at the MCP server node. A line that begins with "Decide" is for you: change what follows it, or take the line out.
export const resend = defineService({
  name: 'resend',
  title: 'Resend',
  auth: 'bearer',
  mcp,
  environment: { baseUrl: 'RESEND_MCP_URL', keys: { token: 'RESEND_TOKEN' } },
  rows: {
    sendBroadcast: defineRow({
      method: 'POST',
      path: '/send-broadcast',
      noun: 'resend',
      effect: 'once',
      shown: true,
      summary: 'Send (or schedule) an existing broadcast by ID',
      body: requests.sendBroadcast.body,
      answer: answers.sendBroadcast,
    }),
    createContact: defineRow({
      method: 'POST',
      path: '/create-contact',
      noun: 'resend',
      effect: 'once',
      shown: true,
      summary: 'Create a new contact in Resend',
      body: requests.createContact.body,
      answer: answers.createContact,
    }),
    listContacts: defineRow({
      method: 'POST',
      path: '/list-contacts',
      noun: 'resend',
      effect: 'read',
      shown: true,
      summary: 'List contacts from Resend',
      body: requests.listContacts.body,
      answer: answers.listContacts,
    }),
    getContact: defineRow({
      method: 'POST',
      path: '/get-contact',
      noun: 'resend',
      effect: 'read',
      shown: true,
      summary: 'Get a contact by ID or email from Resend',
      body: requests.getContact.body,
      answer: answers.getContact,
    }),
    // Decide: It may destroy something, by its hints or its name. Where somebody else is to approve that, write a rule for it, or movesMoney: true.
    removeContact: defineRow({
      method: 'POST',
      path: '/remove-contact',
      noun: 'resend',
      effect: 'once',
      shown: true,
      summary: 'Remove a contact from Resend (by ID or email)',
      body: requests.removeContact.body,
      answer: answers.removeContact,
    }),
    sendEmail: defineRow({
      method: 'POST',
      path: '/send-email',
      noun: 'resend',
      effect: 'once',
      shown: true,
      summary: 'Send a single transactional email to one or more recipients immediately (or schedule it)',
      body: requests.sendEmail.body,
      answer: answers.sendEmail,
    }),
  },
})

declare module 'bellhop/pack' {
  interface Tables {
    resend: typeof resend
  }
}
