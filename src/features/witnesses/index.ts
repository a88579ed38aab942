import { z } from 'zod'
import type { Core } from '../../kernel/core.ts'
import { defineFeature, taskOf } from '../../kernel/feature.ts'
import type { Store } from '../../kernel/store/store.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { when } from '../../lib/view/format.ts'
import { joinWords, sentence } from '../../lib/view/words.ts'
import { compareWitnesses } from './compare.ts'
import { checkWitnesses } from './doctor.ts'
import { anchorWith } from './give.ts'
import { witnessesOf, witnessStates } from './outside.ts'
import { recallWitnessed } from './recall.ts'
import { anchorOf, anchorSection } from './section.ts'
import { createAnchors, witnessTables } from './store.ts'

const page = 500

const statesOf = ({ store, policy, now }: Core) => witnessStates(store, anchorOf(policy), now())

/** Those outside who keep checkpoints of the audit log, so that a log that was rewritten or shortened shows. */
export const witnesses = defineFeature({
  name: 'witnesses',
  policy: anchorSection,
  tables: witnessTables,
  tasks: { anchor: taskOf(z.object({ id: z.string() }), (core, { id }) => anchorWith(core, id)) },
  /** One task for each witness, so that one that is away delays no other. */
  onPolicy: async (core) => {
    for (const { name } of witnessesOf(core)) {
      const due = { key: `anchor:${name}`, doc: { id: name }, dueAt: core.now() }
      await core.store.tasks.put({ kind: 'anchor', ...due })
    }
  },
  recall: recallWitnessed,
  compareLog: async (core, keys) => [await compareWitnesses(core.store, keys, witnessesOf(core))],
  inPack: async (store, until) => [
    {
      name: 'anchors.json',
      about: 'checkpoints that witnesses outside were given',
      json: await anchorsIn(store, until),
    },
  ],
  posts: (policy) =>
    Object.entries(anchorOf(policy)?.channels ?? {}).map(([platform, channel]) => ({
      ...{ platform, channel, key: 'anchor' },
    })),
  returns: { audit_anchors: { stays: 'what witnesses were given' } },
  gauges: [
    {
      name: 'bellhop_witness_away',
      help: '1 while a witness of the audit log does not have the checkpoints that it should',
      labels: ['witness'],
    },
    {
      name: 'bellhop_witness_checkpoint_age_seconds',
      help: 'Seconds since a witness of the audit log was last given a checkpoint',
      labels: ['witness'],
    },
  ],
  measure: async (core) => {
    const now = core.now()
    return (await statesOf(core)).flatMap(({ name: witness, latest, away }) => {
      const isAway = {
        metric: 'bellhop_witness_away',
        labels: { witness },
        value: away === undefined ? 0 : 1,
      }
      if (latest === undefined) return [isAway]
      const value = (now - latest.at) / 1000
      return [isAway, { metric: 'bellhop_witness_checkpoint_age_seconds', labels: { witness }, value }]
    })
  },
  status: async (core) =>
    (await statesOf(core)).map(({ name, latest, away }) => {
      const words = [
        away === undefined ? 'there' : sentence`away since ${when(away.since)}: ${away.why}`,
        latest === undefined
          ? 'nothing given yet'
          : sentence`has ${plural(latest.size, 'entry', 'entries')}, ${when(latest.at)}`,
      ]
      return [`Witness ${name}`, joinWords(words, '; ')] as const
    }),
  doctor: checkWitnesses,
})

const anchorsIn = async (store: Pick<Store, 'of'>, until: number): Promise<object[]> => {
  const anchors = store.of(createAnchors)
  const all: object[] = []
  for (const { witness } of await anchors.latest()) {
    for (let size = 0; ; ) {
      const some = await anchors.after(witness, size, page)
      all.push(
        ...some.filter(({ at }) => at < until).map((one) => ({ ...one, at: new Date(one.at).toISOString() })),
      )
      if (some.length < page) break
      size = some.at(-1)?.size ?? size
    }
  }
  return all
}
