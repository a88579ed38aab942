import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { contactId } from '../../src/services/endpoints/request-fields.ts'
import { contactFacts, readContact } from './record.ts'

export const contactGet = defineQuery({
  name: 'contact get',
  summary: 'Show a messaging contact: number, consent, tags, lists and attributes',
  area: 'chat',
  input: z.object({
    id: contactId.describe('Contact id, 24 hexadecimal characters').meta({ suggest: 'contacts' }),
  }),
  positional: ['id'],
  examples: ['contact get 64b000000000000000000001'],
  uses: ['chat.getContact'],
  async run({ id }, context) {
    const found = await readContact(id, context)
    if (!found.ok) return found
    const one = found.value
    return answer({
      title: one.name || one.mobile || id,
      tone: 'plain',
      blocks: [contactFacts(one, context.now)],
    })
  },
})
