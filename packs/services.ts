import { billing } from './billing/endpoints.ts'
import { chat } from './chat/endpoints.ts'
import { email } from './email/endpoints.ts'

/** What the client, the policy and the links know of the bot's own services, without all that people see of them. */
export const ownServices = [email, chat, billing]
