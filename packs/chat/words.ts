import type { PackWords } from '../../src/kernel/command/language.ts'

/** What can be said in English for its commands. */
export const words: PackWords = {
  concepts: {
    message:
      'write|send a note|a note to|shoot a text|shoot a message|write back to|message|messages|text|sms|whatsapp|chat message|dm|write to|reply to|reply|answer|text message|send a text|send a message|drop a line|tell|notify|let know|inform|chat with|respond to',
    contact:
      'contact|contacts|phone contact|messaging contact|whatsapp contact|chat contact|phone book|phonebook|phone number|phone|mobile|address book',
  },
  choices: {
    area: {
      chat: 'chat|messages|messaging|message|sms|whatsapp|contacts|texting',
    },
  },
  tell: { command: 'message text', to: 'to', words: 'body' },
  commands: {
    'contact get': {
      say: [
        'contact get',
        'show contact',
        'contact',
        'find contact',
        'who contact',
        'who',
        'contact status',
        'show',
      ],
      beside: 'contact',
      examples: ['contact +15550110000'],
    },
    'contact find': {
      say: [
        'contact find',
        'find contact',
        'all contact',
        'show contact',
        'contact many',
        'who contact',
        'count contact',
        'contact',
        'contact tag',
      ],
      free: 'words',
      beside: 'all many show contact',
      examples: ['find the contact ada'],
    },
    'contact lists': { say: ['contact lists', 'contact list', 'show contact list'], beside: 'show' },
    'contact create': {
      say: ['contact create', 'make contact', 'make contact list'],
      beside: 'contact',
      examples: ['add the contact +15550119876'],
    },
    'contact update': {
      say: [
        'contact update',
        'change contact',
        { say: 'tag contact', set: {}, free: 'tagsToAdd' },
        { say: 'tag', set: {}, free: 'tagsToAdd' },
        { say: 'remove tag', set: {}, free: 'tagsToRemove' },
        { say: 'unsubscribe contact', set: { optin: 'no' } },
        { say: 'unsubscribe', set: { optin: 'no' } },
      ],
      beside: 'contact',
    },
    'message text': {
      say: [
        'message text',
        'message',
        'send message',
        'send contact',
        'message contact',
        'send message contact',
      ],
      free: 'body',
      beside: 'contact customer send message',
      examples: ['text 15550110000 "Your parcel is on its way"'],
    },
    'message carousel': { say: ['message carousel'] },
    'message media': { say: ['message media'] },
    'message products': { say: ['message products'] },
    'message template': {
      say: ['message template', 'send template', 'send message template', 'template'],
      free: 'templateName',
      beside: 'contact message',
    },
  },
}
