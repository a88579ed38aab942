import { z } from 'zod'
import {
  type Contact,
  contactFacts,
  contactsWith,
  contactWho,
  notFoundWords,
  readContact,
  readContacts,
} from '../../packs/chat/contact.ts'
import { contactId, toPhoneNumber } from '../../packs/chat/fields.ts'
import { answerThing } from '../../src/kernel/command/answer.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { theirs, theirTitle } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'

export const contactGet = defineQuery({
  name: 'contact get',
  summary: 'Show a messaging contact: number, consent, tags, lists and attributes',
  area: 'chat',
  input: z.object({
    id: contactWho.describe('Contact id, or phone number with its dialing code').meta({ kind: 'contact' }),
  }),
  positional: ['id'],
  examples: ['contact get 64b000000000000000000001', 'contact get +15550110000'],
  uses: ['chat.getContact', 'chat.findContacts'],
  async run({ id }, context) {
    const found = isId(id) ? await readContact(id, context) : await readByPhone(id, context)
    if (!found.ok) return found
    const one = found.value
    return answerThing({
      title: theirTitle(one.name || one.mobile || id),
      tone: 'plain',
      blocks: [contactFacts(one)],
    })
  },
})

const isId = (value: string): boolean => contactId.safeParse(value).success

/** By the listing of contacts; the record itself, which says more, is then read by its id. */
const readByPhone = async (value: string, context: Pick<ReadContext, 'chat'>): Promise<Result<Contact>> => {
  const all = await readContacts(context)
  const [known, ...others] = contactsWith(toPhoneNumber(value), all)
  if (others.length > 0) {
    const ids = [known, ...others].map((one) => `${one?.name || 'without a name'} (${one?._id ?? 'no id'})`)
    return no(
      refusal('bad_value', `${others.length + 1} contacts have the number ${theirs(value)}.`, {
        field: 'id',
        next: `Give the id of one of these: ${ids.join(', ')}.`,
      }),
    )
  }
  if (known === undefined) {
    return no(refusal('not_found', notFoundWords(all), { next: 'contact find shows every contact id.' }))
  }
  return known._id && isId(known._id) ? readContact(known._id, context) : ok(known)
}
