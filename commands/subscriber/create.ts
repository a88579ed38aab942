import { z } from 'zod'
import { email } from '../../packs/email/endpoints.ts'
import { subscriberSummary, toSubscriber } from '../../packs/email/subscriber.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { emailAddress } from '../../src/lib/services/endpoints/request-fields.ts'
import { ifReadable, recordIn } from '../../src/lib/services/read-answer.ts'
import { names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { openFacts } from '../../src/lib/view/record-facts.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff } from '../../src/lib/view/view.ts'
import { changeOf } from './changes.ts'
import { statusWarnings, subscriberFields } from './params.ts'

const { body } = email.rows.updateSubscriber
const { tagsToRemove: _, ...fields } = subscriberFields

export const subscriberCreate = defineServiceChange({
  name: 'subscriber create',
  summary: 'Add a subscriber, with name, tags, company or position',
  area: 'email',
  input: z.object({
    email: emailAddress.describe('Email address of the new subscriber').meta({ takes: 'address' }),
    ...fields,
  }),
  positional: ['email'],
  examples: ['subscriber create new@example.com --first-name Noor --tags-to-add beta'],
  uses: ['email.getSubscriber', 'email.createSubscriber'],
  plan: z.object({ email: z.string(), body }),
  async prepare({ email: address, ...values }, context) {
    const known = await ifReadable(context.email.getSubscriber({ params: { email: address } }))
    if (known !== undefined) {
      return no(
        refusal('not_allowed_now', `${theirs(address)} is a subscriber already.`, {
          next: 'Change it with subscriber update.',
        }),
      )
    }
    return ok({ email: address, body: changeOf({}, values).body })
  },
  preview: ({ email: address, body: sent }) => ({
    title: `Add the subscriber ${theirs(address)}`,
    tone: 'plain',
    blocks: [
      diff({
        Email: [null, address],
        'First name': [null, sent.firstName ?? null],
        'Last name': [null, sent.lastName ?? null],
        'Lead score': [null, sent.leadScore === undefined ? null : String(sent.leadScore)],
        Status: [null, sent.status ?? null],
        Tags: [null, sent.tagsToAdd ? names(sent.tagsToAdd) : null],
        Company: [null, sent.customFields?.company ?? null],
        Position: [null, sent.customFields?.position ?? null],
        ...Object.fromEntries(
          Object.entries(openFacts(sent.customFields ?? {}, ['company', 'position'])).map(([name, value]) => [
            name,
            [null, value] as const,
          ]),
        ),
      }),
      ...statusWarnings(sent.status),
    ],
  }),
  row: 'email.createSubscriber',
  request: ({ email: address, body: sent }) => ({ body: { email: address, ...sent } }),
  done({ email: address }, { data }) {
    const made = recordIn(data, 'subscriber')
    return {
      message: `${theirs(address)} was added as a subscriber.`,
      view: made && { title: address, tone: 'good', blocks: [subscriberSummary(toSubscriber(made))] },
    }
  },
  lookUps: ({ email: address }) => [`subscriber get ${address}`],
})
