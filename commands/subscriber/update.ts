import { z } from 'zod'
import { email } from '../../packs/email/endpoints.ts'
import { personOf, readSubscriber, subscriberSummary } from '../../packs/email/subscriber.ts'
import {
  differences,
  differencesBlock,
  labelsOf,
  valuesBefore,
} from '../../src/kernel/command/differences.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { contradiction, isConsistent } from '../../src/kernel/command/tags.ts'
import { no, ok } from '../../src/lib/result.ts'
import { emailAddress } from '../../src/lib/services/endpoints/request-fields.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { changeOf } from './changes.ts'
import { statusWarnings, subscriberFields } from './params.ts'

const { body } = email.rows.updateSubscriber

const input = z
  .object({
    email: emailAddress.describe('Email address of the subscriber').meta({ kind: 'subscriber' }),
    ...subscriberFields,
  })
  .refine(isConsistent, contradiction)

export const subscriberUpdate = defineServiceChange({
  name: 'subscriber update',
  summary: 'Change a subscriber: name, score, status, tags, company or position',
  area: 'email',
  input,
  positional: ['email'],
  examples: [
    'subscriber update ada@example.com --tags-to-add beta --lead-score 80',
    'subscriber update ada@example.com --company "Fern and Field" --tags-to-remove newsletter',
  ],
  workflow: true,
  uses: ['email.getSubscriber', 'email.updateSubscriber'],
  plan: z.object({
    email: z.string(),
    person: wording(z.string()),
    changes: differences,
    was: valuesBefore,
    body,
  }),
  async prepare(wanted, context) {
    const { email: address, ...values } = wanted
    if (Object.values(values).every((value) => value === undefined)) {
      return no(refusal('nothing_to_change', `No new value was given for ${theirs(address)}.`))
    }
    const found = await readSubscriber(address, context)
    if (!found.ok) return found
    const person = personOf(found.value, address)
    const { changes, was, body: sent } = changeOf(found.value, values)
    if (changes.length === 0) {
      return no(refusal('nothing_to_change', `${person} already has these values.`))
    }
    return ok({ email: address, person, changes, was, body: sent })
  },
  preview: ({ person, changes, body: sent }) => ({
    title: `Update ${person}`,
    tone: 'plain',
    blocks: [differencesBlock(changes), ...statusWarnings(sent.status)],
  }),
  row: 'email.updateSubscriber',
  request: ({ email: address, body: sent }) => ({ params: { email: address }, body: sent }),
  done: ({ email: address, person, changes }, { data }) => ({
    message: `Updated ${person}: ${labelsOf(changes)}.`,
    view: data && { title: personOf(data, address), tone: 'plain', blocks: [subscriberSummary(data)] },
  }),
  lookUps: ({ email: address }) => [`subscriber get ${address}`],
})
