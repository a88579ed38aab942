import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allFeatures } from '../src/kernel/feature.ts'
import { openApp } from '../test/harness/app.ts'
import { file, fillWithGenerated, withBudgetOfAll } from '../test/harness/past-requests.ts'
import { sourceOf } from '../test/harness/policy-source.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { median } from './measure.ts'

const goalMs = 10_000

/** Requests of the past, judged by another version of the policy file. */
export const benchReplay = async ({ scale, say }: BenchOptions): Promise<Bench> => {
  const app = await openApp({ policy: file, reads: () => file })
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-replay-'))
  const [tool] = allFeatures().flatMap(({ policyTools }) => policyTools?.replay ?? [])
  if (tool === undefined) throw new Error('nothing replays here')
  const { store, registry } = app
  const desk: Parameters<typeof tool.run>[1] = {
    registry,
    source: () => ({ ...sourceOf(file, () => file, registry), from: 'bellhop.yml' }),
    withStore: (use) => use(store),
    refuse: (...problems) => {
      throw new Error(problems.join(' '))
    },
  }
  try {
    say('filling')
    const requests = await fillWithGenerated(app, Math.round(100_000 * scale))
    const path = join(folder, 'new.yml')
    writeFileSync(path, withBudgetOfAll)
    const rounds: number[] = []
    for (let round = 0; round < 5; round++) {
      const startedAt = performance.now()
      const found = JSON.parse(String(await tool.run([path, '--since', '90d', '--json'], desk)))
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
    rmSync(folder, { recursive: true, force: true })
  }
}
