import { z } from 'zod'
import { contactsIn, isContactMeant } from '../../packs/chat/contact.ts'
import { answer, onePage, pageParam, pastTheEnd } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { names, when, yesNo } from '../../src/lib/view/format.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { note, table } from '../../src/lib/view/view.ts'

export const contactFind = defineQuery({
  name: 'contact find',
  summary: 'Find messaging contacts by name, number, tag or list',
  area: 'chat',
  input: z.object({
    words: z
      .string()
      .trim()
      .optional()
      .describe('Part of a name, number, tag or list; everybody if left out')
      .meta({ rest: true }),
    page: pageParam,
  }),
  positional: ['words'],
  examples: ['contact find', 'contact find ada'],
  uses: ['chat.findContacts'],
  async run({ words = '', page }, context) {
    const all = contactsIn((await context.chat.findContacts()).data)
    const found = all.contacts.filter((one) => isContactMeant(one, words))
    const listed = Math.max(all.total ?? 0, all.contacts.length)
    // The service documents no search: what it lists is looked through here.
    const looked = `Looked at ${formatNumber(all.contacts.length)} of ${formatNumber(listed)} contacts.`
    const total = words === '' ? listed : found.length
    const { shown, words: counted, pages } = onePage(found, page, 'contact', total)
    if (page !== undefined && page > 1 && shown.length === 0) return pastTheEnd(page)
    return answer(
      {
        title: total === 0 ? 'Contacts' : plural(total, 'contact'),
        tone: 'plain',
        blocks:
          total === 0
            ? [note('plain', words === '' ? 'There are no contacts. Add one with contact create.' : looked)]
            : [
                table(
                  ['Name', 'Mobile', 'Tags', 'Opted in', 'Updated+', 'Id+'],
                  shown.map((one) => [
                    one.name ?? '',
                    one.mobile ?? '',
                    names(one.tags, ''),
                    yesNo(one.optin) ?? '',
                    when(one.updatedAt) ?? '',
                    one._id ?? '',
                  ]),
                  shown.map((one) => thing('contact', one._id, { name: one.name })),
                ),
              ],
        ...(shown.length < total
          ? { footer: `${counted}. ${looked}` }
          : words !== '' && total > 0 && { footer: looked }),
      },
      { pages },
    )
  },
})
