import { z } from 'zod'
import { defineFeature, taskOf } from '../../kernel/feature.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { when } from '../../lib/view/format.ts'
import { joinWords, sentence } from '../../lib/view/words.ts'
import { checkStream } from './doctor.ts'
import { receiverName, streamOn, streamState } from './give.ts'
import { streamOf, streamSection } from './section.ts'
import { streamTables } from './store.ts'

const everyMs = 1_000

const gauges = {
  lag_entries: 'Entries of the audit log that the receiver of its stream lacks',
  lag_seconds: 'The age of the oldest entry that the receiver of the stream lacks',
  away: '1 while the receiver of the stream does not take entries',
}

/** Every entry of the audit log, given to the receiver outside that bellhop.yml names. */
export const stream = defineFeature({
  name: 'stream',
  policy: streamSection,
  tables: streamTables,
  tasks: {
    /** When to look again; never, once the policy has no stream. */
    stream: taskOf(z.object({ id: z.string() }), async (core) => {
      const rule = streamOf(core.policy)
      return rule && core.now() + ((await streamOn(core, rule)) ? 0 : everyMs)
    }),
  },
  /** One task, so that of all replicas one gives the entries out at a time. */
  onPolicy: async ({ policy, store, now }) => {
    const rule = streamOf(policy)
    if (rule === undefined) return
    await store.tasks.put({ kind: 'stream', key: 'stream', doc: { id: receiverName(rule) }, dueAt: now() })
  },
  returns: { stream_cursors: { stays: 'how far receivers are: what comes twice has one number' } },
  gauges: Object.entries(gauges).map(([name, help]) => ({ name: `bellhop_stream_${name}`, help })),
  measure: async ({ store, policy, now }) => {
    const state = await streamState(store, streamOf(policy), now())
    if (state === undefined) return []
    return [
      { metric: 'bellhop_stream_lag_entries', value: state.behind },
      { metric: 'bellhop_stream_lag_seconds', value: state.lagMs / 1000 },
      { metric: 'bellhop_stream_away', value: state.away === undefined ? 0 : 1 },
    ]
  },
  status: async ({ store, policy, now }) => {
    const state = await streamState(store, streamOf(policy), now())
    if (state === undefined) return []
    const { to, away, behind, lagMs } = state
    const words = [
      away === undefined ? 'there' : sentence`away since ${when(away.since)}: ${away.why}`,
      behind === 0
        ? 'has everything'
        : `${plural(behind, 'entry', 'entries')} behind, by ${plural(Math.ceil(lagMs / 1000), 'second')}`,
    ]
    return [[`Stream to ${to}`, joinWords(words, '; ')]]
  },
  doctor: checkStream,
})
