import { expect, it, test } from 'vitest'
import {
  cardOf,
  cardReply,
  endOf,
  lateView,
  newsOf,
  reminderOf,
  statusOf,
  wholeCardOf,
} from '../../src/kernel/cards/card.ts'
import { behindDetails } from '../../src/kernel/cards/card-buttons.ts'
import { markedBlocks } from '../../src/kernel/cards/card-head.ts'
import { cardFor, requestFor } from '../../src/kernel/cards/pressable.ts'
import {
  type Change,
  type ChangeState,
  type Clause,
  type Late,
  states,
} from '../../src/kernel/model/change.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { type Block, diff, facts, note, table, text, type View } from '../../src/lib/view/view.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { withoutNotes } from '../harness/without-notes.ts'
import { approvals, changeIn, outcome, party } from './sample.ts'

withoutNotes()

const digest = '0123456789abcdef'
const vote = (by: string, over: object = {}) => ({ by: party(by), at: 2_000, digest, ...over })
const ended = { by: party('bob'), at: 2_000, reason: 'looked.' }
const late = (learned: Late['learned'], contradicts: Late['contradicts'] = null): Late => ({
  ...{ at: 3_000, learned, message: 'The service says so.', contradicts },
})
const preview = (blocks: Block[], over: Partial<View> = {}): Partial<Change> => ({
  preview: { title: 'Refund of payment pay_1', tone: 'warn', blocks, ...over },
})
const amountOf = (value: string) => ({ role: 'amount' as const, value })
const targets = (values: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(values).map(([label, value]) => [label, { role: 'target' as const, value }]),
  )
const staged = (stage: number, count: number, from: string[]): Clause =>
  ({ ...approvals(count, from, 'rule "stages"'), stage }) as Clause
const refusal = { platform: 'slack', to: 'C9', why: 'it is archived' }
const long = (word: string) => `${word} `.repeat(90).trim()

