import { z } from 'zod'
import * as answers from './records.ts'
import * as requests from './requests.ts'
import { openRead, openWrite } from '../../src/services/endpoints/path-only.ts'
import { contactId } from '../../src/services/endpoints/request-fields.ts'
import { defineRow, defineService } from '../../src/services/endpoints/row.ts'

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
  }),
}

const send = (what: string) =>
  openWrite({ method: 'POST', path: '/messages', noun: 'message', effect: 'once', summary: `Send ${what}` })

const pathOnly = {
  createContact: openWrite({
    method: 'POST',
    path: '/contacts',
    noun: 'contact',
    effect: 'once',
    summary: 'Create a contact',
  }),
  // The slash at the end is the document's.
  findContacts: openRead({ path: '/contacts/', noun: 'contact', summary: 'Find contacts' }),
  sendTextTemplate: send('a text template'),
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

export const chat = defineService({ name: 'chat', auth: 'bearer', rows: { ...shown, ...pathOnly } })
