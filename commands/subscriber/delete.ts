import { z } from 'zod'
import { personOf } from '../../packs/email/subscriber.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { emailAddress } from '../../src/lib/services/endpoints/request-fields.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts, list, note } from '../../src/lib/view/view.ts'
import { lookUp } from './known.ts'

const most = 50

export const subscriberDelete = defineServiceChange({
  name: 'subscriber delete',
  summary: 'Delete subscribers by their addresses, never all of them',
  area: 'email',
  input: z.object({
    emails: z
      .array(emailAddress)
      .min(1, 'name whom to delete')
      .max(most, `name at most ${most} at a time`)
      .describe('Email addresses of the subscribers to delete')
      .meta({ kind: 'subscriber' }),
  }),
  positional: ['emails'],
  examples: ['subscriber delete ada@example.com'],
  uses: ['email.findSubscribers', 'email.getSubscriber', 'email.deleteSubscribers'],
  plan: z.object({ emails: z.array(z.string()).min(1), people: z.array(wording(z.string())) }),
  async prepare({ emails }, context) {
    const wanted = new Map(emails.map((email) => [email.toLowerCase(), { email }]))
    const people = new Map<string, string>()
    await lookUp(wanted, context, (key, one) => people.set(key, personOf(one, key)))
    const unknown = [...wanted].filter(([key]) => !people.has(key)).map(([, { email }]) => email)
    if (unknown.length > 0) {
      return no(
        refusal('not_found', `There is no subscriber ${unknown.slice(0, 5).join(', ')}.`, {
          next: 'Name only addresses of subscribers; nothing was deleted.',
        }),
      )
    }
    const kept = [...wanted.values()].map(({ email }) => email).sort()
    return ok({ emails: kept, people: [...people.values()].sort() })
  },
  preview: ({ emails, people }) => ({
    title: `Delete ${people.length === 1 && people[0] ? people[0] : plural(emails.length, 'subscriber')}`,
    tone: 'bad',
    blocks: [
      facts({ 'To delete': plural(emails.length, 'subscriber') }),
      list(people),
      note('bad', 'Bellhop cannot bring a deleted subscriber back.'),
    ],
  }),
  row: 'email.deleteSubscribers',
  request: ({ emails }) => ({ body: { emails } }),
  done: ({ emails }, { message }) => ({
    message: `The service took the deletion of ${plural(emails.length, 'subscriber')}.${message === undefined ? '' : ` It says: ${theirs(message, 300)}`}`,
  }),
  async checkOutcome({ emails }, context) {
    const left = new Set<string>()
    const wanted = new Map(emails.map((email) => [email.toLowerCase(), { email }]))
    await lookUp(wanted, context, (key) => left.add(key))
    const message = `${left.size} of the ${plural(emails.length, 'subscriber')} are still there.`
    return { happened: left.size === 0 ? true : left.size === emails.length ? false : null, message }
  },
  lookUps: ({ emails }) => emails.slice(0, 3).map((email) => `subscriber get ${email}`),
})
