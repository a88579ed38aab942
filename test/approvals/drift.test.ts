import { expect, it } from 'vitest'
import { driftBetween } from '../../src/kernel/law/drift.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { diff, facts, note, table } from '../../src/lib/view/view.ts'
import { approvals, changeIn } from './sample.ts'

const shown = (blocks: Change['preview']['blocks'], over: Partial<Change> = {}) =>
  changeIn('pending', { preview: { title: 'Update ada', tone: 'warn', blocks }, ...over })

const changesOf = (before: Change, after: Change) => driftBetween(before, after, 'Look again.').changes

it('names each line of the preview that is no longer as it was', () => {
  const before = shown([
    facts({ To: 'Ada', Plan: 'gold' }),
    diff({ Tags: ['vip', 'vip, new'], Name: ['A', 'B'] }),
  ])
  const after = shown([
    facts({ To: 'Ada', Plan: 'silver' }),
    diff({ Tags: ['old', 'old, new'], City: [null, 'Lund'] }),
  ])
  expect(changesOf(before, after)).toEqual([
    { label: 'Plan', before: 'gold', after: 'silver' },
    { label: 'Tags', before: 'vip -> vip, new', after: 'old -> old, new' },
    { label: 'Name', before: 'A -> B', after: null },
    { label: 'City', before: null, after: 'nothing -> Lund' },
  ])
})

it('compares what has no label by its words', () => {
  const before = shown([note('warn', 'Two people get it.'), table(['Who'], [['Ada'], ['Bob']])])
  const after = shown([note('warn', 'Three people get it.'), table(['Who'], [['Ada'], ['Bob'], ['Cat']])])
  expect(changesOf(before, after)).toEqual([
    { label: 'Note 1', before: '! Two people get it.', after: '! Three people get it.' },
    { label: 'Table 2', before: 'Who\nAda\nBob', after: 'Who\nAda\nBob\nCat' },
  ])
})

it('shows the plan where the preview is the same', () => {
  const before = shown([], { plan: { id: 1, revision: 'a' } })
  const after = shown([], { plan: { id: 1, revision: 'b' } })
  expect(changesOf(before, after)).toEqual([{ label: 'revision', before: '"a"', after: '"b"' }])
})

it('shows the first three hundred characters of a long field', () => {
  const before = shown([], { plan: { body: 'a'.repeat(400) } })
  const after = shown([], { plan: { body: 'b'.repeat(400) } })
  expect(changesOf(before, after)).toEqual([
    { label: 'body', before: `"${'a'.repeat(299)}`, after: `"${'b'.repeat(299)}` },
  ])
})

it('says that nothing was needed', () => {
  expect(changesOf(shown([], { clauses: [] }), shown([]))).toEqual([
    { label: 'Needs', before: 'nothing', after: '1 approval from finance' },
  ])
})

it('shows what the policy asks for now', () => {
  const before = shown([], { rule: 'small', clauses: [{ kind: 'confirm' }] })
  const after = shown([], { rule: 'large', clauses: [approvals(2), approvals(1, ['cfo'])] })
  expect(changesOf(before, after)).toEqual([
    {
      label: 'Needs',
      before: 'a confirmation by the requester',
      after: '2 approvals from finance, 1 approval from cfo',
    },
    { label: 'Rule', before: 'small', after: 'large' },
  ])
})
