import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { isRecord, recordsIn } from '../../src/services/read-answer.ts'
import { plural } from '../../src/view/button-labels.ts'
import { ago, formatNumber, names, yesNo } from '../../src/view/format.ts'
import { note, table } from '../../src/view/view.ts'
import { toContact } from './record.ts'

/** The service lists contacts without documented pages; more rows than this help nobody. */
const maxRows = 100

export const contactFind = defineQuery({
  name: 'contact find',
  summary: 'List messaging contacts with their numbers, tags and ids',
  area: 'chat',
  input: z.object({}),
  examples: ['contact find'],
  uses: ['chat.findContacts'],
  async run(_input, context) {
    const { data } = await context.chat.findContacts()
    const found = recordsIn(data, 'contacts').map(toContact)
    const shown = found.slice(0, maxRows)
    const total = Math.max(totalIn(data) ?? 0, found.length)
    return answer({
      title: total === 0 ? 'Contacts' : plural(total, 'contact'),
      tone: 'plain',
      blocks:
        total === 0
          ? [note('plain', 'There are no contacts. A template message with --contact makes one.')]
          : [
              table(
                ['Name', 'Mobile', 'Tags', 'Opted in', 'Updated', 'Id'],
                shown.map((one) => [
                  one.name ?? '',
                  one.mobile ?? '',
                  names(one.tags, ''),
                  yesNo(one.optin) ?? '',
                  ago(one.updatedAt, context.now),
                  one._id ?? '',
                ]),
              ),
            ],
      ...(shown.length < total && {
        footer: `Showing ${formatNumber(shown.length)} of ${formatNumber(total)}`,
      }),
    })
  },
})

const totalIn = (data: unknown): number | undefined => {
  if (!isRecord(data)) return undefined
  const places = [data, data.pagination, data.meta].filter(isRecord)
  return places
    .flatMap((place) => [place.total, place.totalCount, place.totalItems, place.count])
    .find((value) => typeof value === 'number')
}
