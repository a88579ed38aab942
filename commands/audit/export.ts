import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { absolute } from '../../src/view/format.ts'
import { facts } from '../../src/view/view.ts'
import { plural } from '../../src/view/words.ts'
import { since, toSince } from './since.ts'

/** What a messenger takes as one file without complaint. */
const mostBytes = 8_000_000

export const auditExport = defineQuery({
  name: 'audit export',
  summary: 'Hand over the audit log as a file of JSON lines',
  area: 'bellhop',
  input: z.object({ since: since.optional() }),
  examples: ['audit export', 'audit export --since 30d'],
  uses: [],
  async run({ since: from }, { house, now }) {
    const lines: string[] = []
    let bytes = 0
    let isCut = false
    for await (const line of house.audit.export(
      from === undefined ? {} : { since: toSince(from, now) as number },
    )) {
      bytes += Buffer.byteLength(line)
      isCut = bytes > mostBytes
      if (isCut) break
      lines.push(line)
    }
    return answer(
      {
        title: isCut ? 'The audit log, cut short' : 'The audit log as JSON lines',
        tone: isCut ? 'warn' : 'good',
        blocks: [
          facts({
            Entries: plural(lines.length, 'entry', 'entries'),
            Since: from === undefined ? 'the beginning' : absolute(toSince(from, now) as number),
            'Left out': isCut
              ? 'everything after that; take the rest in the terminal with npm run audit'
              : undefined,
          }),
        ],
      },
      { file: { name: 'audit.jsonl', type: 'application/x-ndjson', content: lines.join('') } },
    )
  },
})
