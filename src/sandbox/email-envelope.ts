import type { Answer } from './call.ts'

/** The one envelope of the email service. */
export const done = (message: string, data: object, status = 200): Answer => ({
  status,
  body: { success: true, status: 'success', message, data },
})
