import { expect, it } from 'vitest'
import { isPeriodOver, packOf } from '../../../src/features/receipts/pack.ts'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import type { AuditEntry } from '../../../src/kernel/model/audit-entry.ts'

const [since, until] = [1_000_000_000, 2_000_000_000]
const tenMinutes = 600_000

/** The files of a pack of a log that has no checkpoint yet, unless told otherwise. */
const packed = async (has: {
  entries?: AuditEntry[]
  versions?: { at: number; digest: string }[]
  checkpoint?: object
  keys?: { seq: number; doc: { key: string } }[]
  ok?: boolean
}) => {
  const { entries = [], versions = [], keys = [], ok = true } = has
  let covered = 0
  const store = {
    audit: {
      stream: async function* (filter: { since: number; until: number }) {
        expect(filter).toEqual({ since, until })
        yield* entries
      },
    },
    auditTree: {
      sequence: async () => 0,
      state: async () => ({ base: 0, frontier: { size: 0 } }),
      keyEntries: async () => keys,
      checkpoint: async ({ covering }: { covering: number }) => {
        covered = covering
        return has.checkpoint
      },
    },
    policies: {
      list: async ({ skip, limit }: { skip: number; limit: number }) => versions.slice(skip, skip + limit),
      text: async (digest: string) => (digest.startsWith('known') ? `text of ${digest}` : undefined),
    },
  }
  const verdict = ok
    ? { ok }
    : { ok, seq: 3, fault: 'changed', problem: 'changed', sentence: 'Entry 3 is bad.' }
  const files = new Map<string, string>()
  for await (const { name, content } of packOf(
    store as never,
    newSigner(),
    { since, until, now: until },
    verdict as never,
  ))
    files.set(name, String(content))
  return { files, covered, json: (name: string) => JSON.parse(files.get(name) ?? 'null') }
}
const entry = (over: Partial<AuditEntry>): AuditEntry => ({
  id: '',
  seq: 1,
  at: since,
  kind: 'asked',
  who: 'sam',
  name: 'Sam',
  platform: 'slack',
  command: 'refund',
  changeId: 'c1',
  doc: {},
  ...over,
})

it('holds what happened from the first moment of the period up to its last, also behind a clock that is ahead', async () => {
  const { files } = await packed({
    entries: [
      entry({ id: 'early', at: since - 1 }),
      entry({ id: 'first' }),
      entry({ id: 'looked up', kind: 'ran' }),
      entry({ id: 'after', at: until }),
      entry({ id: 'last', at: until - 1 }),
      entry({ id: 'ahead', at: until + tenMinutes - 1 }),
      entry({ id: 'behind', at: until - 2 }),
      entry({ id: 'over', at: until + tenMinutes }),
      entry({ id: 'behind a wrong clock', at: until - 3 }),
    ],
  })
  const lines = (files.get('entries.jsonl') ?? '').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual([
    'first',
    'last',
    'behind',
    'behind a wrong clock',
  ])
  expect([until + tenMinutes - 1, until + tenMinutes].map((now) => isPeriodOver({ until, now }))).toEqual([
    false,
    true,
  ])
})

it('tells each change as it stood at the end, in the order of their ids', async () => {
  const { json, files } = await packed({
    entries: [
      entry({ changeId: 'b', doc: { line: 'refund pay_1 20' } }),
      entry({ changeId: 'b', kind: 'approved', name: 'Fay', doc: { state: 'approved', line: 'other' } }),
      entry({ changeId: 'b', kind: 'reminded', name: 'Bellhop', command: 'upgrade' }),
      entry({ changeId: 'a', kind: 'applied', name: 'Bellhop', doc: { state: 'applied' } }),
      entry({ changeId: 'c', kind: 'noted', name: 'Bellhop' }),
      entry({ changeId: null, kind: 'key' }),
    ],
  })
  expect(json('changes.json')).toEqual([
    { id: 'a', command: 'refund', line: 'refund', askedBy: '', state: 'applied', entries: 1 },
    { id: 'b', command: 'upgrade', line: 'refund pay_1 20', askedBy: 'Sam', state: 'approved', entries: 3 },
    { id: 'c', command: 'refund', line: 'refund', askedBy: '', state: 'pending', entries: 1 },
  ])
  expect(files.get('README.txt')).toContain(
    '\nChanges: 3\nExceptions: 0\nThe log was verified: complete and unchanged\n',
  )
  expect(json('verification.json')).toEqual({ ok: true, entries: 0, root: null, keys: [] })
})

