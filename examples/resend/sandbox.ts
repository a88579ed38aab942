import { answersAsRecorded, defineSandbox } from 'bellhop/pack'
import type { resend } from './endpoints.ts'

/** Answers each tool with a result: one that the server gave, or one that is made up in the form of its schema. */
export const sandbox = defineSandbox<Record<string, never>, typeof resend.rows>({
  seed: () => ({}),
  handlers: {
    sendBroadcast: answersAsRecorded({"content":[{"type":"text","text":"Send Broadcast: made up"}]}),
    createContact: answersAsRecorded({"content":[{"type":"text","text":"Create Contact: made up"}]}),
    listContacts: answersAsRecorded({"content":[{"type":"text","text":"List Contacts: made up"}]}),
    getContact: answersAsRecorded({"content":[{"type":"text","text":"Get Contact: made up"}]}),
    removeContact: answersAsRecorded({"content":[{"type":"text","text":"Remove Contact: made up"}]}),
    sendEmail: answersAsRecorded({"content":[{"type":"text","text":"Send Email: made up"}]}),
  },
})
