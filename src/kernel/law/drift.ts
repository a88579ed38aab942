import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import { textOfBlock } from '../../lib/view/text.ts'
import type { View } from '../../lib/view/view.ts'
import { plainWords } from '../../lib/view/words.ts'
import { markedBlocks } from '../cards/card-head.ts'
import type { Change, Clause, Drift } from '../model/change.ts'
import { needsOf } from './clauses.ts'

type Shown = Pick<Change, 'plan' | 'preview' | 'rule' | 'clauses'>

/** The lines of the card that have changed since people saw it, so that they can look at them again. */
export const driftBetween = (before: Shown, after: Shown, message: string): Drift => {
  const shown = differing(linesOf(before.preview), linesOf(after.preview))
  const isHidden = shown.length === 0 && canonicalJson(before.plan) !== canonicalJson(after.plan)
  return {
    message,
    changes: [
      ...shown,
      ...(isHidden ? differing(fieldsOf(before.plan), fieldsOf(after.plan)) : []),
      ...differing(
        new Map([['Needs', allNeeds(before.clauses)]]),
        new Map([['Needs', allNeeds(after.clauses)]]),
      ),
      ...differing(new Map([['Rule', before.rule]]), new Map([['Rule', after.rule]])),
    ],
  }
}

const differing = (before: Map<string, string>, after: Map<string, string>): Drift['changes'] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((label) => ({ label, before: before.get(label) ?? null, after: after.get(label) ?? null }))
    .filter((line) => line.before !== line.after)

/** A preview as labelled lines. A block without a label is named by its kind and position. */
const linesOf = (preview: View): Map<string, string> => {
  const lines = new Map([['Title', preview.title]])
  // A field of the request must not take the place of the command's own fact.
  for (const [at, block] of markedBlocks(preview).entries()) {
    if (block.kind === 'facts') {
      for (const { label, value } of block.facts) lines.set(label, plainWords(value))
    } else if (block.kind === 'diff') {
      for (const { label, before, after } of block.changes) {
        lines.set(label, `${plainWords(before ?? 'nothing')} -> ${plainWords(after ?? 'nothing')}`)
      }
    } else lines.set(`${names[block.kind]} ${at + 1}`, textOfBlock(block))
  }
  return lines
}

const names = {
  turn: 'Turn',
  quote: 'Reason',
  text: 'Text',
  note: 'Note',
  table: 'Table',
  requests: 'Requests',
  list: 'List',
  code: 'Text',
  address: 'Address',
  chart: 'Chart',
  progress: 'Progress',
} as const

const fieldsOf = (plan: unknown): Map<string, string> =>
  new Map(Object.entries(Object(plan)).map(([key, value]) => [key, canonicalJson(value).slice(0, 300)]))

const allNeeds = (clauses: readonly Clause[]): string => clauses.map(needsOf).join(', ') || 'nothing'
