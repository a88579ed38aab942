import { expect, test } from 'vitest'
import { leadFacts } from '../../src/kernel/cards/card-head.ts'
import { changeSchema } from '../../src/kernel/model/change.ts'
import { keptDatabases } from '../storage/database/kept.ts'
import { changeIn } from './sample.ts'

type Kept = { label: string; value: string; role?: string }
const stored = (own: Kept[], sent: Kept[] = []) => {
  const change = changeIn('pending', { amount: null })
  const blocks = [
    { kind: 'facts', facts: own },
    { kind: 'facts', isSent: true, facts: sent },
  ]
  return changeSchema.parse({ ...change, preview: { ...change.preview, blocks } })
}
const fact = (label: string, role?: string): Kept => ({ label, value: label, ...(role && { role }) })
const labelsOf = (change: ReturnType<typeof stored>) => leadFacts(change, '').map(({ label }) => label)

test('facts from before they had roles are on the card by what they were called then', () => {
  const old = [fact('Kind'), fact('Reason'), fact('Payment'), fact('Customer'), fact('Amount')]
  expect(
    labelsOf(stored([...old, fact('Coupon', 'decides')], [fact('Term', 'decides'), fact('Memo', 'detail')])),
  ).toEqual([...['Amount', 'Customer', 'Payment', 'Coupon', 'Term']])
  expect(labelsOf(stored([fact('Note'), fact('Subscription'), fact('New plan'), fact('Last')]))).toEqual([
    ...['Subscription', 'New plan', 'Note', 'Last'],
  ])
})

test('a field that somebody else may have named has no role by its name', () => {
  expect(labelsOf(stored([fact('Kind')], [fact('Customer'), fact('Payment')]))).toEqual(['Kind'])
})

test('where facts have roles, their labels say nothing', () => {
  expect(labelsOf(stored([fact('Customer'), fact('Payment', 'detail'), fact('Whom', 'target')]))).toEqual([
    ...['Whom', 'Customer', 'Payment'],
  ])
})

test('the cards of every version of the database have the payment and whose it is', () => {
  const docs = keptDatabases.flatMap(({ rows }) =>
    rows.flatMap(({ table, row }) => (table === 'changes' ? [JSON.parse(String(row.doc))] : [])),
  )
  const refunds = docs.filter(({ command }) => command === 'refund').map((doc) => changeSchema.parse(doc))
  expect(refunds.length).toBeGreaterThan(keptDatabases.length)
  for (const change of refunds) {
    const lead = leadFacts(change, change.preview.title)
    expect(lead.filter(({ role }) => role === 'source').map(({ label }) => label)).toEqual(['Payment'])
  }
})
