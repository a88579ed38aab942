import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import type { LogFault, Verdict } from '../../src/kernel/log/verify.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { when } from '../../src/lib/view/format.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { type Block, facts, note, table, type View } from '../../src/lib/view/view.ts'
import { isPast } from './filters.ts'

/** Each with an exit code of its own; `verify.mjs` has the same for keys. */
const faults: Record<LogFault, { title: string; tone: 'bad' | 'warn'; exitCode: number }> = {
  changed: { title: 'The audit log has been tampered with', tone: 'bad', exitCode: 4 },
  unknownKey: { title: 'The audit log is signed by a key that nobody vouches for', tone: 'bad', exitCode: 7 },
  cut: { title: 'The end of the audit log is missing', tone: 'bad', exitCode: 8 },
  unnumbered: {
    title: 'The newest entries of the audit log wait for their number',
    tone: 'warn',
    exitCode: 9,
  },
}
const otherKeyCode = 6

type Verified = Extract<Verdict, { ok: true }>

const witnessBlocks = (witnesses: Verified['witnesses']): Block[] => [
  ...(witnesses.length === 0
    ? []
    : [
        table(
          ['Witness', 'Given#', 'Holds#', 'Newest', 'Entries#+'],
          witnesses.map(({ name, copies, held, latest }) => [
            name,
            formatNumber(copies),
            held === undefined ? '' : formatNumber(held),
            (latest && when(latest.at)) ?? 'none yet',
            latest === undefined ? '' : formatNumber(latest.size),
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

/** Changes of the key that the one before did not sign: somebody must be able to say why. */
const keyBlocks = (keys: Verified['keys']): Block[] => {
  const changes = keys.slice(1)
  const unsigned = changes.filter((one) => !one.isHandedOver)
  const last = unsigned.at(-1)
  return [
    ...(changes.length === 0 ? [] : [facts({ 'Keys before it': formatNumber(changes.length) })]),
    ...(last === undefined
      ? []
      : [
          note(
            'warn',
            `The key was changed ${plural(unsigned.length, 'time')} without a signature of the key before it, last at entry ${formatNumber(last.seq)} by ${last.name}${last.reason === undefined ? '' : `: ${last.reason}`}.`,
          ),
        ]),
  ]
}

export const auditVerify = defineQuery({
  name: 'audit verify',
  title: 'Verify audit log',
  summary: 'Check that no entry of the audit log was changed or removed',
  area: 'bellhop',
  isLong: true,
  input: z.object({
    since: z
      .string()
      .refine(
        (text) => text === 'last' || isPast(text),
        'Write last, or a time such as 24h, "this week" or 2026-11-01.',
      )
      .optional()
      .describe('From the last verification (last), or from the checkpoint before a time: 7d, 2026-11-01')
      .meta({ bare: 'last', time: 'past' }),
  }),
  examples: ['audit verify', 'audit verify --since', 'audit verify --since 7d'],
  uses: [],
  async run({ since }, { records, past }) {
    const verdict = await records.audit.verify(
      since === undefined || since === 'last' ? since : (await past(since))?.from,
    )
    if (!verdict.ok) {
      const { title, tone, exitCode } = faults[verdict.fault]
      return answer(
        {
          title,
          tone,
          blocks: [
            note(tone, verdict.sentence),
            facts({ 'First bad entry': verdict.seq, Problem: verdict.problem }),
          ],
        },
        { exitCode },
      )
    }
    const { otherKey } = verdict
    const view: View = {
      title:
        otherKey === undefined
          ? 'The audit log is complete and unchanged'
          : 'The audit log is complete and unchanged, and has another key than this bot',
      tone: otherKey === undefined ? 'good' : 'warn',
      blocks: [
        ...(otherKey === undefined ? [] : [note('warn', otherKey)]),
        facts({
          Entries: formatNumber(verdict.entries),
          'Checked from':
            verdict.since === 0
              ? undefined
              : `entry ${formatNumber(verdict.since + 1)}; those before it are as their checkpoint was signed`,
          Checkpoints: formatNumber(verdict.checkpoints),
          Root: verdict.root,
          'Signed by': verdict.keys.at(-1)?.key,
          'Remembered here':
            verdict.remembered === undefined
              ? undefined
              : `a checkpoint of ${plural(verdict.remembered, 'entry', 'entries')}, outside the database`,
        }),
        ...keyBlocks(verdict.keys),
        ...(verdict.remembered === undefined && verdict.size > 0
          ? [
              note(
                'warn',
                'Nothing is remembered outside the database here, so an end that was cut off before now would not show.',
              ),
            ]
          : []),
        ...witnessBlocks(verdict.witnesses),
      ],
      footer:
        verdict.witnesses.length > 0
          ? 'Each witness keeps checkpoints outside: a log that was rewritten completely does not fit them.'
          : 'Keep the root somewhere else, or name witnesses under anchor in bellhop.yml: comparing later also reveals a log that was rewritten completely.',
    }
    return answer(view, otherKey === undefined ? {} : { exitCode: otherKeyCode })
  },
})
