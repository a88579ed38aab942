import type { BillingState } from '../billing/state.ts'
import type { ChatState } from '../chat/state.ts'
import type { EmailState } from '../email/state.ts'
import { seedBilling } from './billing.ts'
import { seedChat } from './chat.ts'
import { seedEmail } from './email.ts'

export interface SandboxState {
  email: EmailState
  chat: ChatState
  billing: BillingState
}

export const createSandboxState = (): SandboxState => ({
  email: seedEmail(),
  chat: seedChat(),
  billing: seedBilling(),
})
