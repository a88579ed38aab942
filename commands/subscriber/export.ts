import { z } from 'zod'
import type { Subscriber } from '../../packs/email/subscriber.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { createSpool } from '../../src/kernel/messenger/spool.ts'
import { csvLine } from '../../src/lib/codecs/csv.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { everybody, filterParams, isScoreRange, scoreRange } from './everybody.ts'

export const subscriberExport = defineQuery({
  name: 'subscriber export',
  summary: 'Export all subscribers that match the filters as a CSV file',
  area: 'email',
  isLong: true,
  input: z
    .object({
      search: z.string().optional().describe('Part of an email address, first name or last name'),
      ...filterParams,
    })
    .refine(isScoreRange, scoreRange),
  positional: ['search'],
  examples: ['subscriber export --tags customer', 'subscriber export --status unsubscribed'],
  uses: ['email.findSubscribers'],
  async run(filters, context) {
    const spool = createSpool('subscribers.csv', 'text/csv')
    await spool.add(csvLine(columns.map(([label]) => label)))
    let rows = 0
    let expected: number | undefined
    for await (const { people, total } of everybody(filters, context)) {
      expected ??= total
      await spool.add(people.map((one) => csvLine(columns.map(([, value]) => value(one)))).join(''))
      rows += people.length
    }
    if (rows === 0) {
      return answer({
        title: 'No subscribers match',
        tone: 'plain',
        blocks: [note('plain', 'There is nothing to export.')],
      })
    }
    const isOther = expected !== undefined && expected !== rows
    return answer(
      {
        title: `${plural(rows, 'subscriber')} as a CSV file`,
        tone: isOther ? 'warn' : 'good',
        blocks: [
          facts({ Rows: formatNumber(rows), Columns: columns.map(([label]) => label).join(', ') }),
          ...(isOther
            ? [
                note(
                  'warn',
                  `The service announced ${formatNumber(expected as number)}; subscribers were added or removed during the export.`,
                ),
              ]
            : []),
        ],
      },
      { file: await spool.end() },
    )
  },
})

const joined = (names: readonly string[] | null | undefined): string => (names ?? []).join(',')

/** The same names as in subscriber import, for the fields that it accepts. */
const columns: readonly (readonly [string, (one: Subscriber) => string | number | null | undefined])[] = [
  ['email', (one) => one.email],
  ['first name', (one) => one.firstName],
  ['last name', (one) => one.lastName],
  ['status', (one) => one.status],
  ['lead score', (one) => one.leadScore],
  ['tags', (one) => joined(one.tags)],
  ['company', (one) => one.customFields?.company],
  ['position', (one) => one.customFields?.position],
  ['segments', (one) => joined(one.segments)],
  ['lists', (one) => joined(one.lists)],
  ['mobile', (one) => one.mobile],
  ['country', (one) => one.country],
  ['city', (one) => one.city],
  ['source', (one) => one.source],
  ['created', (one) => one.createdAt],
  ['updated', (one) => one.updatedAt],
  ['id', (one) => one._id],
]