it('lists every exception with who and why, and what was found wrong with the log', async () => {
  const kinds = [
    'unknown',
    'resolved',
    'late answer',
    'refused',
    'votes lapsed',
    'witness away',
    'witness back',
    'log signed by',
    'log taken over',
    'log restored',
  ]
  const { json, files } = await packed({
    ok: false,
    entries: [
      ...kinds.map((kind) => entry({ kind, doc: { reason: 'why', code: 'x' } })),
      entry({ kind: 'applied', command: 'freeze' }),
      entry({ kind: 'applied', command: 'unfreeze' }),
      entry({ kind: 'applied' }),
    ],
  })
  const told = json('exceptions.json') as { kind: string; command: string }[]
  expect(told.map(({ kind, command }) => (command === 'refund' ? kind : command))).toEqual([
    ...kinds,
    'freeze',
    'unfreeze',
  ])
  expect(told[0]).toEqual({
    seq: 1,
    at: '1970-01-12T13:46:40.000Z',
    kind: 'unknown',
    command: 'refund',
    who: 'sam',
    name: 'Sam',
    changeId: 'c1',
    reason: 'why',
    code: 'x',
  })
  expect(files.get('README.txt')).toContain('NOT found complete and unchanged: Entry 3 is bad.')
  expect(json('verification.json')).toEqual({
    ok: false,
    entry: 3,
    fault: 'changed',
    problem: 'changed',
    sentence: 'Entry 3 is bad.',
  })
})

it('is sealed by a checkpoint, and by none while nothing in it has its number', async () => {
  const checkpoint = { size: 7, root: Buffer.alloc(3), note: 'signed' }
  const sealed = async (seq: number | null) => {
    const { files, json } = await packed({ checkpoint, entries: [entry({ seq, changeId: null })] })
    return [files.get('checkpoint.txt'), json('verification.json')]
  }
  expect(await sealed(1)).toEqual(['signed', { ok: true, entries: 7, root: 'AAAA', keys: [] }])
  expect(await sealed(null)).toEqual(['', { ok: true, entries: 0, root: null, keys: [] }])
})

it.each([
  ['its last entry, where that comes after every key', [2, 4], 7],
  ['the entry of the newest key, where that comes later', [2, 9], 9],
])('is sealed by a checkpoint that covers %s', async (_, keySeqs, covering) => {
  const keys = keySeqs.map((seq) => ({ seq, doc: { key: `key of ${seq}` } }))
  const { covered } = await packed({ keys, entries: [entry({ seq: 5 }), entry({ seq: 7 })] })
  expect(covered).toBe(covering)
})

it('has the versions of the policy that came into force in the period, and the one before them', async () => {
  // The newest first, as they are stored: some after the period, more than a page in it, and two before it.
  const inside = Array.from({ length: 150 }, (_, n) => ({ at: until - 1 - n, digest: `known ${n}` }))
  const versions = [
    { at: until, digest: 'after' },
    ...inside,
    { at: since, digest: 'known first' },
    { at: since - 1, digest: 'known before' },
    { at: since - 2, digest: 'older' },
  ]
  const { json, files } = await packed({ versions, entries: [entry({ doc: { policy: 'lost' } })] })
  const told = json('policies.json') as { versions: { digest: string }[]; digests: string[] }
  expect(told.versions.map(({ digest }) => digest)).toEqual(
    versions
      .slice(1, -1)
      .map(({ digest }) => digest)
      .toReversed(),
  )
  expect(told.digests).toEqual([...versions.slice(1, -1).map(({ digest }) => digest), 'lost'].toSorted())
  expect(files.get('policies/known first.yml')).toBe('text of known first')
  expect([...files.keys()].filter((name) => name.startsWith('policies/'))).toHaveLength(152)
  const whole = await packed({ versions: inside.slice(0, 100) })
  expect(whole.json('policies.json').versions).toHaveLength(100)
})
