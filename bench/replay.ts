import { openApp } from '../test/harness/app.ts'
import {
  file,
  fillWithGenerated,
  replayBy,
  withBudgetOfAll,
} from '../test/pipeline/explaining/replay/requests.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { median } from './measure.ts'

const goalMs = 10_000

/** Requests of the past, judged by another version of the policy file. */
export const benchReplay = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const app = await openApp({ policy: file, reads: () => file })
  try {
    say('filling')
    const requests = await fillWithGenerated(app, Math.round(100_000 * scale))
    const rounds: number[] = []
    for (let round = 0; round < 5; round++) {
      const startedAt = performance.now()
      const found = await replayBy(app, withBudgetOfAll)
      rounds.push(performance.now() - startedAt)
      if (found.requests !== requests || found.not_replayable > 0) throw new Error('some were not replayed')
    }
    const ms = median(rounds)
    const seconds = `${(ms / 1000).toFixed(1)} s`
    return {
      title: 'Replay: requests on record, judged by another policy',
      what: 'Requests in SQLite, with a budget in the new file that none of them was judged by.',
      tables: [{ head: ['requests', 'time (median)'], rows: [[requests.toLocaleString('en'), seconds]] }],
      goals: [
        {
          goal: 'a hundred thousand in less than ten seconds',
          measured: seconds,
          isMet: ms < goalMs * scale,
        },
      ],
      notes: [],
      figures: { requests, milliseconds: rounds },
    }
  } finally {
    await app.close()
  }
}
