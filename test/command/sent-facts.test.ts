import { expect, test } from 'vitest'
import { withSentFacts } from '../../src/kernel/command/sent-facts.ts'
import { diff, facts, type View } from '../../src/lib/view/view.ts'

const card = (...blocks: View['blocks']): View => ({ title: 'Change it', tone: 'plain', blocks })
/** What stands in the details, since nobody reads it first. */
const sent = (fields: Parameters<typeof facts>[0]) => ({ ...facts(fields), isSent: true })
const added = (view: View, body: unknown) =>
  withSentFacts(view, { body })
    .blocks.slice(view.blocks.length)
    .map((block) =>
      block.kind === 'facts' ? { ...block, facts: block.facts.map(({ role: _, ...fact }) => fact) } : block,
    )

test('a value that the card does not say is added under the name of its field', () => {
  expect(added(card(facts({ Plan: 'plan_a' })), { plan_id: 'plan_a', card_id: 'card_9' })).toEqual([
    sent({ 'Card id': 'card_9' }),
  ])
})

test('a number or a flag counts as said only under a label of its own', () => {
  const view = card(facts({ Price: '2', Active: 'yes' }))
  expect(added(view, { price: 2, quantity: '2', is_metered: true })).toEqual([
    sent({ Quantity: '2', 'Is metered': 'yes' }),
  ])
})

test('part of a longer word is not the value', () => {
  expect(added(card(facts({ Coupon: 'SPRING20' })), { coupon_code: 'SPRING' })).toEqual([
    sent({ 'Coupon code': 'SPRING' }),
  ])
})

test('a word of the service is said by what people read for it, where its own label says so', () => {
  const words = { starts_val: { label: 'When', values: { eot: 'at the end of the term' } } }
  const shownBy = (value: string, ...blocks: View['blocks']) =>
    withSentFacts(card(...blocks), { body: { starts_val: value } }, { words }).blocks.at(-1)
  const said = facts({ When: 'at the end of the term, 1 Dec' })
  expect(shownBy('eot', said)).toMatchObject({ facts: [{ label: 'When', role: 'subject' }] })
  // Under another label, or where nothing says it, it stands there for itself; a word without words stays as it is.
  const other = facts({ Reason: 'at the end of the term' })
  expect(shownBy('eot', other)).toMatchObject({ isSent: true, facts: [{ value: 'at the end of the term' }] })
  expect(shownBy('eot')).toMatchObject({ isSent: true, facts: [{ label: 'When' }] })
  expect(shownBy('soon', said)).toMatchObject({ isSent: true, facts: [{ label: 'When', value: 'soon' }] })
})

test('values inside JSON text and joined by commas are looked for one by one', () => {
  const view = card(diff({ Tags: ['a', 'a, vip, beta'], 'Attribute city': [null, 'Lund'] }))
  const body = { tagsToAdd: 'vip,beta', attributes: '[{"name":"city","value":"Lund"}]' }
  expect(added(view, body)).toEqual([])
  expect(added(view, { ...body, tagsToAdd: 'vip,gold' })).toEqual([sent({ 'Tags to add': 'vip,gold' })])
})

test('an emptied field is said by a line that ends in nothing', () => {
  expect(added(card(diff({ Company: ['Fern', null] })), { customFields: { company: '' } })).toEqual([])
  expect(added(card(), { description: '', plans_array: null })).toEqual([
    sent({ Description: 'none', 'Plans array': 'none' }),
  ])
})
