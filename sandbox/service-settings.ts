import type { Sandbox } from './sandbox.ts'

/** What a process needs in its environment to call a sandbox. */
export const serviceSettingsOf = ({
  email,
  chat,
  billing,
}: Pick<Sandbox, 'email' | 'chat' | 'billing'>): Record<string, string> => ({
  EMAIL_BASE_URL: email.baseUrl,
  EMAIL_API_KEY: email.apiKey,
  CHAT_BASE_URL: chat.baseUrl,
  CHAT_API_KEY: chat.apiKey,
  BILLING_BASE_URL: billing.baseUrl,
  BILLING_API_KEY: billing.apiKey,
  BILLING_SECRET_KEY: billing.secretKey,
})
