import { chart, code, diff, facts, list, note, table, text, type View } from '../../src/lib/view/view.ts'
import { type Moment, sentence } from '../../src/lib/view/words.ts'

const then: Moment = { at: 1_700_000_000_999, text: '14 Nov 2023, 22:13 UTC' }
const viewOf = (over: Partial<View>): View => ({ title: 'Title', tone: 'plain', blocks: [], ...over })
const request = {
  title: 'Refund *20.00*',
  by: 'Sam <b>',
  asked: then,
  thing: { kind: 'payment' as const, id: 'pay_1' },
  actions: [
    { verb: 'approve' as const, id: 'c1' },
    { verb: 'reject' as const, id: 'c1' },
  ],
}

/** A view of each kind of part, and of each way that a part can look. */
export const gallery: Record<string, View> = {
  'a card whose turn it is': viewOf({
    title: 'Refund 20.00',
    tone: 'warn',
    essential: 2,
    mentions: [
      { name: 'Ann', accounts: { slack: 'U1', discord: '400000000000000001' }, isGroup: false },
      { name: 'finance', accounts: { slack: 'S1', discord: '400000000000000002' }, isGroup: true },
      { name: 'Bo', accounts: {}, isGroup: false },
    ],
    blocks: [
      {
        kind: 'turn',
        lines: [sentence`Needs one of finance until ${then}.`, 'And *one* more.'],
        by: 'Sam <b> asks',
        time: { words: 'expires', moment: then },
      },
      { ...facts({ Amount: '20.00', When: then, Until: sentence`at ${then}` }), isLead: true } as never,
      { kind: 'quote', text: 'Charged _twice_', by: 'Sam' },
    ],
    footer: sentence`Asked at ${then}.`,
    actions: [
      { verb: 'approve', id: 'c1' },
      { verb: 'reject', id: 'c1' },
      { verb: 'details', id: 'c1', isMore: true },
    ],
  }),
  'a card without a time, and more behind its buttons': viewOf({
    tone: 'good',
    blocks: [{ kind: 'turn', lines: ['Needs nobody.'], by: 'Sam' }],
    footer: 'Small *print*',
    actions: [
      { verb: 'confirm', id: 'c1' },
      { verb: 'reject', id: 'c1', label: 'Stop it' },
      { verb: 'next', id: 'c1' },
      { verb: 'why', id: 'c1', isMore: true },
      { verb: 'show_all', id: 'c1', isMore: true, label: 'All of it' },
    ],
  }),
  'notes and texts': viewOf({
    tone: 'bad',
    blocks: [
      ...(['plain', 'good', 'warn', 'bad'] as const).map((tone) => note(tone, `A ${tone} note`)),
      note('warn', sentence`Over at ${then}.`),
      text('A text'),
      text(sentence`Since ${then}`),
      code('let x = `1`\nlet y'),
      list(['one', sentence`two at ${then}`]),
    ],
  }),
  'facts and differences': viewOf({
    blocks: [
      facts({ Name: 'Ada', Score: 5, Since: then, Until: sentence`until ${then}` }),
      diff({ Plan: ['pro', 'team'], Seats: [null, '5'], Note: ['old', null], Ends: [sentence`${then}`, ''] }),
    ],
  }),
  'tables, one after the other': viewOf({
    blocks: [
      table(
        ['Name', 'Score#', 'Seen'],
        [
          ['Ada', '5', then],
          ['Bo', '12', 'never'],
        ],
      ),
      table(
        ['Name', 'Score#'],
        [
          ['Ada', '5'],
          ['Bo', ''],
        ],
      ),
      table(
        ['Name', 'Seen', 'Note'],
        [
          ['Ada', then, ''],
          ['', 'never', 'x'],
        ],
      ),
      table(['Name'], []),
    ],
  }),
  'an empty table alone': viewOf({ blocks: [table(['Name', 'Score#'], [])] }),
  'what waits': viewOf({
    blocks: [
      {
        kind: 'requests',
        requests: [
          {
            ...request,
            needs: ['one of finance', sentence`before ${then}`],
            facts: [{ label: 'Amount', value: '20.00' }],
            warnings: ['The same was asked before.', sentence`It ends at ${then}.`],
          },
          {
            ...request,
            needs: [],
            facts: [],
            warnings: [],
            actions: [{ verb: 'confirm', id: 'c2', label: 'Do it' }],
          },
        ],
      },
    ],
    marks: Array.from({ length: 12 }, (_, at) => ({
      id: `c${at}`,
      label: `Refund ${at}`,
      hint: `by Sam ${at}`,
    })),
  }),
  'charts in each shape': viewOf({
    blocks: [
      chart('Shares', 'pie', { a: 1, b: 2 }),
      chart('Days', 'line', { mon: 1, tue: 0 }),
      chart('Sums', 'bar', { 'a *b*': -1 }),
      chart('Last', 'bar', { x: 1_000 }),
    ],
  }),
  'long work in each state': viewOf({
    blocks: [
      { kind: 'progress', label: 'Send', done: 1, total: 4 },
      { kind: 'progress', label: 'Sent', done: 4, total: 4 },
      { kind: 'progress', label: 'Waits', done: 0, total: 4, state: 'waiting' },
      { kind: 'progress', label: 'Broke', done: 3, total: 4, state: 'failed' },
      { kind: 'progress', label: 'Over', done: 2, total: 4, state: 'done' },
    ],
  }),
  'what can be done with things': viewOf({
    menu: {
      id: 'a1',
      items: [
        { at: 0, thing: { kind: 'list', id: 'lst_1', name: 'News' }, actions: ['list get', 'list rename'] },
        { at: 1, thing: { kind: 'list', id: 'lst_2' }, label: 'The other', actions: ['list get'] },
      ],
      summaries: { 'list get': 'Show a list' },
    },
  }),
}
