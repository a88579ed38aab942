import { defineFeature } from '../../kernel/feature.ts'
import type { Change } from '../../kernel/model/change.ts'
import { quoted } from '../../lib/view/outside.ts'
import { type Block, note } from '../../lib/view/view.ts'
import { asked, given, openIn, questionsOf } from './questions.ts'

declare module '../../lib/view/button-labels.ts' {
  interface FeatureVerbs {
    ask: true
    answer: true
  }
}

/** As much of a question as a line of a list shows. */
const maxShown = 160

/** Those who decide ask the requester something first, and the requester answers, on the card of the change. */
export const questions = defineFeature({
  name: 'questions',
  verbs: {
    ask: {
      ...{ label: 'Ask', does: 'talk', isOnCard: true, isFor: 'others' },
      asks: {
        label: 'Question',
        hint: 'The requester is told, and it stands on the card.',
        flag: 'question',
      },
    },
    answer: {
      ...{ label: 'Answer', ownPlace: 0, does: 'talk', isOnCard: true, isFor: 'requester' },
      asks: { label: 'Answer', hint: 'Whoever asked is told, and it stands on the card.', flag: 'answer' },
    },
  },
  notes: {
    was: 'questions',
    talk: { ask: asked, answer: given },
    actions: (change) => (openIn(change).length > 0 ? ['ask', 'answer'] : ['ask']),
    blocks: blocksOf,
    needs: (change) =>
      change.state === 'pending'
        ? openIn(change)
            .slice(-1)
            .map(({ by, text }) => `${by.name} asks: ${quoted(text, maxShown)}`)
        : [],
    reply: (change) => (openIn(change).length > 0 ? 'answer' : undefined),
  },
})

/** What was asked and answered, the newest last. Whoever decides next reads that a question is open. */
function blocksOf(change: Change, most = Number.MAX_SAFE_INTEGER): Block[] {
  const all = questionsOf(change)
  return [
    ...all
      .slice(Math.max(0, all.length - most))
      .flatMap(({ by, text, answer }): Block[] => [
        { kind: 'quote', text, by: `${by.name} asks` },
        ...(answer === undefined
          ? []
          : [{ kind: 'quote' as const, text: answer.text, by: `${answer.by.name} answers` }]),
      ]),
    ...(change.state === 'pending' && openIn(change).length > 0
      ? [note('plain', 'Not answered yet. It can be decided all the same.')]
      : []),
  ]
}

/** The presses that its commands stand for. */
export const pressToAsk = (id: string, reason: string) => ({ verb: 'ask' as const, id, reason })
export const pressToAnswer = (id: string, reason: string) => ({ verb: 'answer' as const, id, reason })
