import type { Verdict } from '../../kernel/log/verify.ts'
import type { Change } from '../../kernel/model/change.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { absolute } from '../../lib/view/format.ts'
import type { Comparison } from './compare.ts'
import type { BackupPlace } from './place.ts'
import type { PutFiles } from './put-files.ts'
import type { BackupSummary } from './restore.ts'
import type { Settled } from './settle.ts'

type Restored = {
  summary: BackupSummary
  sha256: string
  put: PutFiles
  settled: Settled
  compared: Comparison
  place: BackupPlace
  isDrill: boolean
}

/** What whoever restored it reads: what is there, what the log and its witnesses say, and what to look at before work goes on. */
export const reportOf = (restored: Restored): string => {
  const { summary, sha256, compared, isDrill } = restored
  const { head, counts } = summary
  const when = absolute(head.at)
  return [
    `${isDrill ? 'Tried out' : 'Restored'}: the backup of ${when}, made by Bellhop ${head.version} (sha256 ${sha256}), with ${plural(counts.get('changes') ?? 0, 'change')} and ${plural(counts.get('audit_log') ?? 0, 'entry', 'entries')} of the audit log.`,
    aboutLog(compared.own),
    ...aboutWitnesses(compared, when),
    ...(isDrill
      ? [
          `Key: ${compared.hasKey ? 'in the backup, and the log is signed by it' : 'not in the backup, or not opened; a restore needs it from elsewhere'}.`,
          'Nothing was changed here but one entry in the log of this bot, which says that a restore was drilled.',
        ]
      : whatNext(restored, when)),
  ].join('\n')
}

const aboutLog = (own: Verdict): string =>
  own.ok
    ? `The audit log is whole: ${plural(own.entries, 'entry', 'entries')}, root ${own.root}.`
    : own.sentence

const aboutWitnesses = ({ own, outside }: Comparison, when: string): string[] => {
  if (!own.ok) return []
  if (!outside.ok)
    return outside.fault === 'cut'
      ? [
          outside.sentence,
          `So more had happened after ${when} than this backup knows: that is what to look for in the services.`,
        ]
      : [
          `${outside.sentence} That is not what an older backup looks like: find out why before anything goes on.`,
        ]
  const { witnesses, remembered } = outside
  if (witnesses.length === 0 && remembered === undefined)
    return [
      'Nobody outside kept checkpoints of the log, so nothing tells how much happened after the backup.',
    ]
  return [
    ...(remembered === undefined ? [] : ['It continues what DATA_DIR remembers of it.']),
    ...witnesses.map(({ name, away, held, copies }) =>
      away === undefined
        ? `Witness ${name}: agrees (${plural(held ?? copies, 'checkpoint')}).`
        : `Witness ${name}: could not be asked (${away}). audit verify asks it when the bot runs.`,
    ),
  ]
}

const whatNext = (
  {
    put,
    settled: { voided, applying, jobs, emergencies, ended },
    compared: { hasKey, key },
    place,
  }: Restored,
  when: string,
): string[] => [
  ...put.written.map((file) => `Wrote ${file}.`),
  ...put.kept.map((file) => `${file} was there and stays: compare it with ${file}.restored.`),
  ...(hasKey
    ? []
    : [
        `The key of the log, ${key}, is not here: a start is refused until it is. Put it into ${place.database.dataDir}/audit-key.pem, AUDIT_KEY or AUDIT_KEY_FILE; if it is lost, see ${toolLine('audit', 'rotate --help')}.`,
      ]),
  '',
  'Everything is frozen. Look at this before unfreeze all:',
  `- What was done after ${when} is in the services and not in this log.`,
  ...about(
    voided,
    (n) =>
      `${plural(n, 'request')} waited or ${n === 1 ? 'was' : 'were'} approved, and may have been done since: void now. Ask again for what was not done`,
  ),
  ...about(
    applying,
    (n) =>
      `${plural(n, 'change')} ${n === 1 ? 'was' : 'were'} being applied: unknown from the start on, until somebody says what happened`,
  ),
  ...(jobs.length === 0
    ? []
    : [
        `- ${plural(jobs.length, 'long send')} had not ended, and may have gone on since: stopped now (${jobs.map(({ id }) => id).join(', ')}).`,
      ]),
  ...(emergencies.length === 0
    ? []
    : [
        `- ${plural(emergencies.length, 'emergency', 'emergencies')} waited for a review, and may have had it since: counted as reviewed. Look at ${emergencies.join(', ')} again.`,
      ]),
  ...ended.flatMap(({ said }) => (said === undefined ? [] : [`- ${said}.`])),
  '- The policy of the backup is in force: whoever lost a right in bellhop.yml after that has it again until a newer file is taken in.',
  `Then: ${toolLine('doctor')}, ${toolLine('start')}, audit verify, and unfreeze all.`,
]

const maxShown = 20

const about = (changes: readonly Change[], words: (n: number) => string): string[] => {
  if (changes.length === 0) return []
  const shown = changes.slice(0, maxShown).map(({ id, command }) => `${id} ${command}`)
  const more = changes.length > maxShown ? [`and ${changes.length - maxShown} more`] : []
  return [`- ${words(changes.length)}: ${[...shown, ...more].join('; ')}.`]
}
