import { z } from 'zod'
import { receipts } from '../../src/features/receipts/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { createSpool } from '../../src/kernel/messenger/spool.ts'
import { no } from '../../src/lib/result.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { when } from '../../src/lib/view/format.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { filterParams, toFilter } from './filters.ts'

export const auditExport = defineQuery({
  name: 'audit export',
  title: 'Export audit log',
  summary: 'Export the audit log as a JSON Lines file',
  area: 'bellhop',
  isLong: true,
  input: z.object(filterParams),
  examples: ['audit export', 'audit export --since 30d', 'audit export --command refund'],
  uses: [],
  async run(given, { records, of, past }) {
    const partial = records.audit.refusePartial()
    if (partial !== undefined) return no(partial)
    const filter = await toFilter(given, { past })
    const spool = createSpool('audit.jsonl', 'application/x-ndjson')
    let entries = 0
    for await (const line of of(receipts).export(filter)) {
      await spool.add(line)
      entries += 1
    }
    const isPart = given.who !== undefined || given.command !== undefined
    return answer(
      {
        title: 'The audit log as JSON Lines',
        tone: 'good',
        blocks: [
          facts({
            Entries: plural(entries, 'entry', 'entries'),
            Since: filter.since === undefined ? 'the beginning' : when(filter.since),
            ...(filter.until === undefined ? {} : { Until: when(filter.until) }),
            Who: given.who,
            Command: given.command,
          }),
          ...(isPart
            ? [
                note(
                  'plain',
                  'This file is filtered, so it does not prove by itself that the chain of entries is complete.',
                ),
              ]
            : []),
        ],
      },
      { file: await spool.end() },
    )
  },
})
