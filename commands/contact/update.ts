import { z } from 'zod'
import {
  type Contact,
  contactName,
  contactSummary,
  contactWho,
  readContact,
} from '../../packs/chat/contact.ts'
import { phone, toPhoneText } from '../../packs/chat/fields.ts'
import { toAttributes } from '../../packs/chat/guesses.ts'
import { contactUpdate as body } from '../../packs/chat/requests.ts'
import {
  differences,
  differencesBlock,
  differing,
  labelsOf,
  valuesBefore,
} from '../../src/kernel/command/differences.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import {
  contradiction,
  isConsistent,
  joinedNamesParam,
  namesParam,
  tagChange,
} from '../../src/kernel/command/tags.ts'
import { no, ok } from '../../src/lib/result.ts'
import { type Guesses, toNames } from '../../src/lib/services/endpoints/guesses.ts'
import { names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { note } from '../../src/lib/view/view.ts'
import { attributesParam, changedAttributes } from './attributes.ts'

const input = z
  .object({
    id: contactWho
      .describe('Contact id, 24 hexadecimal characters; an address or a number that leads to one')
      .meta({ kind: 'contact' }),
    name: z.string().trim().min(1, 'a name must not be empty').optional().describe('New full name'),
    mobile: phone.optional().describe('New phone number with its dialing code'),
    optin: z.boolean().optional().describe('Whether the contact has opted in'),
    incomingBlocked: z.boolean().optional().describe('Whether messages from the contact are blocked'),
    tags: namesParam('a tag').optional().describe('The complete list of tags; replaces the current ones'),
    tagsToAdd: joinedNamesParam('a tag').optional().describe('Tags to add; they must exist in the settings'),
    tagsToRemove: joinedNamesParam('a tag').optional().describe('Tags to remove'),
    attributes: attributesParam
      .optional()
      .describe('Custom fields as {"city":"Lund"}; an empty value removes the field')
      .meta({ json: true }),
  })
  .refine(isConsistent, contradiction)
  .refine(({ tags, tagsToAdd, tagsToRemove }) => !tags || !(tagsToAdd || tagsToRemove), {
    path: ['tags'],
    message: 'tags replaces all of them, so it cannot be combined with tags-to-add or tags-to-remove',
  })

export const contactUpdate = defineServiceChange({
  name: 'contact update',
  summary: 'Change a messaging contact: name, number, consent, tags or attributes',
  area: 'chat',
  input,
  positional: ['id'],
  examples: [
    'contact update 64b000000000000000000001 --tags-to-add support',
    'contact update 64b000000000000000000001 --attributes \'{"city":"Lund"}\'',
  ],
  workflow: true,
  uses: ['chat.getContact', 'chat.updateContact'],
  plan: z.object({
    id: z.string(),
    person: wording(z.string()),
    changes: differences,
    was: valuesBefore,
    body,
  }),
  async prepare({ id, ...values }, context) {
    if (Object.values(values).every((value) => value === undefined)) {
      return no(refusal('nothing_to_change', `No new value was given for ${theirs(id)}.`))
    }
    const found = await readContact(id, context)
    if (!found.ok) return found
    const person = contactName(found.value, id)
    const { changes, was, sent } = changesOf(found.value, values, context.guesses)
    if (changes.length === 0) {
      return no(refusal('nothing_to_change', `${person} already has these values.`))
    }
    return ok({ id, person, changes, was, body: sent })
  },
  preview: ({ person, changes, body: sent }) => ({
    title: `Update ${person}`,
    tone: 'plain',
    blocks: [
      differencesBlock(changes),
      ...(sent.tags?.length || sent.tagsToAdd || sent.attributes
        ? [note('plain', 'The service refuses tags and attributes that do not exist in its settings.')]
        : []),
    ],
  }),
  row: 'chat.updateContact',
  request: ({ id, body: sent }) => ({ params: { id }, body: sent }),
  done: ({ id, person, changes }, { data }) => ({
    message: `Updated ${person}: ${labelsOf(changes)}.`,
    view: data && { title: contactName(data, id), tone: 'plain', blocks: [contactSummary(data)] },
  }),
  lookUps: ({ id }) => [`contact get ${id}`],
})

type Values = Omit<z.infer<typeof input>, 'id'>

/** Only values that differ from the record are sent and shown. */
const changesOf = (one: Contact, values: Values, guesses: Guesses) => {
  const mobile = values.mobile && toPhoneText(values.mobile)
  const isSameNumber = mobile?.replace('+', '') === one.mobile?.replace('+', '')
  const plain = differing({
    name: ['Name', one.name, values.name],
    optin: ['Opted in', one.optin, values.optin],
    incomingBlocked: ['Incoming blocked', one.incomingBlocked, values.incomingBlocked],
    mobile: ['Mobile', one.mobile, isSameNumber ? undefined : mobile],
  })
  const tags = tagChange(one.tags, values.tagsToAdd, values.tagsToRemove)
  const replaced = replacedTags(one, values.tags)
  const attributes = changedAttributes(one, values.attributes ?? [])
  return {
    changes: [...plain.changes, ...replaced, ...tags.changes, ...attributes.changes],
    was: {
      ...plain.was,
      ...(replaced.length > 0 && { tags: one.tags ?? null }),
      ...tags.was,
      ...(attributes.sent.length > 0 && {
        attributes: attributes.sent.map(({ name }) => ({
          name,
          value: one.attributes?.find((own) => own.name === name)?.value ?? null,
        })),
      }),
    },
    sent: {
      ...plain.sent,
      ...(replaced.length > 0 && { tags: values.tags }),
      ...(tags.added.length > 0 && { tagsToAdd: toNames(tags.added, guesses.tagsToAdd) }),
      ...(tags.removed.length > 0 && { tagsToRemove: toNames(tags.removed, guesses.tagsToRemove) }),
      ...(attributes.sent.length > 0 && { attributes: toAttributes(attributes.sent, guesses.attributes) }),
    },
  }
}

/** The order of tags does not matter. */
const replacedTags = ({ tags: before }: Contact, after: string[] | undefined) => {
  if (after === undefined) return []
  const isSame = before?.length === after.length && before.every((tag) => after.includes(tag))
  return isSame ? [] : [{ label: 'Tags', before: before ? names(before) : null, after: names(after) }]
}
