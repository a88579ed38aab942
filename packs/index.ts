import type { Pack } from '../src/command/pack.ts'
import { billingPack } from './billing/index.ts'
import { chatPack } from './chat/index.ts'
import { emailPack } from './email/index.ts'

/** The packs that come with the bot, in the order in which they are listed. */
export const ownPacks: readonly Pack[] = [emailPack, chatPack, billingPack]
