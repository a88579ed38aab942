export interface Attribute {
  name: string
  value: string
  _id: string
}

export interface Contact {
  _id: string
  name: string
  settingId: string
  userId: string
  countryCode: string
  mobile: string
  status: string
  source: string
  optin: boolean
  attributes: Attribute[]
  incomingBlocked: boolean
  broadcastIds: string[]
  list: string[]
  tags: string[]
  __v: number
  createdAt: string
  updatedAt: string
  lastActive: string
}

export interface ContactList {
  _id: string
  name: string
  createdAt: string
  incomingBlocked: boolean
  tags: string[]
  optin: boolean
  attributes: Attribute[]
}

export interface MessageTemplate {
  name: string
  kind: 'media' | 'carousel' | 'text' | 'authentication' | 'buttons' | 'offer'
  /** What a media template shows; only a document takes a file name. */
  format?: 'image' | 'video' | 'document'
  approved: boolean
}

export interface SentMessage {
  id: string
  chatId: string
  row: string
  to: string
  body: unknown
  sentAt: string
}

export interface ChatState {
  settingId: string
  userId: string
  settings: { tags: string[]; attributes: string[] }
  contacts: Contact[]
  lists: ContactList[]
  templates: MessageTemplate[]
  /** Messages accepted for sending: the effect of a send. */
  messages: SentMessage[]
  serial: number
}
