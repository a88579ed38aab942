import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attended, Terminal } from '../../kernel/feature.ts'
import type { Reply } from '../../kernel/messenger/inbound.ts'
import type { Figures, Job } from '../../kernel/store/bulk.ts'
import type { Store } from '../../kernel/store/store.ts'
import { wallTime } from '../../lib/clock.ts'
import { formatNumber } from '../../lib/view/format-number.ts'
import { progressBar, textOfView } from '../../lib/view/text.ts'
import { rateOf, rateWords, settledOf, timeLeft } from './job-view.ts'
import { summaryOf } from './progress-publisher.ts'

/** Where progress is shown: a terminal that can be redrawn, or a log that gets a line now and then. */
type Screen = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number }

const drawMs = 200

/** Stays with the job that a reply has started. */
export const attendJob = (terminal: Terminal, reply: Reply): Promise<Attended> | undefined => {
  const id = jobOf(reply)
  return id === undefined ? undefined : attend(terminal, id)
}

const attend = async (terminal: Terminal, id: string): Promise<Attended> => {
  const { job, figures } = await watch(terminal, id)
  const told = await tellEnd(terminal.store, job, process.stdout.isTTY)
  if (job.state === 'paused' || job.state === 'waiting')
    return { words: [told, `Continue ${terminal.place}: job resume ${id}`], exitCode: 'waiting' }
  const isWhole = figures.failed + figures.unknown + figures.left === 0
  return { words: [told], exitCode: isWhole ? 'done' : 'failed' }
}

const jobOf = (reply: Reply): string | undefined => {
  if (reply.kind === 'change') return reply.change.state === 'applied' ? reply.change.pinned?.set : undefined
  return reply.kind === 'answer' && reply.command === 'job resume' ? reply.view.actions?.[0]?.id : undefined
}

/** Runs a job in this process and shows its progress; Ctrl-C pauses it. Returns the job in its last state. */
const watch = async (
  { store, run, press }: Pick<Terminal, 'store' | 'run' | 'press'>,
  id: string,
  screen: Screen = process.stderr,
): Promise<{ job: Job; figures: Figures }> => {
  const look = async () => ({ job: (await store.bulk.get(id)) as Job, figures: await store.bulk.figures(id) })
  const bar = createBar(screen)
  const onInterrupt = () => {
    press('pause', id).catch(() => undefined)
  }
  process.on('SIGINT', onInterrupt)
  let isOver = false
  const drawing = (async () => {
    while (!isOver) {
      const { job, figures } = await look()
      bar.draw(job, figures)
      await sleep(drawMs)
    }
  })()
  try {
    for (let now = await look(); now.job.state === 'running'; now = await look()) {
      await run(id)
      if (now.figures.sending > 0) await sleep(drawMs)
    }
  } finally {
    isOver = true
    await drawing
    process.off('SIGINT', onInterrupt)
  }
  const end = await look()
  bar.draw(end.job, end.figures)
  bar.end()
  return end
}

/** The outcome in words; failures are written to a file in the current folder. */
const tellEnd = async (store: Store, job: Job, colour: boolean): Promise<string> => {
  const change = job.changeId === null ? null : await store.changes.get(job.changeId)
  if (change === null) return ''
  const { view, file } = await summaryOf(store, job, change, wallTime())
  const words = textOfView(view, { colour })
  if (file === undefined || job.state === 'paused' || job.state === 'waiting') return words
  writeFileSync(file.name, file.content, { mode: 0o600 })
  return `${words}\n\nWritten to ${file.name}.`
}

const createBar = (screen: Screen) => {
  let tenths = -1
  return {
    draw: (job: Job, figures: Figures): void => {
      const settled = settledOf(figures)
      const now = wallTime()
      const words = [
        progressBar(settled, job.total, 30),
        `${formatNumber(settled)} of ${formatNumber(job.total)}`,
        rateWords(rateOf(job, figures, now)),
        job.state === 'running' ? leftWords(timeLeft(job, figures, now)) : job.state,
        figures.failed > 0 ? `${formatNumber(figures.failed)} failed` : undefined,
        figures.unknown > 0 ? `${formatNumber(figures.unknown)} unknown` : undefined,
        job.reason ?? undefined,
      ]
        .filter(Boolean)
        .join('  ')
      if (screen.isTTY) {
        screen.write(`\r\u001b[2K${words.slice(0, (screen.columns ?? 80) - 1)}`)
        return
      }
      const reached = job.total === 0 ? 10 : Math.floor((settled / job.total) * 10)
      if (reached > tenths) screen.write(`${words}\n`)
      tenths = Math.max(tenths, reached)
    },
    end: (): void => {
      if (screen.isTTY) screen.write('\n')
    },
  }
}

const leftWords = (left: string | undefined): string | undefined =>
  left === undefined ? undefined : `${left} left`