/** What can be so of a change, besides its state. */
const variants: Record<string, Partial<Change>> = {
  'confirmed by its requester': { clauses: [{ kind: 'confirm' }], votes: [vote('ann')] },
  'waits for its requester': { clauses: [{ kind: 'confirm' }] },
  'asked for by an agent': { requester: party('ann', { agent: 'hers' }) },
  'voted for somebody who is away': { votes: [vote('bob', { for: party('cat') })] },
  'two clauses of two rules': {
    clauses: [approvals(2), approvals(1, ['cfo'], 'budget "a day"'), approvals(1, [], 'budget "a day"')],
    votes: [vote('bob'), vote('cat', { by: party('cat', { roles: ['cfo'] }) })],
  },
  'in stages, the first complete': {
    clauses: [staged(1, 1, ['finance']), staged(2, 2, ['cfo']), staged(3, 1, ['legal'])],
    votes: [vote('bob', { stage: 1 })],
  },
  'a clause with what may be done meanwhile': {
    clauses: [approvals(1), staged(2, 1, ['cfo'])],
  },
  'ended by hand': { ended, outcome: null },
  'ended by hand for somebody': { ended: { ...ended, for: party('cat'), reason: null } },
  'with an outcome': { outcome: { ...outcome('Refunded 20.'), warning: 'It took long.', at: 4_000 } },
  'with a long outcome': { outcome: outcome(long('refunded')) },
  'with an outcome of no words': { outcome: outcome(' ') },
  'with an outcome that shows more': {
    outcome: {
      ...outcome('Refunded.'),
      view: {
        title: 'x',
        tone: 'plain',
        blocks: [facts({ Amount: amountOf('20') }), facts({ Refund: 'ref_1' })],
      },
    },
  },
  'held until later': { holdUntil: 9_000, runAt: { at: 9_000, zone: 'Europe/Berlin' } },
  'held until now': { holdUntil: 2_000 },
  'waits for a messenger': { waiting: 'Slack does not answer.' },
  'at the end of its time': { expiresAt: 2_000 },
  'an outcome as long as a title': { outcome: outcome('x'.repeat(140)) },
  'an outcome longer than a title': { outcome: outcome('x'.repeat(141)) },
  'no amount but that of its facts': {
    amount: null,
    ...preview([facts({ A: '1', Amount: amountOf('all of it'), B: '2', C: '3', D: '4' })]),
  },
  'more that it is taken from than other facts': preview([
    facts({
      ...targets({ Payment: 'p', Customer: 'c', Subscription: 's', 'New plan': 'n', To: 't' }),
      A: 'a',
    }),
  ]),
  'a confirmation beside an approval': { clauses: [{ kind: 'confirm' }, approvals(1)] },
  'ended by hand with an outcome': { ended, outcome: outcome('Refunded 20.') },
  'texts without end': {
    ...{ warnings: ['w'.repeat(2_000)], drift: { message: 'd'.repeat(2_000), changes: [] } },
    ...preview([facts(targets({ Payment: 'p'.repeat(2_000) }))], {
      title: 't'.repeat(2_000),
      quote: 'q'.repeat(2_000),
    }),
    clauses: [approvals(1, ['r'.repeat(2_000)])],
    requester: party('ann', { name: 'n'.repeat(2_000) }),
  },
  'a name without end': { requester: party('ann', { name: 'Ann '.repeat(70) }) },
  'asked again': {
    drift: { message: 'It differs.', changes: [{ label: 'Amount', before: '1', after: '20' }] },
  },
  'asked again for nothing that differs': { drift: { message: 'The rule differs.', changes: [] } },
  'a vote lapsed': { lapsed: [{ person: 'cat', name: 'Cat', why: 'no role' }] },
  'nobody was reached': { reach: { refusals: [{ ...refusal, place: 'mirror' }], asked: [] } },
  'one was reached in person': {
    reach: { refusals: [{ ...refusal, place: 'direct:cat', to: 'Cat' }], asked: ['Bob'] },
  },
  'two were reached in person': {
    reach: {
      refusals: [
        { ...refusal, place: 'mirror', why: long('why') },
        { ...refusal, place: 'direct:cat', to: 'Cat' },
        { ...refusal, place: 'direct:dan', to: 'Dan', why: 'closed' },
      ],
      asked: ['Bob', 'Eve'],
    },
  },
  'an emergency': { emergency: { why: 'down' }, clauses: [{ kind: 'confirm', sign: 'passkey' }] },
  'an emergency that was used': { emergency: { why: 'down', usedAt: 2_000 } },
  'an emergency that was reviewed': {
    emergency: { why: 'down', usedAt: 2_000, reviewed: { by: party('cat'), at: 3_000, reason: 'fine' } },
  },
  'learned late that it happened': { late: late('applied') },
  'learned late against what somebody said': {
    late: late('failed', { by: party('bob'), happened: true }),
  },
  'learned late that it happened after all': {
    late: late('applied', { by: party('bob'), happened: false }),
  },
  'learned late that it was sent': { late: late('unknown', { by: party('bob'), happened: false }) },
  'looked for and found': { checked: { n: 2, at: 3_000, happened: true, message: 'It is there.' } },
  'looked for and not found': { checked: { n: 1, at: 3_000, happened: false, message: 'It is not there.' } },
  'looked for in vain': { checked: { n: 1, at: 3_000, happened: null, message: 'No answer.' } },
  'without look-ups': { lookUps: [] },
  'a set that no card shows': { pinned: { set: 's', digest: 'd', total: 3, report: null } },
  'nothing known of its amount': { amount: null },
  'an amount that its title says': {
    ...preview([facts({ Amount: amountOf('20'), ...targets({ Payment: 'pay_1' }) })], {
      title: 'Refund 20 of it',
    }),
  },
  'an amount and a currency': { amount: 20.5, currency: 'EUR' },
  'whom it is for can be told': { tell: { command: 'message media', to: '+49' }, recipient: 'Ada Lovelace' },
  'whom it is for has an address alone': {
    tell: { command: 'message media', to: '+49' },
    recipient: 'a@b.c',
  },
  'whom it is for has no name': { tell: { command: 'message media', to: '+49' } },
  'facts of its own and of the request, notes and warnings': {
    warnings: ['Bob asked for the same.'],
    ...preview(
      [
        note('good', 'Paid yesterday.'),
        facts({
          ...{ Amount: amountOf('19'), Reason: { role: 'reason' as const, value: 'late' } },
          ...{ ...targets({ Customer: 'cus_1' }), A: '1', B: '2', C: '3', D: '4', ...targets({ To: 'Ada' }) },
        }),
        { ...facts({ Amount: '1', 'Asked by': 'Eve', Other: 'x' }), isSent: true } as Block,
        facts({ Votes: '9', Note: 'y' }),
        note('plain', 'Needs nobody.'),
        note('warn', 'It is old.'),
        note('bad', 'It was refunded before.'),
        text('Amount 5'),
        diff({ Rule: ['a', 'b'], Name: ['c', 'd'] }),
        table(
          ['Who+', 'What'],
          [
            ['Customer', 'x'],
            ['Ada', 'y'],
          ],
        ),
      ],
      { quote: 'The shop was late.' },
    ),
  },
  'more statements than a card has room for': {
    warnings: ['One.', 'Two.', 'Three.', 'Four.'],
    ...preview([note('good', long('good'))], { quote: long('quote') }),
  },
  'more to send than a card has room for': preview([text('x'.repeat(4_000))]),
}

