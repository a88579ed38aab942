import type { Core } from '../../kernel/core.ts'
import { defineFeature } from '../../kernel/feature.ts'
import { askModel } from './ask.ts'
import { readerOf, readerSection } from './section.ts'

/** More sentences than this are not asked about at once: whoever says one has an answer without it. */
const maxAtOnce = 4
let asking = 0

/** A model that may propose a line for what was not understood, where bellhop.yml names one. */
export const reader = defineFeature({
  name: 'reader',
  policy: readerSection,
  metrics: [
    {
      name: 'bellhop_reader_total',
      help: 'Sentences that a model was asked about, by what came of it',
      labels: ['result'],
    },
  ],
  proposes: async (core, unread) => {
    const rule = readerOf(core.policy)
    if (rule === undefined || asking >= maxAtOnce) return undefined
    asking++
    try {
      const token = rule.token === undefined ? undefined : core.secretOf(rule.token.env)
      const proposal = await askModel(rule, token, unread)
      counted(core, proposal === undefined ? 'unusable' : 'line' in proposal ? 'line' : 'question')
      return proposal && { ...proposal, by: rule.model }
    } catch (error) {
      // The sentence itself is in no log.
      core.log.warn({ err: error }, 'the model of the reader could not be asked')
      counted(core, 'failed')
      return undefined
    } finally {
      asking--
    }
  },
  status: async ({ policy }) => {
    const rule = readerOf(policy)
    return rule === undefined ? [] : [['Reader', `${rule.model} may propose lines`]]
  },
})

const counted = ({ count }: Pick<Core, 'count'>, result: string): void =>
  count({ kind: 'counted', metric: 'bellhop_reader_total', labels: { result } })
