import { definePack } from 'bellhop/pack'
import { sendBroadcast } from './commands/send-broadcast.ts'
import { createContact } from './commands/create-contact.ts'
import { listContacts } from './commands/list-contacts.ts'
import { getContact } from './commands/get-contact.ts'
import { removeContact } from './commands/remove-contact.ts'
import { sendEmail } from './commands/send-email.ts'
import { resend as service } from './endpoints.ts'

export const pack = definePack({
  surface: 1,
  ...service,
  commands: [sendBroadcast, createContact, listContacts, getContact, removeContact, sendEmail],
  words: {
    concepts: {
      'resend-send-broadcast': 'resend send broadcast|send broadcast in resend|send broadcast with resend',
      'resend-create-contact': 'resend create contact|create contact in resend|create contact with resend',
      'resend-list-contacts': 'resend list contacts|list contacts in resend|list contacts with resend',
      'resend-get-contact': 'resend get contact|get contact in resend|get contact with resend',
      'resend-remove-contact': 'resend remove contact|remove contact in resend|remove contact with resend',
      'resend-send-email': 'resend send email|send email in resend|send email with resend',
    },
    commands: {
      'resend send-broadcast': { say: ['resend-send-broadcast'] },
      'resend create-contact': { say: ['resend-create-contact'] },
      'resend list-contacts': { say: ['resend-list-contacts'] },
      'resend get-contact': { say: ['resend-get-contact'] },
      'resend remove-contact': { say: ['resend-remove-contact'] },
      'resend send-email': { say: ['resend-send-email'] },
    },
  },
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
})