const drawn = (change: Change): string[] => {
  const view = cardOf(change, 2_000).view
  const buttons = (view.actions ?? []).map(
    ({ verb, label, isMore }) => `${isMore ? '..' : ''}${label ?? verb}`,
  )
  return [
    `(${view.kind} ${view.tone}, ${view.essential} of ${view.blocks.length} blocks first, ${view.details?.length} behind)`,
    ...textOfView(view, { details: true }).split('\n').filter(Boolean),
    `[${buttons.join('] [')}]`,
  ]
}

/** What another change shows that this one does not: a line with its sign before it. */
const differenceOf = (before: string[], after: string[]): string =>
  [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ].join('\n')

const shortened = (line: string) =>
  line.length > 160 ? `${line.slice(0, 90)} (${line.length} characters)` : line

it.each(Object.entries(variants))('what a card shows in each state, if it is or has: %s', (_, over) => {
  const byState = states.map((state) => ({
    state,
    shown: differenceOf(drawn(changeIn(state)), drawn(changeIn(state, over))),
  }))
  const told = [...Map.groupBy(byState, ({ shown }) => shown)].map(
    ([shown, some]) =>
      `${some.map(({ state }) => state).join(', ')}:\n${shown.split('\n').map(shortened).join('\n')}`,
  )
  expect(told.join('\n\n')).toMatchSnapshot()
})

/** Nothing is cut there. */
test('the whole card of a change with all there is', () => {
  const { preview: own, ...all } = {
    ...changeIn('pending'),
    ...variants['facts of its own and of the request, notes and warnings'],
  }
  const change = {
    ...all,
    preview: own,
    ...variants['asked again'],
  } as Change
  expect(textOfView(wholeCardOf(change, 2_000), { details: true })).toMatchSnapshot()
  const over = { ...change, state: 'applied' as const, ...variants['with an outcome'] }
  expect(textOfView(wholeCardOf(over, 2_000), { details: true })).toMatchSnapshot()
})

test('a card says whether it had no room for something', () => {
  const isCut = (name: string) => cardOf(changeIn('pending', variants[name]), 2_000).isCut
  expect(cardOf(changeIn('pending'), 2_000).isCut).toBe(false)
  expect(
    [
      'more statements than a card has room for',
      'more to send than a card has room for',
      'a set that no card shows',
    ].map(isCut),
  ).toEqual([true, true, true])
})

