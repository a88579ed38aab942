import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { rateOf, rateWords, settledOf, timeLeft } from '../../bulk/job-view.ts'
import { summaryOf } from '../../jobs/progress-publisher.ts'
import type { Runtime } from '../../runtime.ts'
import type { Figures, Job } from '../../storage/bulk.ts'
import { formatNumber } from '../../view/format-number.ts'
import { progressBar, textOfView } from '../../view/text.ts'

/** Where progress is shown: a terminal that can be redrawn, or a log that gets a line now and then. */
type Screen = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number }

const drawMs = 200
const wonderMs = 1_000

/** Runs a job in this process and shows its progress; Ctrl-C pauses it. Returns the job in its last state. */
export const watch = async (
  { app, store }: Pick<Runtime, 'app' | 'store'>,
  id: string,
  pause: () => Promise<unknown>,
  screen: Screen = process.stderr,
): Promise<{ job: Job; figures: Figures }> => {
  const look = async () => ({ job: (await store.bulk.get(id)) as Job, figures: await store.bulk.figures(id) })
  const bar = createBar(screen)
  const onInterrupt = () => {
    pause().catch(() => undefined)
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
      await app.run(id)
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
export const tellEnd = async (store: Runtime['store'], job: Job, colour: boolean): Promise<string> => {
  const change = job.changeId === null ? null : await store.changes.get(job.changeId)
  if (change === null) return ''
  const { view, file } = await summaryOf(store, job, change, Date.now())
  const words = textOfView(view, { colour })
  if (file === undefined || job.state === 'paused' || job.state === 'waiting') return words
  writeFileSync(file.name, file.content, { mode: 0o600 })
  return `${words}\n\nWritten to ${file.name}.`
}

/** A line that shows how far a look-up is; it begins when people start to wonder, and is wiped at the end. */
export const createTicker = (screen: Screen = process.stderr) => {
  const began = performance.now()
  let drawn = 0
  return (label: string, done: number, total: number): void => {
    const at = performance.now()
    if (!screen.isTTY || at - began < wonderMs || (at - drawn < drawMs && done < total)) return
    drawn = at
    const words = `${progressBar(done, total, 30)}  ${formatNumber(done)} of ${formatNumber(total)} ${label.toLowerCase()}`
    screen.write(done < total ? `\r\u001b[2K${words.slice(0, (screen.columns ?? 80) - 1)}` : '\r\u001b[2K')
  }
}

const createBar = (screen: Screen) => {
  let tenths = -1
  return {
    draw: (job: Job, figures: Figures): void => {
      const settled = settledOf(figures)
      const now = Date.now()
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
