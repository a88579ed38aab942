import type { BillingState } from '../../packs/billing/sandbox/state.ts'
import type { ChatState } from '../../packs/chat/sandbox/state.ts'
import type { EmailState } from '../../packs/email/sandbox/state.ts'
import { seedBilling } from '../../packs/billing/sandbox/seed.ts'
import { seedChat } from '../../packs/chat/sandbox/seed.ts'
import { seedEmail } from '../../packs/email/sandbox/seed.ts'

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
