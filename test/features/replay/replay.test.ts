import { describe, expect, it } from 'vitest'
import type { Change } from '../../../src/kernel/model/change.ts'
import { file, fillWithGenerated, withBudgetOfAll } from '../../harness/past-requests.ts'
import { openHarness } from '../../pipeline/harness.ts'
import { fillWithRequests, replayBy } from './replay-by.ts'

const open = async () => {
  const harness = await openHarness({ policy: file, reads: () => file })
  return { ...harness, by: (text: string) => replayBy(harness, text) }
}

describe('a replay finds each kind by name', async () => {
  const { ask, click, by, payment } = await open()
  const small = await click('confirm', await ask(`refund ${payment()} 20`), 'sam')
  const middle = await click('approve', await ask(`refund ${payment()} 120`), 'fay')
  await ask(`refund ${payment()} 30`, 'fay')
  const large = await ask(`refund ${payment()} 900`)
  const list = await ask('list create Autumn')

  it('and calls everything the same under the same file', async () => {
    expect(await by(file)).toMatchObject({
      requests: 5,
      same: 5,
      stricter: 0,
      looser: 0,
      not_replayable: 0,
      mixed: 0,
    })
    expect(await by(`# another comment\n${file}`)).toMatchObject({ same: 5 })
  })

  it.each<[string, (text: string) => string, 'stricter' | 'looser', string, string]>([
    [
      'a lower bound of amounts',
      (text) => text.replace('upTo: 50 ', 'upTo: 10 '),
      'stricter',
      'an approval instead of a confirmation',
      small.id,
    ],
    [
      'a higher bound of amounts',
      (text) => text.replace('upTo: 50 ', 'upTo: 130 '),
      'looser',
      'a confirmation instead of an approval',
      middle.id,
    ],
    [
      'more approvals',
      (text) =>
        text.replace(
          'approvals: 1, from: [finance] } }\n  - { name: large',
          'approvals: 2, from: [finance] } }\n  - { name: large',
        ),
      'stricter',
      'more approvals',
      middle.id,
    ],
    [
      'fewer approvals',
      (text) =>
        text.replace('[{ approvals: 2, from', '[{ approvals: 1, from').replace('limit: 200', 'limit: 2000'),
      'looser',
      'fewer approvals',
      large.id,
    ],
    [
      'a clause less',
      (text) => text.replace(', { approvals: 1, from: [owner] }]', ']'),
      'looser',
      'one clause less',
      large.id,
    ],
    [
      'another clause',
      (text) =>
        text.replace(
          'upTo: 500 }, require: { approvals: 1, from: [finance] } }',
          'upTo: 500 }, require: [{ approvals: 1, from: [finance] }, { approvals: 1, from: [owner] }] }',
        ),
      'stricter',
      'another clause',
      middle.id,
    ],
    [
      'more roles',
      (text) =>
        text.replace(
          'upTo: 500 }, require: { approvals: 1, from: [finance] }',
          'upTo: 500 }, require: { approvals: 1, from: [finance, owner] }',
        ),
      'looser',
      'more roles',
      middle.id,
    ],
    [
      'a person less in a role',
      (text) =>
        text.replace('id: finn, name: Finn, roles: [finance]', 'id: finn, name: Finn, roles: [support]'),
      'stricter',
      'fewer people',
      middle.id,
    ],
    [
      'a person more in a role',
      (text) =>
        text.replace('id: ona, name: Ona, roles: [owner]', 'id: ona, name: Ona, roles: [owner, finance]'),
      'looser',
      'more people',
      middle.id,
    ],
    [
      'a lower budget',
      (text) => text.replace('limit: 200', 'limit: 100'),
      'stricter',
      'more approvals',
      middle.id,
    ],
    [
      'a new budget',
      (text) =>
        text.replace(
          'budgets:\n',
          'budgets:\n  - { name: all, commands: [refund], per: everyone, window: 7d, limit: 130, then: { approvals: 1, from: [owner] } }\n',
        ),
      'stricter',
      'another clause',
      middle.id,
    ],
    [
      'a right to ask that is gone',
      (text) => text.replace('run: [refund, ', 'run: ['),
      'stricter',
      'may no longer ask',
      small.id,
    ],
    [
      'a hold',
      (text) => text.replace('upTo: 50 }, require: confirm', 'upTo: 50 }, require: confirm, hold: 1h'),
      'stricter',
      'hold',
      small.id,
    ],
    [
      'a demand for a reason',
      (text) =>
        text.replace('upTo: 50 }, require: confirm', 'upTo: 50 }, require: confirm, reason: required'),
      'stricter',
      'reason',
      small.id,
    ],
    [
      'an approval where nothing was needed',
      (text) =>
        text.replace(
          'commands: ["list *"], require: none',
          'commands: ["list *"], require: { approvals: 1 }',
        ),
      'stricter',
      'an approval instead of nothing',
      list.id,
    ],
    [
      'a confirmation where nothing was needed',
      (text) => text.replace('commands: ["list *"], require: none', 'commands: ["list *"], require: confirm'),
      'stricter',
      'a confirmation instead of nothing',
      list.id,
    ],
    [
      'an escalation',
      (text) =>
        text.replace(
          'upTo: 500 }, require: { approvals: 1, from: [finance] }',
          'upTo: 500 }, require: { approvals: 1, from: [finance] }, escalate: { after: 1h, to: [owner] }',
        ),
      'looser',
      'escalation',
      middle.id,
    ],
    [
      'no rule at all',
      (text) => text.replace(/ {2}- \{ name: refund,.*\n/, ''),
      'stricter',
      'more approvals',
      middle.id,
    ],
  ])('%s', async (_, change, direction, kind, id) => {
    const text = change(file)
    expect(text).not.toBe(file)
    const found = await by(text)
    const item = found.items.find((one) => one.id === id)
    expect(item?.parts.map((part) => [part.direction, part.kind])).toContainEqual([direction, kind])
    expect(found[direction]).toBeGreaterThan(0)
  })

  it('what is no longer held or demanded', async () => {
    const strict = file.replace(
      'upTo: 50 }, require: confirm',
      'upTo: 50 }, require: confirm, hold: 1h, reason: required',
    )
    const harness = await openHarness({ policy: strict, reads: () => strict })
    await harness.ask('refund pay_1001 20 --reason "Charged twice"')
    const [item] = (await replayBy(harness, file)).items
    expect(item?.parts.map(({ direction, kind }) => [direction, kind])).toEqual([
      ['looser', 'hold'],
      ['looser', 'reason'],
    ])
  })

  it('a demand for evidence, of what nobody has looked at', async () => {
    const { ask: askThere, by: byThere } = await open()
    await askThere('refund pay_1003 20')
    const [item] = (await byThere(file.replace('require: confirm', 'require: confirm, evidence: required')))
      .items
    expect(item?.parts.map((part) => [part.direction, part.kind])).toContainEqual(['stricter', 'evidence'])
  })

  it('calls a demand that was met the same', async () => {
    const { ask: askThere, by: byThere } = await open()
    await askThere('refund pay_1001 20 --customer cus_1001 --reason "Charged twice"')
    const demanding = file.replace(
      'require: confirm',
      'require: confirm, reason: required, evidence: required',
    )
    expect(await byThere(demanding)).toMatchObject({ requests: 1, same: 1 })
  })

  it('counts what is stricter in one thing and looser in another as both', async () => {
    const found = await by(
      file.replace(
        'upTo: 500 }, require: { approvals: 1, from: [finance] }',
        'upTo: 500 }, require: { approvals: 1, from: [owner] }',
      ),
    )
    const item = found.items.find(({ id }) => id === middle.id)
    expect(item?.verdict).toBe('mixed')
    expect([found.stricter, found.looser, found.mixed]).toEqual([1, 1, 1])
  })

  it('tells the sums, who would be asked more often, and what the wait would have been', async () => {
    const found = await by(file.replace('upTo: 50 ', 'upTo: 130 '))
    expect(found.sums.looser).toEqual({ USD: 120 })
    expect(found.asked).toContainEqual({ person: 'fay', name: 'Fay', before: 3, after: 2 })
    expect(found.items.find(({ id }) => id === small.id)?.wait?.after_ms).toBeGreaterThanOrEqual(0)
    expect(found.items.find(({ id }) => id === large.id)?.wait).toEqual({ before_ms: null, after_ms: null })
  })

  it('never guesses: what is not on record is not replayable, with the reason', async () => {
    const found = await by(
      file.replace('roles:\n  support', 'groups: { slack: { S0FIN: [finance] } }\nroles:\n  support'),
    )
    expect(found.not_replayable).toBe(0)
    const { store, ask: askThere, by: byThere } = await open()
    const old = await askThere('refund pay_1001 20')
    const { judged: _, steps: __, ...rest } = old
    await store.changes.swap({ ...rest, version: old.version + 1 } as Change)
    const there = await byThere(file)
    expect(there.items).toMatchObject([
      { verdict: 'not_replayable', reason: 'It was asked before what a replay needs was recorded.' },
    ])
  })
})

describe('many requests', () => {
  it('are all the same under an unchanged file', async () => {
    const harness = await open()
    const total = await fillWithGenerated(harness, 10_000)
    expect(await harness.by(file)).toMatchObject({
      requests: total,
      same: total,
      stricter: 0,
      looser: 0,
      not_replayable: 0,
    })
  })

  it('are all judged by a budget that nobody had counted', async () => {
    const harness = await open()
    const total = await fillWithRequests(harness, 500)
    // Of each five: two that the owner already had to approve, and three that the owner did not.
    expect(await harness.by(withBudgetOfAll)).toMatchObject({
      requests: total,
      same: (total / 5) * 2,
      stricter: (total / 5) * 3,
      looser: 0,
      not_replayable: 0,
    })
  })
})
