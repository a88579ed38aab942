import { describe, expect, it } from 'vitest'
import { cardOf, endOf } from '../../src/kernel/cards/card.ts'
import { type Change, type ChangeState, openStates, states } from '../../src/kernel/model/change.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { withoutNotes } from '../harness/without-notes.ts'
import { approvals, changeIn, outcome, party } from './sample.ts'

withoutNotes()

const vote = { by: party('bob'), at: 2_000, digest: '0123456789abcdef' }
const ended = (reason: string | null, person = 'bob') => ({ by: party(person), at: 2_000, reason })

const atService = { service: 'shop', row: 'shop.refund', id: 're_1', said: 'PENDING', since: 2_000 }
/** How a change is found in each state. */
const stories: Record<ChangeState, Partial<Change>> = {
  pending: {},
  approved: { votes: [vote] },
  applying: { votes: [vote] },
  applied: { votes: [vote], outcome: outcome('Refunded 20 of payment pay_1.') },
  failed: { votes: [vote], outcome: outcome('The billing service refused: no such payment.') },
  unknown: { votes: [vote], outcome: outcome('The billing service does not answer.') },
  rejected: { ended: ended('too much') },
  expired: {},
  cancelled: { ended: ended(null, 'ann') },
  voided: { outcome: outcome('The payment is gone.') },
  not_applied: { votes: [vote], ended: ended('not in the list') },
  held: {
    votes: [vote],
    atService: { ...atService, by: 'Fay', link: 'https://shop.example.com/approvals/apr_1' },
  },
  accepted: { votes: [vote], atService, outcome: outcome('shop says PENDING.') },
}
const changeThatIs = (state: ChangeState, over: Partial<Change> = {}) =>
  changeIn(state, { ...stories[state], ...over })

const textOfCard = (change: Change) => {
  const view = cardOf(change, 2_000).view
  return `${textOfView(view, { details: true })}\n\n[${(view.actions ?? []).map(({ verb }) => verb).join('] [')}]`
}

it.each(states)('the card of a change that is %s', (state) => {
  expect(textOfCard(changeThatIs(state))).toMatchSnapshot()
})

it.each(states.filter((state) => !['pending', 'approved', 'applying'].includes(state)))(
  'what the requester is told when a change is %s',
  (state) => {
    const view = endOf(changeThatIs(state))
    const isOver = !['unknown', 'held', 'accepted'].includes(state)
    const isWithoutEffect = ['failed', 'rejected', 'expired', 'cancelled', 'voided'].includes(state)
    expect(view.actions?.map(({ verb }) => verb)).toEqual([
      ...(isWithoutEffect ? ['again'] : []),
      ...(isOver ? ['receipt'] : []),
      'show_all',
    ])
    expect(textOfView(view, { details: true })).toMatchSnapshot()
  },
)

describe('buttons', () => {
  const verbs = (change: Change, now = 2_000) =>
    (cardOf(change, now).view.actions ?? []).filter(({ isMore }) => !isMore).map(({ verb }) => verb)

  it('go when they no longer do anything', () => {
    expect(verbs(changeIn('pending'))).toEqual(['approve', 'reject'])
    expect(verbs(changeIn('pending'), 100_000)).toEqual([])
    expect(verbs(changeIn('pending', { clauses: [{ kind: 'confirm' }] }))).toEqual(['confirm', 'cancel'])
    for (const state of ['approved', 'applying'] as const) expect(verbs(changeIn(state))).toEqual([])
  })
  it('of what has ended give its receipt and decide nothing', () => {
    const undecided: readonly ChangeState[] = openStates
    for (const state of states.filter((one) => !undecided.includes(one))) {
      const isWithoutEffect = state !== 'applied' && state !== 'not_applied'
      expect(verbs(changeIn(state))).toEqual([...(isWithoutEffect ? ['again'] : []), 'receipt'])
    }
  })
  it('of an unknown change look it up and say what was found', () => {
    expect(verbs(changeIn('unknown'))).toEqual(['look_up', 'happened', 'did_not'])
    expect(verbs(changeIn('unknown', { lookUps: [] }))).toEqual(['happened', 'did_not'])
  })
  it('carry a verb and an id, with the digest and the edition that is shown', () => {
    const digest = 'ab'.repeat(32)
    expect(cardOf(changeIn('pending', { digest, edition: 7 }), 2_000).view.actions?.[0]).toEqual({
      verb: 'approve',
      id: `c1.${digest.slice(0, 32)}.7`,
      label: 'Approve 20',
    })
  })
  it('that are needed less stand behind the others', () => {
    const more = (state: ChangeState) =>
      (cardOf(changeIn(state), 2_000).view.actions ?? [])
        .filter(({ isMore }) => isMore)
        .map(({ verb }) => verb)
    expect(more('pending')).toEqual(['show_all', 'change', 'suggest', 'cancel', 'remind', 'why'])
    expect(more('applied')).toEqual(['show_all'])
    expect(more('rejected')).toEqual(['show_all'])
  })
})

describe('a card that asks again', () => {
  const drift = {
    message: 'What would be changed is no longer what was shown.',
    changes: [
      { label: 'Amount', before: '20', after: '30' },
      { label: 'Needs', before: '1 approval from finance', after: '2 approvals from finance' },
    ],
  }
  it('shows what differs from what people saw', () => {
    const text = textOfCard(changeIn('pending', { drift }))
    expect(text).toContain('What would be changed is no longer what was shown.')
    expect(text).toContain('Amount: 20 -> 30')
    expect(text).toContain('Needs: 1 approval from finance -> 2 approvals from finance')
  })
  it('says nothing of it once people have decided', () => {
    expect(textOfCard(changeThatIs('applied', { drift }))).not.toContain('no longer')
  })
})

it('a card shows warnings, the money that its preview does not, and how many votes are missing', () => {
  const text = textOfCard(
    changeIn('pending', {
      preview: { title: 'Refund', tone: 'warn', blocks: [] },
      amount: 20.5,
      currency: 'USD',
      warnings: ['Bob asked for the same at 1 Jan 1970, 00:00 UTC (c0); it has been done.'],
      clauses: [approvals(3, ['finance', 'boss'])],
      votes: [vote],
    }),
  )
  expect(text).toContain('Bob asked for the same')
  expect(text).toMatch(/Amount +20\.50 USD/)
  expect(text).toContain('Needs 3 approvals from finance or boss, has 1: Bob')
})

it('a button names whom it tells by at most forty characters', () => {
  const tell = { command: 'message media', to: '+49' }
  const { actions } = cardOf(
    changeIn('applied', { tell, recipient: `${'A'.repeat(41)} Lovelace` }),
    2_000,
  ).view
  expect(actions.find(({ verb }) => verb === 'tell')?.label).toBe(`Tell “${'A'.repeat(39)}…”`)
})