test('the state of a change is one sentence', () => {
  const said = (state: ChangeState, over: Partial<Change> = {}, now?: number) =>
    plainWords(statusOf(changeIn(state, over), now))
  expect([
    ...states.map((state) => said(state)),
    ...states.map((state) => said(state, { ended, outcome: outcome('So it is.') })),
    said('pending', { clauses: [{ kind: 'confirm' }] }),
    said('pending', { clauses: [staged(1, 2, ['cfo']), staged(2, 1, []), approvals(1)] }),
    said('approved', { holdUntil: 5_000 }),
    said('approved', { holdUntil: 5_000 }, 4_999),
    said('approved', { holdUntil: 5_000 }, 5_000),
    said('approved', { waiting: 'Slack is down.' }),
  ]).toMatchInlineSnapshot(`
    [
      "Needs 1 approval from finance.",
      "Approved; about to run.",
      "Running now.",
      "Done.",
      "Failed, and nothing was done. ",
      "Nobody knows whether this happened.  It is not tried again automatically: look it up, then record what you found.",
      "Rejected.",
      "Expired before enough people decided.",
      "Cancelled.",
      "No longer valid, and nothing was done. ",
      "It did not happen, according to somebody.",
      "Held by  until somebody approves it there. ",
      "Accepted, not settled yet. ",
      "Needs 1 approval from finance.",
      "Approved; about to run.",
      "Running now.",
      "Done, according to Bob: looked.",
      "Failed, and nothing was done. So it is.",
      "Nobody knows whether this happened. So it is. It is not tried again automatically: look it up, then record what you found.",
      "Rejected by Bob: looked.",
      "Expired before enough people decided.",
      "Cancelled by Bob.",
      "No longer valid, and nothing was done. So it is.",
      "It did not happen, according to Bob: looked.",
      "Held by  until somebody approves it there. So it is.",
      "Accepted, not settled yet. So it is.",
      "Needs a confirmation by Ann.",
      "Needs 2 approvals from cfo in stage 1 and 1 approval from finance.",
      "Approved. It runs at 1 Jan 1970, 00:00 UTC, unless somebody cancels it.",
      "Approved. It runs at 1 Jan 1970, 00:00 UTC, unless somebody cancels it.",
      "Approved; about to run.",
      "Approved, but it does not run yet. Slack is down.",
    ]
  `)
})

const others = ['ann', 'bob', 'eve'] as const
/** What each of them may do: who asked, who decides, and who only looks. */
const viewerOf = (id: (typeof others)[number]) => ({
  party: party(id),
  mayVote: id === 'bob',
  mayRun: (command: string) => command === 'message media',
})

