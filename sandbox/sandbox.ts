import { billing } from '../packs/billing/endpoints.ts'
import { sandbox as billingSandbox } from '../packs/billing/sandbox/index.ts'
import type { BillingState } from '../packs/billing/sandbox/state.ts'
import { chat } from '../packs/chat/endpoints.ts'
import { sandbox as chatSandbox } from '../packs/chat/sandbox/index.ts'
import type { ChatState } from '../packs/chat/sandbox/state.ts'
import { email } from '../packs/email/endpoints.ts'
import { sandbox as emailSandbox } from '../packs/email/sandbox/index.ts'
import type { EmailState } from '../packs/email/sandbox/state.ts'
import { type Pack, standInsOf } from '../src/kernel/command/pack.ts'
import { type RunningSandbox, type SandboxOptions, startStandIns } from '../src/lib/sandbox/sandbox.ts'
import { seedOf } from '../src/lib/sandbox/service-sandbox.ts'

/** What tests, proofs and measurements call: the stand-ins of the bot's own three packs, by their names. */
export type Sandbox = Omit<RunningSandbox, 'state'> & {
  email: { baseUrl: string; apiKey: string }
  chat: { baseUrl: string; apiKey: string }
  billing: { baseUrl: string; apiKey: string; secretKey: string }
  readonly state: OwnState
}

export type OwnState = { email: EmailState; chat: ChatState; billing: BillingState }

export type OwnName = keyof OwnState

export const standIns = [
  { service: email, sandbox: emailSandbox },
  { service: chat, sandbox: chatSandbox },
  { service: billing, sandbox: billingSandbox },
]

export const createSandboxState = () => seedOf(standIns) as OwnState

export async function startSandbox({
  packs = [],
  ...options
}: SandboxOptions & { packs?: readonly Pack[] } = {}): Promise<Sandbox> {
  const running = await startStandIns([...standIns, ...(await standInsOf(packs))], options)
  return Object.defineProperties(
    { ...running.services },
    Object.getOwnPropertyDescriptors(running),
  ) as unknown as Sandbox
}
