import { z } from 'zod'
import { isPeriodOver } from '../../src/audit/pack.ts'
import { zipOf } from '../../src/audit/zip.ts'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { createSpool } from '../../src/messenger/spool.ts'
import { no } from '../../src/model/result.ts'
import { when } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'
import { facts, note } from '../../src/view/view.ts'
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
      .describe('Up to when, without that moment: "this month" or 2026-12-01; until now if left out'),
  }),
  examples: ['audit pack --since 2026-11-01 --until 2026-12-01', 'audit pack --since 30d'],
  uses: [],
  async run(given, { records, now, past }) {
    const partial = records.audit.whyNotWhole()
    if (partial !== undefined) return no(partial)
    const since = given.since === undefined ? 0 : ((await past(given.since)) ?? 0)
    const until = given.until === undefined ? now : ((await past(given.until)) ?? now)
    if (since >= until)
      return no(refusal('bad_value', 'The period ends before it begins: give a since before until.'))
    const verdict = await records.audit.verify()
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    const spool = createSpool(`audit-pack-${day(since)}-${day(until)}.zip`, 'application/zip')
    for await (const piece of zipOf(records.audit.pack({ since, until }, verdict))) await spool.add(piece)
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