test('everybody sees the buttons that do something for them', () => {
  const some: [string, ChangeState, Partial<Change>][] = [
    ['pending', 'pending', {}],
    ['to confirm', 'pending', { clauses: [{ kind: 'confirm' }] }],
    ['to sign', 'pending', { clauses: [{ ...approvals(1), sign: 'passkey' } as Clause] }],
    ['held', 'approved', { holdUntil: 9_000, runAt: { at: 9_000, zone: 'UTC' } }],
    ['unknown', 'unknown', {}],
    ['applied', 'applied', variants['whom it is for can be told'] ?? {}],
    ['applied, for another command', 'applied', { tell: { command: 'refund', to: 'x' } }],
    ['failed', 'failed', {}],
    ['alone', 'applied', { emergency: { why: 'x', usedAt: 1 } }],
  ]
  const shown = some.flatMap(([name, state, over]) =>
    others.map((id) => {
      const card = cardFor(changeIn(state, over), viewerOf(id), 2_000)
      const turn = card.blocks.find(({ kind }) => kind === 'turn') as { lines: unknown[] }
      return `${name}, ${id}: ${card.actions?.map(({ verb }) => verb).join(' ')} (${turn.lines.map(String).join('; ')})`
    }),
  )
  expect(shown).toMatchInlineSnapshot(`
    [
      "pending, ann: remind change cancel show_all why (Needs 1 approval from finance)",
      "pending, bob: approve reject show_all change suggest remind why (You can approve this; Needs 1 approval from finance)",
      "pending, eve: show_all why (Needs 1 approval from finance)",
      "to confirm, ann: confirm cancel show_all change why (Yours to confirm)",
      "to confirm, bob: show_all change why (Needs a confirmation by Ann)",
      "to confirm, eve: show_all why (Needs a confirmation by Ann)",
      "to sign, ann: remind change cancel show_all why (Needs 1 approval from finance signed with a passkey)",
      "to sign, bob: approve reject show_all change suggest remind why (You can approve this; Needs 1 approval from finance signed with a passkey)",
      "to sign, eve: show_all why (Needs 1 approval from finance signed with a passkey)",
      "held, ann: cancel retime show_all (Approved. It runs at 1 Jan 1970, 00:00 UTC, unless somebody cancels it.)",
      "held, bob: cancel retime show_all (Approved. It runs at 1 Jan 1970, 00:00 UTC, unless somebody cancels it.)",
      "held, eve: show_all (Approved. It runs at 1 Jan 1970, 00:00 UTC, unless somebody cancels it.)",
      "unknown, ann: look_up show_all (Nobody knows whether this happened.  It is not tried again automatically: look it up, then record what you found.)",
      "unknown, bob: look_up happened did_not show_all (Nobody knows whether this happened.  It is not tried again automatically: look it up, then record what you found.)",
      "unknown, eve: look_up show_all (Nobody knows whether this happened.  It is not tried again automatically: look it up, then record what you found.)",
      "applied, ann: receipt tell show_all (Done.)",
      "applied, bob: receipt tell show_all (Done.)",
      "applied, eve: receipt tell show_all (Done.)",
      "applied, for another command, ann: receipt show_all (Done.)",
      "applied, for another command, bob: receipt show_all (Done.)",
      "applied, for another command, eve: receipt show_all (Done.)",
      "failed, ann: again receipt show_all (Failed, and nothing was done.)",
      "failed, bob: again receipt show_all (Failed, and nothing was done.)",
      "failed, eve: again receipt show_all (Failed, and nothing was done.)",
      "alone, ann: receipt show_all (Done.)",
      "alone, bob: mark_reviewed receipt show_all (Done.)",
      "alone, eve: receipt show_all (Done.)",
    ]
  `)
  const bare = { party: party('eve'), mayVote: false }
  expect(
    cardFor(changeIn('applied', variants['whom it is for can be told']), bare, 2_000).actions?.map(
      ({ verb }) => verb,
    ),
  ).toEqual(['receipt', 'show_all'])
})

test('a line of a list has what stands before the buttons of the card', () => {
  const change = changeIn('pending', {
    ...variants['facts of its own and of the request, notes and warnings'],
    clauses: [approvals(1), approvals(1, ['cfo'])],
  })
  expect(requestFor(change, viewerOf('bob'), 2_000, 'list')).toMatchInlineSnapshot(`
    {
      "actions": [
        {
          "id": "c1.0123456789abcdef.1.list",
          "label": "Approve 20",
          "verb": "approve",
        },
        {
          "id": "c1.0123456789abcdef.1.list",
          "isMore": true,
          "verb": "reject",
        },
        {
          "id": "c1.0123456789abcdef.1.list",
          "isMore": true,
          "verb": "show_all",
        },
        {
          "id": "c1.0123456789abcdef.1.list",
          "isMore": true,
          "verb": "change",
        },
        {
          "id": "c1.0123456789abcdef.1.list",
          "isMore": true,
          "verb": "suggest",
        },
        {
          "id": "c1.0123456789abcdef.1.list",
          "isMore": true,
          "verb": "remind",
        },
        {
          "id": "c1.0123456789abcdef.1.list",
          "isMore": true,
          "verb": "why",
        },
      ],
      "asked": {
        "at": 1000,
        "text": "1 Jan 1970, 00:00 UTC",
      },
      "by": "Ann",
      "facts": [
        {
          "label": "Customer",
          "value": "cus_1",
        },
        {
          "label": "To",
          "value": "Ada",
        },
      ],
      "mark": {
        "amount": 20,
        "currency": null,
        "id": "c1.0123456789abcdef.1.list",
      },
      "needs": [
        "Needs 1 approval from finance for rule "refund"",
        "Needs 1 approval from cfo for rule "refund"",
      ],
      "thing": {
        "id": "c1",
        "kind": "change",
        "name": "Refund of payment pay_1",
      },
      "title": "Refund of payment pay_1",
      "warnings": [
        "Bob asked for the same.",
        "It is old.",
        "It was refunded before.",
      ],
      "why": "“The shop was late.”",
    }
  `)
})

