import { z } from 'zod'
import type { Verdict } from '../../src/audit/verify.ts'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { plural } from '../../src/view/button-labels.ts'
import { absolute, formatNumber } from '../../src/view/format.ts'
import { type Block, facts, note, table } from '../../src/view/view.ts'
import { toTime } from './filters.ts'

type Verified = Extract<Verdict, { ok: true }>

const witnessBlocks = (witnesses: Verified['witnesses']): Block[] => [
  ...(witnesses.length === 0
    ? []
    : [
        table(
          ['Witness', 'Given#', 'Holds#', 'Newest'],
          witnesses.map(({ name, copies, held, latest }) => [
            name,
            formatNumber(copies),
            held === undefined ? '' : formatNumber(held),
            latest === undefined
              ? 'none yet'
              : `${plural(latest.size, 'entry', 'entries')}, ${absolute(latest.at)}`,
          ]),
        ),
      ]),
  ...witnesses.flatMap(({ name, away, lost }) => [
    ...(away === undefined ? [] : [note('warn', `${name} could not be asked: ${away}.`)]),
    ...(lost === 0
      ? []
      : [
          note(
            'warn',
            `${plural(lost, 'checkpoint')} that ${name} was given ${lost === 1 ? 'is' : 'are'} no longer there.`,
          ),
        ]),
  ]),
]

export const auditVerify = defineQuery({
  name: 'audit verify',
  summary: 'Check that no entry of the audit log was changed or removed',
  area: 'bellhop',
  input: z.object({
    since: z
      .string()
      .refine(
        (text) => text === 'last' || toTime(text, 0) !== undefined,
        'Write last, or a time such as 24h, 7d or 2026-11-01.',
      )
      .optional()
      .describe('From the last verification (last), or from the checkpoint before a time: 7d, 2026-11-01')
      .meta({ bare: 'last' }),
  }),
  examples: ['audit verify', 'audit verify --since', 'audit verify --since 7d'],
  uses: [],
  async run({ since }, { records, now }) {
    const verdict = await records.audit.verify(
      since === undefined || since === 'last' ? since : toTime(since, now),
    )
    if (!verdict.ok) {
      return answer({
        title: 'The audit log has been tampered with',
        tone: 'bad',
        blocks: [
          note('bad', verdict.sentence),
          facts({ 'First bad entry': verdict.seq, Problem: verdict.problem }),
        ],
      })
    }
    return answer({
      title: 'The audit log is complete and unchanged',
      tone: 'good',
      blocks: [
        facts({
          Entries: formatNumber(verdict.entries),
          'Checked from':
            verdict.since === 0
              ? undefined
              : `entry ${formatNumber(verdict.since + 1)}; those before it are as their checkpoint was signed`,
          Checkpoints: formatNumber(verdict.checkpoints),
          Root: verdict.root,
          'Signed by': verdict.keys.at(-1),
        }),
        ...witnessBlocks(verdict.witnesses),
      ],
      footer:
        verdict.witnesses.length > 0
          ? 'Each witness keeps checkpoints outside: a log that was rewritten completely does not fit them.'
          : 'Keep the root somewhere else, or name witnesses under anchor in bellhop.yml: comparing later also reveals a log that was rewritten completely.',
    })
  },
})
