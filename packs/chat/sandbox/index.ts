import { refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { defineSandbox } from '../../../src/lib/sandbox/service-sandbox.ts'
import type { chat } from '../endpoints.ts'
import * as contacts from './contacts.ts'
import { sendCarousel, sendMediaTemplate, sendProducts, sendUndocumented } from './messages.ts'
import { seedChat } from './seed.ts'
import type { ChatState, MessageTemplate } from './state.ts'

type ChatRow = keyof typeof chat.rows

export const sandbox = defineSandbox<ChatState, typeof chat.rows>({
  seed: seedChat,
  handlers: {
    updateContact: contacts.updateContact,
    getContact: contacts.getContact,
    contactLists: contacts.contactLists,
    createContact: contacts.createContact,
    findContacts: contacts.findContacts,
    sendProducts,
    sendMediaTemplate,
    sendCarousel,
    sendTextTemplate: sendUndocumented('sendTextTemplate', 'text'),
    sendAuthTemplate: sendUndocumented('sendAuthTemplate', 'authentication'),
    sendButtonsTemplate: sendUndocumented('sendButtonsTemplate', 'buttons'),
    sendOfferTemplate: sendUndocumented('sendOfferTemplate', 'offer'),
    sendText: sendUndocumented('sendText'),
    sendImage: sendUndocumented('sendImage'),
    sendAudio: sendUndocumented('sendAudio'),
    sendVideo: sendUndocumented('sendVideo'),
    sendDocument: sendUndocumented('sendDocument'),
    sendProduct: sendUndocumented('sendProduct'),
    sendCatalog: sendUndocumented('sendCatalog'),
    sendList: sendUndocumented('sendList'),
    sendLink: sendUndocumented('sendLink'),
    sendAddressRequest: sendUndocumented('sendAddressRequest'),
    sendLocationRequest: sendUndocumented('sendLocationRequest'),
  },
  pick: (rows, { state, body }) => pickChatRow(rows as ChatRow[], state, body),
})

const templateRows: Record<MessageTemplate['kind'], ChatRow> = {
  media: 'sendMediaTemplate',
  carousel: 'sendCarousel',
  text: 'sendTextTemplate',
  authentication: 'sendAuthTemplate',
  buttons: 'sendButtonsTemplate',
  offer: 'sendOfferTemplate',
}

/** Only `template`, `interactive` and `product_list` are documented; the other words are the stand-in's own. */
const plainRows = new Map<string, ChatRow>([
  ['text', 'sendText'],
  ['image', 'sendImage'],
  ['audio', 'sendAudio'],
  ['video', 'sendVideo'],
  ['document', 'sendDocument'],
])

const interactiveRows = new Map<string, ChatRow>([
  ['product_list', 'sendProducts'],
  ['product', 'sendProduct'],
  ['catalog_message', 'sendCatalog'],
  ['list', 'sendList'],
  ['cta_url', 'sendLink'],
  ['address_message', 'sendAddressRequest'],
  ['location_request_message', 'sendLocationRequest'],
])

/** One endpoint sends every kind of message; the body says which. */
function pickChatRow(rows: readonly ChatRow[], state: ChatState, body: unknown): ChatRow | undefined {
  if (!rows.includes('sendProducts')) return rows[0]
  const sent = (body ?? {}) as Record<string, unknown>
  const type = String(sent.type)
  if (type === 'template') return templateRow(state, sent)
  if (type === 'interactive') {
    const kind = sent.interactiveType ?? 'product_list'
    return interactiveRows.get(String(kind)) ?? refuse(`interactiveType ${kind} is not known`)
  }
  return (
    plainRows.get(type) ?? refuse('type must be template, interactive, text, image, audio, video or document')
  )
}

function templateRow(state: ChatState, sent: Record<string, unknown>): ChatRow {
  if ('carouselBodies' in sent || 'carouselFileData' in sent) return 'sendCarousel'
  if ('link' in sent) return 'sendMediaTemplate'
  const template = state.templates.find((one) => one.name === sent.templateName)
  return templateRows[template?.kind ?? 'text']
}