test('what is posted anew, told to those who talk about it, and told at the end', () => {
  const brief = (view: View) =>
    `${view.title} | ${(view.mentions ?? []).map(({ name }) => name).join()} | ${(view.actions ?? []).map(({ verb }) => verb).join(' ')}`
  const mention = [{ name: 'Bob', accounts: {}, isGroup: false }]
  const asked = changeIn('pending', { reminder: { n: 1, why: 'Bob asks again' } })
  const told = changeIn('applied', variants['whom it is for can be told'])
  expect([
    brief(reminderOf(asked, 2_000, mention)),
    brief(reminderOf(changeIn('pending'), 2_000, [])),
    brief(newsOf(asked, 2_000, 'Bob asks', true)),
    brief(newsOf(asked, 2_000, 'Ann answers', false)),
    brief(endOf(told)),
    brief(endOf(told, true)),
    brief(endOf(changeIn('failed'))),
    brief(cardReply(changeIn('pending'), 2_000).view as View),
    behindDetails(changeIn('pending'), 2_000)
      .map(({ verb }) => verb)
      .join(' '),
  ]).toMatchInlineSnapshot(`
    [
      "Bob asks again: Refund 20 of payment pay_1 | Bob | approve reject show_all change suggest cancel remind why",
      "Reminder: Refund 20 of payment pay_1 |  | approve reject show_all change suggest cancel remind why",
      "Bob asks: Refund 20 of payment pay_1 |  | show_all change cancel remind why",
      "Ann answers: Refund 20 of payment pay_1 |  | approve reject show_all change suggest remind why",
      "Done: Refund 20 of payment pay_1 |  | receipt show_all",
      "Done: Refund 20 of payment pay_1 |  | receipt tell show_all",
      "Failed: Refund 20 of payment pay_1 |  | again receipt show_all",
      "Refund 20 of payment pay_1 |  | approve reject show_all change suggest cancel remind why",
      "change suggest cancel remind why",
    ]
  `)
  const own = cardReply(changeIn('pending', { clauses: [{ kind: 'confirm' }] }), 2_000, { isDecided: true })
  expect([own.isDecided, own.kind]).toEqual([true, 'change'])
  expect(textOfView(own.view as View)).toContain('Yours to confirm')
})

test.each<[Late]>([[late('applied')], [late('failed', { by: party('bob'), happened: true })]])(
  'what those who decided are told when something was learned late: %j',
  (one) => {
    const view = lateView(changeIn('unknown', { late: one }), one)
    expect(`${view.tone}\n${textOfView(view)}`).toMatchSnapshot()
  },
)

test('words that would pass for a line of the card, or have the name of a fact of its own, are marked as a field', () => {
  const own = facts({ 'Paid with': { role: 'source', value: 'a card' }, Kind: 'refund' })
  const shownAs = (label: string) =>
    markedBlocks({ title: 'Refund', tone: 'warn', blocks: [own, diff({ [label]: [null, 'x'] })] })
      .flatMap((block) => (block.kind === 'diff' ? block.changes : []))
      .map((one) => one.label)
  const passing = [
    ...[
      'Paid with',
      ' PAID  WITH ',
      '  *Paid with*',
      'rule',
      'Expires',
      'runs',
      'Asked by',
      'amount due',
      'Vote',
    ],
    ...['votes for', 'needs 1', 'Has 2', 'your turn', 'Yours', 'You can', '  *Amount*', 'Ａmount'],
  ]
  const plain = [
    ...['Paid', 'Paid with it', 'kind', 'Ruler', 'has none', 'your name', 'Asking', 'Amounts', 'my votes'],
    ...['running', ''],
  ]
  for (const word of passing) expect(shownAs(word)).toEqual([`Field "${word}"`])
  for (const word of plain) expect(shownAs(word)).toEqual([word])
})
