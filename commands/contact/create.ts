import { z } from 'zod'
import {
  contactName,
  contactSummary,
  contactsWith,
  notFoundWords,
  readContacts,
  toContact,
} from '../../packs/chat/contact.ts'
import { phone, toPhoneNumber, toPhoneText } from '../../packs/chat/fields.ts'
import { toAttributes } from '../../packs/chat/guesses.ts'
import { contactUpdate } from '../../packs/chat/requests.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { namesParam } from '../../src/kernel/command/tags.ts'
import { no, ok } from '../../src/lib/result.ts'
import { recordIn } from '../../src/lib/services/read-answer.ts'
import { names, yesNo } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff, note } from '../../src/lib/view/view.ts'
import { attributesParam } from './attributes.ts'

const attributeLines = z.array(z.object({ name: z.string(), value: z.string() }))

export const contactCreate = defineServiceChange({
  name: 'contact create',
  summary: 'Add a messaging contact by phone number',
  area: 'chat',
  input: z.object({
    mobile: phone.describe('Phone number with its dialing code').meta({ takes: 'number' }),
    name: z.string().trim().min(1, 'a name must not be empty').optional().describe('Full name'),
    optin: z.boolean().optional().describe('Whether the contact has opted in'),
    incomingBlocked: z.boolean().optional().describe('Whether messages from the contact are blocked'),
    tags: namesParam('a tag').optional().describe('Tags; they must exist in the settings'),
    attributes: attributesParam.optional().describe('Custom fields as {"city":"Lund"}').meta({ json: true }),
  }),
  positional: ['mobile'],
  examples: ['contact create +15550119876 --name "Noor Haddad"'],
  uses: ['chat.findContacts', 'chat.createContact'],
  plan: z.object({ body: contactUpdate, attributes: attributeLines, search: wording(z.string()) }),
  async prepare({ mobile, attributes = [], ...values }, context) {
    const all = await readContacts(context)
    const [known] = contactsWith(toPhoneNumber(mobile), all)
    if (known !== undefined) {
      return no(
        refusal('not_allowed_now', `${contactName(known, mobile)} is a contact already.`, {
          next: `Change it with contact update ${known._id ?? ''}.`,
        }),
      )
    }
    const sent = attributes.length === 0 ? undefined : toAttributes(attributes, context.guesses.attributes)
    return ok({
      body: { mobile: toPhoneText(mobile), ...values, attributes: sent },
      attributes,
      search: notFoundWords(all),
    })
  },
  preview: ({ body, attributes, search }) => ({
    title: `Add the contact ${theirs(body.name ?? body.mobile ?? '')}`,
    tone: 'plain',
    blocks: [
      diff({
        Mobile: [null, body.mobile ?? null],
        Name: [null, body.name ?? null],
        'Opted in': [null, yesNo(body.optin) ?? null],
        'Incoming blocked': [null, yesNo(body.incomingBlocked) ?? null],
        Tags: [null, body.tags ? names(body.tags) : null],
        ...Object.fromEntries(
          attributes.map(({ name, value }) => [`Attribute ${theirs(name)}`, [null, value]]),
        ),
      }),
      note('plain', search),
    ],
  }),
  row: 'chat.createContact',
  request: ({ body }) => ({ body }),
  done({ body }, { data }) {
    const made = recordIn(data, 'contact')
    const name = body.name ?? body.mobile ?? ''
    return {
      message: `The contact ${theirs(name)} was added.`,
      view: made && { title: name, tone: 'good', blocks: [contactSummary(toContact(made))] },
    }
  },
  lookUps: ({ body }) => [`contact get ${body.mobile}`],
})
