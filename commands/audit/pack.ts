import { z } from 'zod'
import { receipts } from '../../src/features/receipts/index.ts'
import { isPeriodOver } from '../../src/features/receipts/pack.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { createSpool } from '../../src/kernel/messenger/spool.ts'
import { zipOf } from '../../src/lib/codecs/zip.ts'
import { no } from '../../src/lib/result.ts'
import { when } from '../../src/lib/view/format.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { timeParam } from './filters.ts'

export const auditPack = defineQuery({
  name: 'audit pack',
  title: 'Get audit pack',
  summary: 'Get everything about a period for an auditor: changes, receipts, exceptions, policies',
  area: 'bellhop',
  isLong: true,
  input: z.object({
    since: timeParam
      .optional()
      .describe('From when on: 30d, "last month" or 2026-11-01; from the beginning if left out'),
    until: timeParam
      .optional()
      .describe(
        'Until the end of which day or period: "last month", october or 2026-11-30; until now if left out',
      ),
  }),
  examples: ['audit pack --since 2026-11-01 --until 2026-11-30', 'audit pack --since 30d'],
  uses: [],
  async run(given, { records, of, now, past }) {
    const partial = records.audit.refusePartial()
    if (partial !== undefined) return no(partial)
    const since = (given.since === undefined ? undefined : await past(given.since))?.from ?? 0
    const end = (given.until === undefined ? undefined : await past(given.until))?.to ?? now
    const until = Math.min(end, now)
    if (since >= until)
      return no(refusal('bad_value', 'The period ends before it begins: give a since before until.'))
    const verdict = await records.audit.verify()
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    const spool = createSpool(`audit-pack-${day(since)}-${day(until)}.zip`, 'application/zip')
    for await (const piece of zipOf(of(receipts).pack({ since, until }, verdict))) await spool.add(piece)
    return answer(
      {
        title: 'Audit pack',
        tone: verdict.ok ? 'good' : 'bad',
        blocks: [
          facts({ From: since === 0 ? 'the beginning' : when(since), Until: when(until) }),
          verdict.ok
            ? note(
                'plain',
                isPeriodOver({ until, now })
                  ? 'The log was verified. The period is over: it gives the same file whenever it is made, until the key of the log is changed.'
                  : 'The log was verified. The period is not over, so a later file of it may hold more.',
              )
            : note('bad', verdict.sentence),
        ],
      },
      { file: await spool.end() },
    )
  },
})
