/** Fixed keys, good for the sandbox and nothing else. */
export const sandboxKeys = {
  email: { apiKey: 'sandbox-email-key' },
  chat: { apiKey: 'sandbox-chat-key' },
  billing: { apiKey: 'sandbox-billing-key', secretKey: 'sandbox-billing-secret' },
} as const

const { apiKey, secretKey } = sandboxKeys.billing

export const authorizationOf = {
  email: `Bearer ${sandboxKeys.email.apiKey}`,
  chat: `Bearer ${sandboxKeys.chat.apiKey}`,
  billing: `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`,
} as const
