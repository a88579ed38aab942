import type { Change } from '../../kernel/model/change.ts'
import type { Figures, Job, JobState } from '../../kernel/store/bulk.ts'
import { plural, verbs } from '../../lib/view/button-labels.ts'
import { date } from '../../lib/view/format.ts'
import { formatNumber } from '../../lib/view/format-number.ts'
import { type Action, facts, note, type Tone, type View } from '../../lib/view/view.ts'

type Shown = Pick<Job, 'id' | 'state' | 'total' | 'reason' | 'since' | 'sinceDone' | 'chunks' | 'upto'>

/** A job as people see it: its progress and speed, what went wrong, and the buttons that control it. */
export const jobView = (
  job: Shown,
  change: Pick<Change, 'id' | 'requester' | 'preview'>,
  figures: Figures,
  now: number,
): View => {
  const settled = settledOf(figures)
  return {
    title: change.preview.title,
    tone: toneOf(job.state, figures),
    change: { id: change.id, requester: change.requester.person },
    blocks: [
      note(markOf(job.state, figures), sentenceOf(job, figures)),
      {
        kind: 'progress',
        label: `${formatNumber(settled)} of ${formatNumber(job.total)}`,
        done: settled,
        total: job.total,
      },
      facts({
        Done: formatNumber(figures.done),
        Failed: figures.failed > 0 ? formatNumber(figures.failed) : undefined,
        'Outcome unknown': figures.unknown > 0 ? formatNumber(figures.unknown) : undefined,
        'Not tried': isJobEnded(job.state) && figures.left > 0 ? formatNumber(figures.left) : undefined,
        Rate: job.state === 'running' ? rateWords(rateOf(job, figures, now)) : undefined,
        'Time left': job.state === 'running' ? timeLeft(job, figures, now) : undefined,
      }),
    ],
    footer: `Job ${job.id}`,
    actions: jobActionsOf(job),
  }
}

export const isJobEnded = (state: JobState): boolean => state === 'done' || state === 'stopped'

/** Items that are finished, whatever the result. */
export const settledOf = ({ done, failed, unknown }: Figures): number => done + failed + unknown

/** Items per second since the job last started or resumed. */
export const rateOf = ({ since, sinceDone }: Shown, figures: Figures, now: number): number => {
  const seconds = (now - since) / 1000
  return seconds <= 0 ? 0 : Math.max(0, settledOf(figures) - sinceDone) / seconds
}

export const rateWords = (rate: number): string | undefined => {
  if (rate <= 0) return undefined
  return rate >= 1
    ? `${formatNumber(Math.round(rate))} per second`
    : `${formatNumber(Math.max(1, Math.round(rate * 60)))} per minute`
}

export const timeLeft = (job: Shown, figures: Figures, now: number): string | undefined => {
  const rate = rateOf(job, figures, now)
  if (rate <= 0) return undefined
  const seconds = Math.ceil((figures.left + figures.sending) / rate)
  const duration = date('intervalToDuration')({ start: 0, end: Math.max(1, seconds) * 1000 })
  const { days, hours } = duration
  const format = days || hours ? (['days', 'hours', 'minutes'] as const) : (['minutes', 'seconds'] as const)
  return date('formatDuration')(duration, { format: [...format] }) || undefined
}

const sentenceOf = ({ state, reason, chunks, upto }: Shown, figures: Figures): string => {
  const trouble = [
    ...(figures.failed > 0 ? [`${formatNumber(figures.failed)} failed`] : []),
    ...(figures.unknown > 0 ? [`${formatNumber(figures.unknown)} with an unknown outcome`] : []),
  ].join(', ')
  switch (state) {
    case 'running':
      return reason ?? 'Running.'
    case 'paused':
      return reason ?? 'Paused.'
    case 'waiting':
      return `The first part is done (${formatNumber(upto)} of ${plural(chunks, 'batch', 'batches')})${trouble === '' ? ' without errors' : `: ${trouble}`}. Press ${verbs.resume.label} to process the rest, or ${verbs.stop.label}.`
    case 'stopped':
      return `${reason ?? 'Stopped.'} ${formatNumber(figures.left)} were not tried.`
    default:
      return trouble === '' ? 'Done, without errors.' : `Done: ${trouble}.`
  }
}

const toneOf = (state: JobState, { failed, unknown }: Figures): Tone => {
  if (state === 'paused' || state === 'waiting') return 'warn'
  if (state === 'stopped') return 'bad'
  if (failed + unknown > 0) return 'warn'
  return state === 'done' ? 'good' : 'plain'
}

/** What waits, or what somebody stopped, is no risk. */
const markOf = (state: JobState, { failed, unknown }: Figures): Tone =>
  failed + unknown > 0 ? 'warn' : state === 'done' ? 'good' : 'plain'

/** The buttons that control a job in its state. */
export const jobActionsOf = ({ state, id }: Pick<Job, 'state' | 'id'>): Action[] => {
  if (state === 'running') {
    return [
      { verb: 'pause', id },
      { verb: 'stop', id },
    ]
  }
  return state === 'paused' || state === 'waiting'
    ? [
        { verb: 'resume', id },
        { verb: 'stop', id },
      ]
    : []
}
