import type { HandlerResult } from '../endpoint/handler.ts'

/** The one envelope of the email service. */
export const success = (message: string, data: object, status = 200): HandlerResult => ({
  status,
  body: { success: true, status: 'success', message, data },
})
