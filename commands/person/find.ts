import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { serviceRefusal } from '../../src/core/context/error-refusals.ts'
import { isServiceError } from '../../src/services/errors.ts'
import { formatNumber } from '../../src/view/format.ts'
import { thing } from '../../src/view/thing.ts'
import { type Block, note, table, text } from '../../src/view/view.ts'
import { contactsIn } from '../contact/all.ts'
import { isContactMeant } from '../contact/find.ts'
import { nameOf } from '../subscriber/record.ts'

const mostRows = 20
const limitMs = 1_600

export const personFind = defineQuery({
  name: 'person find',
  summary: 'Find people by name, address or number, among subscribers and contacts',
  area: 'bellhop',
  input: z.object({
    words: z
      .string()
      .trim()
      .min(1, 'say whom to look for')
      .describe('Part of a name, address or number')
      .meta({ rest: true }),
  }),
  positional: ['words'],
  examples: ['person find lindqvist'],
  uses: ['email.findSubscribers', 'chat.findContacts'],
  async run({ words }, { email, chat }) {
    const [subscribers, contacts] = await Promise.all([
      blocksOf(async () => {
        const query = { search: words, limit: mostRows }
        const { data } = await email.findSubscribers({ query }, { deadlineMs: limitMs })
        const found = data?.subscribers ?? []
        return found.length === 0
          ? note('plain', 'No subscribers fit.')
          : table(
              ['Email', 'Name', 'Status', 'Mobile'],
              found.map((one) => [
                one.email ?? one._id ?? '',
                nameOf(one),
                one.status ?? '',
                one.mobile ?? '',
              ]),
              found.map((one) => thing('subscriber', one.email ?? one._id, { name: nameOf(one) })),
            )
      }),
      blocksOf(async () => {
        const { data } = await chat.findContacts({}, { deadlineMs: limitMs })
        const all = contactsIn(data)
        const found = all.contacts.filter((one) => isContactMeant(one, words))
        const listed = Math.max(all.total ?? 0, all.contacts.length)
        return found.length === 0
          ? note(
              'plain',
              `No contacts fit, of ${formatNumber(all.contacts.length)} looked at of ${formatNumber(listed)}.`,
            )
          : table(
              ['Name', 'Mobile', 'Id'],
              found.slice(0, mostRows).map((one) => [one.name ?? '', one.mobile ?? '', one._id ?? '']),
              found.slice(0, mostRows).map((one) => thing('contact', one._id, { name: one.name })),
            )
      }),
    ])
    return answer({
      title: `People who fit "${words}"`,
      tone: 'plain',
      blocks: [
        text('Subscribers (email service)'),
        subscribers,
        text('Contacts (messaging service)'),
        contacts,
      ],
      footer: 'person get with an address, a number or an id shows one of them.',
    })
  },
})

/** One service that fails does not hide what the other found. */
const blocksOf = async (read: () => Promise<Block>): Promise<Block> => {
  try {
    return await read()
  } catch (error) {
    if (!isServiceError(error)) throw error
    return note('warn', serviceRefusal(error).message)
  }
}
