import type { BillingState } from './billing-state.ts'
import type { ChatState } from './chat-state.ts'
import type { EmailState } from './email-state.ts'
import { seedBilling } from './seed-billing.ts'
import { seedChat } from './seed-chat.ts'
import { seedEmail } from './seed-email.ts'

export interface SandboxState {
  email: EmailState
  chat: ChatState
  billing: BillingState
}

export const createState = (): SandboxState => ({
  email: seedEmail(),
  chat: seedChat(),
  billing: seedBilling(),
})
