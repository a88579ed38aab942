import { z } from 'zod'
import { openRead, openWrite } from '../../src/lib/services/endpoints/path-only.ts'
import { type Choice, defineRow, defineService } from '../../src/lib/services/endpoints/row.ts'
import { contactId } from './fields.ts'
import { chatForms } from './guesses.ts'
import { kinds } from './kinds.ts'
import { links } from './links.ts'
import { messageKindOf } from './message-kind.ts'
import * as answers from './records.ts'
import * as requests from './requests.ts'

/** Words of a template that its reader sees: no number, and nobody's money. */
const templateDetails = ['bodyParams', 'languageCode', 'copyCodeParam', 'quickReplies']

const byContact = z.object({ id: contactId })

const shown = {
  updateContact: defineRow({
    method: 'PUT',
    path: '/contacts/{id}',
    noun: 'contact',
    effect: 'idempotent',
    shown: true,
    summary: 'Update a contact',
    params: byContact,
    body: requests.contactUpdate,
    answer: answers.contact,
    identity: { _id: 'id' },
    readBack: { read: 'getContact', tells: 'values' },
    guessed: ['attributes', 'tagsToAdd', 'tagsToRemove'],
  }),
  getContact: defineRow({
    method: 'GET',
    path: '/contacts/{id}',
    noun: 'contact',
    effect: 'read',
    shown: true,
    summary: 'Get a contact',
    params: byContact,
    answer: answers.contact,
    identity: { _id: 'id' },
  }),
  contactLists: defineRow({
    method: 'GET',
    path: '/contacts/lists',
    noun: 'contact',
    effect: 'read',
    shown: true,
    summary: 'Lists of contacts',
    answer: answers.contactLists,
  }),
  sendProducts: defineRow({
    method: 'POST',
    path: '/messages',
    noun: 'message',
    effect: 'once',
    shown: true,
    summary: 'Send a message with several products',
    body: requests.productsMessage,
    answer: answers.sentMessage,
    identity: { to: 'to' },
  }),
  sendMediaTemplate: defineRow({
    method: 'POST',
    path: '/messages',
    noun: 'message',
    effect: 'once',
    shown: true,
    summary: 'Send a media template',
    body: requests.mediaTemplate,
    answer: answers.sentMessage,
    identity: { to: 'to' },
    guessed: ['contact'],
    details: templateDetails,
  }),
  sendCarousel: defineRow({
    method: 'POST',
    path: '/messages',
    noun: 'message',
    effect: 'once',
    shown: true,
    summary: 'Send a carousel template',
    body: requests.carouselTemplate,
    answer: answers.sentMessage,
    identity: { to: 'to' },
    guessed: ['contact', 'quickReplies'],
    details: templateDetails,
  }),
}

const send = (what: string) =>
  openWrite({ method: 'POST', path: '/messages', noun: 'message', effect: 'once', summary: `Send ${what}` })

const digits = (value: unknown): string => String(value ?? '').replace(/\D/g, '')

const pathOnly = {
  createContact: openWrite({
    method: 'POST',
    path: '/contacts',
    noun: 'contact',
    effect: 'once',
    summary: 'Create a contact',
    readBack: {
      read: 'findContacts',
      input: () => ({}),
      tells: (records, { body }) => records.some(({ mobile }) => digits(mobile) === digits(body.mobile)),
    },
    guessed: ['attributes'],
  }),
  // The slash at the end is the document's.
  findContacts: openRead({ path: '/contacts/', noun: 'contact', summary: 'Find contacts' }),
  sendTextTemplate: { ...send('a text template'), guessed: ['contact'], details: templateDetails },
  sendAuthTemplate: send('an authentication template'),
  sendButtonsTemplate: send('a template with call-to-action buttons'),
  sendOfferTemplate: send('a limited-time offer template'),
  sendText: send('a text'),
  sendImage: send('an image'),
  sendAudio: send('an audio file'),
  sendVideo: send('a video'),
  sendDocument: send('a document'),
  sendProduct: send('a single product'),
  sendCatalog: send('a catalog'),
  sendList: send('a list to choose from'),
  sendLink: send('a call-to-action link'),
  sendAddressRequest: send('a request for an address'),
  sendLocationRequest: send('a request for a location'),
}

/** One endpoint sends every kind of message; the body says which. */
const choose = ({ body }: Choice) => messageKindOf(body)

export const chat = defineService({
  name: 'chat',
  title: 'Messaging',
  auth: 'bearer',
  environment: { baseUrl: 'CHAT_BASE_URL', keys: { apiKey: 'CHAT_API_KEY' } },
  prefix: '/api/v1',
  rows: { ...shown, ...pathOnly },
  envelope: true,
  proof: { row: 'contactLists' },
  choose,
  kinds,
  links,
  guesses: chatForms,
})

declare module '../../src/lib/services/endpoints/row.ts' {
  interface Tables {
    chat: typeof chat
  }
}
