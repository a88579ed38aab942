import { z } from 'zod'
import { contactId } from '../../packs/chat/fields.ts'
import { answerThing } from '../../src/command/answer.ts'
import type { ReadContext } from '../../src/command/context.ts'
import { defineQuery } from '../../src/command/define.ts'
import { no, ok, type Result } from '../../src/model/result.ts'
import { refusal } from '../../src/view/refusals.ts'
import { toPhoneNumber } from '../message/phone.ts'
import { contactOf, notFoundWords, readContacts } from './all.ts'
import { type Contact, contactFacts, contactWho, readContact } from './record.ts'

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
      title: one.name || one.mobile || id,
      tone: 'plain',
      blocks: [contactFacts(one)],
    })
  },
})

const isId = (value: string): boolean => contactId.safeParse(value).success

/** By the listing of contacts; the record itself, which says more, is then read by its id. */
const readByPhone = async (value: string, context: Pick<ReadContext, 'chat'>): Promise<Result<Contact>> => {
  const all = await readContacts(context)
  const known = contactOf(toPhoneNumber(value), all)
  if (known === undefined) {
    return no(refusal('not_found', notFoundWords(all), { next: 'contact find shows every contact id.' }))
  }
  return known._id && isId(known._id) ? readContact(known._id, context) : ok(known)
}
