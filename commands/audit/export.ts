import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { createSpool } from '../../src/messenger/spool.ts'
import { no } from '../../src/model/result.ts'
import { plural } from '../../src/view/button-labels.ts'
import { when } from '../../src/view/format.ts'
import { facts, note } from '../../src/view/view.ts'
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
  async run(given, { records, past }) {
    const partial = records.audit.whyNotWhole()
    if (partial !== undefined) return no(partial)
    const filter = await toFilter(given, { past })
    const spool = createSpool('audit.jsonl', 'application/x-ndjson')
    let entries = 0
    for await (const line of records.audit.export(filter)) {
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
