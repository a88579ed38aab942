import { expect, it } from 'vitest'
import type { Replay, ReplayItem } from '../../../src/features/replay/report.ts'
import { replayView } from '../../../src/features/replay/view.ts'
import { textOfView } from '../../../src/lib/view/text.ts'

const item = (id: string, verdict: ReplayItem['verdict'], over: Partial<ReplayItem> = {}): ReplayItem => ({
  id,
  at: '',
  line: `refund ${id}`,
  requester: 'sam',
  amount: null,
  currency: null,
  verdict,
  parts: [],
  ...over,
})
const nothing: Replay = {
  policy: '',
  since: '2026-05-04T00:00:00.000Z',
  requests: 0,
  same: 0,
  stricter: 0,
  looser: 0,
  not_replayable: 0,
  mixed: 0,
  sums: { same: {}, stricter: {}, looser: {}, mixed: {}, not_replayable: {} },
  asked: [],
  wait: { known: 0, before_ms: null, after_ms: null, not_known: 0 },
  items: [],
}

it('of nothing has the counts alone', () => {
  const view = replayView(nothing)
  expect(view.tone).toBe('plain')
  expect(view.blocks.map(({ kind }) => kind)).toEqual(['table', 'facts'])
  expect(textOfView(view)).toMatchInlineSnapshot(`
    "0 requests judged by the other file

    Verdict         Requests  Amounts
    the same               0
    stricter               0
    looser                 0
    not replayable         0

    Since 2026-05-04. The waits are the middle ones, by the votes that were given."
  `)
})

it('has sums, what differs how often, who is asked, the waits and the requests, and warns of what is looser', () => {
  const more = { direction: 'stricter', kind: 'more approvals', words: 'more approvals' } as const
  const less = { direction: 'looser', kind: 'no hold', words: 'no hold' } as const
  const view = replayView({
    ...nothing,
    requests: 1_234,
    same: 1_000,
    stricter: 2,
    looser: 1,
    not_replayable: 1,
    mixed: 1,
    sums: {
      same: { USD: 10, none: 2 },
      stricter: { EUR: 3 },
      looser: { USD: 4 },
      mixed: { USD: 5 },
      not_replayable: { GBP: 6 },
    },
    asked: [{ person: 'fay', name: 'Fay', before: 1_000, after: 2_000 }],
    wait: { known: 2, before_ms: 400, after_ms: 61_500, not_known: 1 },
    items: [
      item('p1', 'same'),
      item('p2', 'stricter', { parts: [more] }),
      item('p3', 'mixed', { parts: [more, less] }),
      item('p4', 'not_replayable', { reason: 'It is too old.' }),
    ],
  })
  expect(view.tone).toBe('warn')
  expect(textOfView(view)).toMatchInlineSnapshot(`
    "1,234 requests judged by the other file

    Verdict         Requests  Amounts
    the same           1,000  10 USD, 2
    stricter               2  3 EUR
    looser                 1  4 USD
    not replayable         1  6 GBP

    ! 1 request would be stricter in one thing and looser in another, and is counted as both (5 USD).

    What differs                    Requests
    stricter: more approvals               2
    looser: no hold                        1
    not replayable: It is too old.         1

    Asked to decide  Before  After
    Fay               1,000  2,000

    Wait before     1 s
    Wait after      62 s
    Wait not known  1 request

    - stricter: refund p2 (sam, p2): more approvals.
    - mixed: refund p3 (sam, p3): more approvals; no hold.

    Since 2026-05-04. The waits are the middle ones, by the votes that were given."
  `)
})

it('lists a request that is the only one', () => {
  expect(textOfView(replayView({ ...nothing, items: [item('p1', 'looser')] }))).toContain('looser: refund p1')
})

it('says of several that they are both, without sums where there are none, and cuts long lists', () => {
  const many = (count: number) => ({
    ...nothing,
    mixed: 2,
    asked: Array.from({ length: count }, (_, n) => ({
      person: `p${n}`,
      name: `P ${n}.`,
      before: 0,
      after: 1,
    })),
    items: Array.from({ length: count }, (_, n) => item(`x${n}.`, 'looser')),
  })
  const whole = textOfView(replayView(many(20)))
  expect(whole).toContain(
    '2 requests would be stricter in one thing and looser in another, and are counted as both.',
  )
  expect(whole).toContain('P 19.')
  expect(whole).toContain('(sam, x19.)')
  expect(whole).not.toContain('--json')
  const cut = textOfView(replayView(many(21)))
  expect(cut).not.toContain('P 20.')
  expect(cut).not.toContain('x20.')
  expect(cut).toContain('And 1 more; --json has all of them.')
})
