import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, test } from 'vitest'
import { ticks } from '../../../src/lib/clock.ts'
import { createAdmission, createSerialPerPerson } from '../../../src/lib/limits/admission.ts'
import { ok } from '../../../src/lib/result.ts'
import { ticksOf } from '../../harness/ticks.ts'

describe('the requests of one person', () => {
  it('are worked on so many at a time, the rest in order, and those of others beside them', async () => {
    const { inLane } = createAdmission(ticks, { atOnce: 2, maxWaiting: 2 })
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const begin = (person: string, name: string) => {
      const work = async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return name
      }
      return inLane(person, work, async () => 'full')
    }
    const all = ['first', 'second', 'third', 'fourth'].map((name) => begin('ada', name))
    expect(await begin('ada', 'fifth')).toBe('full')
    const other = begin('ben', 'of another')
    expect(begun).toEqual(['first', 'second', 'of another'])
    for (const [name, next] of [
      ['second', 'third'],
      ['first', 'fourth'],
    ] as const) {
      ends.get(name)?.()
      await expect.poll(() => begun.at(-1)).toBe(next)
    }
    ends.get('third')?.()
    await all[2]
    // One of the two is still at work.
    all.push(begin('ada', 'sixth'), begin('ada', 'seventh'))
    expect(begun.slice(-2)).toEqual(['fourth', 'sixth'])
    for (const name of ['fourth', 'sixth', 'of another']) ends.get(name)?.()
    await expect.poll(() => begun.at(-1)).toBe('seventh')
    ends.get('seventh')?.()
    expect([await Promise.all(all), await other]).toEqual([
      ['first', 'second', 'third', 'fourth', 'sixth', 'seventh'],
      'of another',
    ])
  })
})

describe('the text of one person', () => {
  const hourMs = 3_600_000
  test.each([
    ['within the limit', [[0, 1_200]], false],
    ['in one piece over the limit', [[0, 1_201]], true],
    [
      'in pieces over the limit',
      [
        [0, 700],
        [1, 701],
      ],
      true,
    ],
    ['that is short, however often', Array.from({ length: 5_000 }, (_, at) => [at, 200]), false],
    ['that is a little longer, a thousand times', Array.from({ length: 1_000 }, (_, at) => [at, 201]), false],
    ['that is a little longer, once more', Array.from({ length: 1_001 }, (_, at) => [at, 201]), true],
    [
      'of the hour before, while half of it still counts',
      [
        [hourMs - 1, 1_200],
        [1.5 * hourMs, 900],
      ],
      true,
    ],
    [
      'of the hour before, when little of it still counts',
      [
        [hourMs - 1, 1_200],
        [1.9 * hourMs, 900],
      ],
      false,
    ],
    [
      'of long ago',
      [
        [0, 1_200],
        [5 * hourMs, 1_200],
      ],
      false,
    ],
  ])('%s', (_, sent, isRefused) => {
    let now = 0
    const admission = createAdmission(
      ticksOf(() => now),
      { textAnHour: 1_000 },
    )
    const answers = sent.map(([at = 0, length = 0]) => {
      now = 10_000 * hourMs + at
      return admission.isTooMuchText('ada', length)
    })
    expect(answers.at(-1)).toBe(isRefused)
    expect(admission.isTooMuchText('ben', 1_200)).toBe(false)
  })
})

describe('in a turn of the event loop', () => {
  const inOrder = (wanted: readonly [string, boolean][]) => {
    const admission = createAdmission(ticks)
    const begun: string[] = []
    const all = wanted.map(async ([person, isUrgent], at) => {
      await admission.pace(person, isUrgent)
      begun.push(`${person}${at}`)
    })
    return { begun, all: Promise.all(all), admission }
  }

  it('one begins, of each person in turn', async () => {
    const { begun, all, admission } = inOrder([
      ['ada', false],
      ['ada', false],
      ['ada', false],
      ['ben', false],
    ])
    await Promise.resolve()
    expect(begun).toEqual(['ada0'])
    await all
    expect(begun).toEqual(['ada0', 'ada1', 'ben3', 'ada2'])
    // Where nobody waits any more, the next begins at once.
    await nextTurn()
    await nextTurn()
    expect(admission.pace('ada', false)).toBeUndefined()
  })

  it('what is refused waits for its turn, too, unless a thousand wait already', async () => {
    const { begun, all, admission } = inOrder([['ada', false]])
    const refused = Array.from({ length: 1_000 }, async () => {
      await admission.paceRefused('ada')
      begun.push('refused')
    })
    expect(admission.paceRefused('ada')).toBeUndefined()
    const others = [admission.paceRefused('ben'), admission.pace('cy', false)]
    expect(others).toEqual([expect.any(Promise), expect.any(Promise)])
    await all
    await Promise.all(others)
    // One of theirs before each of the others.
    expect(begun.length).toBeLessThan(6)
    await Promise.all(refused)
    expect(begun).toHaveLength(1_001)
  })

  it('what is urgent begins beside the others, and waits only for what is urgent too', async () => {
    const { begun, all } = inOrder([
      ...Array.from({ length: 5 }, (): [string, boolean] => ['ada', false]),
      ...Array.from({ length: 3 }, (): [string, boolean] => ['ada', true]),
      ['fay', true],
    ])
    await Promise.resolve()
    expect(begun).toEqual(['ada0', 'ada5'])
    await all
    expect(begun.indexOf('fay8')).toBeLessThan(begun.indexOf('ada3'))
    expect(begun.indexOf('fay8')).toBeLessThan(begun.indexOf('ada7'))
  })
})

it('of one person so many requests are taken, after those of a burst so many a minute', () => {
  let now = 0
  const admission = createAdmission(
    ticksOf(() => now),
    { burst: 10, aMinute: 60 },
  )
  const taken = (person: string, many: number) =>
    Array.from({ length: many }, () => admission.isTooOften(person)).filter((isTooOften) => !isTooOften)
      .length
  expect([taken('ada', 30), taken('ben', 5)]).toEqual([10, 5])
  now += 5_000
  expect([taken('ada', 30), taken('ben', 30)]).toEqual([5, 10])
  now += 3_600_000
  expect(taken('ada', 30)).toBe(10)
  const often = createAdmission(
    ticksOf(() => now),
    { burst: 2, aMinute: 60_000 },
  )
  expect([1, 2, 3].map(() => often.isTooOften('ada'))).toEqual([false, false, true])
})

it('cards are posted at once, and those after a burst a second apart while a messenger says that it is too much', () => {
  let now = 100_000
  const admission = createAdmission(ticksOf(() => now))
  const waits = (person: string, many: number) =>
    Array.from({ length: many }, () => admission.cardAfterMs(person))
  expect(waits('ada', 20)).toEqual(Array(20).fill(0))
  admission.limited()
  expect(waits('ada', 3)).toEqual([1_000, 2_000, 3_000])
  expect(waits('ben', 1)).toEqual([0])
  now += 3_000
  expect(waits('ada', 1)).toEqual([1_000])
  now += 56_999
  const many = Array.from({ length: 21 }, () => admission.cardAfterMs('cy'))
  expect(many.at(-1)).toBe(1_000)
  now += 1
  expect(waits('cy', 1)).toEqual([0])
  now += 3_000
  expect(waits('ada', 100)).toEqual(Array(100).fill(0))
})

it('what can be long is done one at a time for each person, and who has three waiting is refused', async () => {
  const serialPerPerson = createSerialPerPerson()
  const running: string[] = []
  const ends: (() => void)[] = []
  const begin = (person: string, name: string) =>
    serialPerPerson(person, async () => {
      running.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return ok(name)
    })
  const all = [begin('ada', 'a'), begin('ada', 'b'), begin('ada', 'c'), begin('ada', 'd')]
  expect(await begin('ada', 'e')).toMatchObject({ ok: false, refusal: { code: 'too_many_requests' } })
  const other = begin('ben', 'f')
  expect(running).toEqual(['a', 'f'])
  for (let at = 0; at < 5; at++) {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    ends.shift()?.()
    if (at < 1) await all[0]
  }
  expect(await Promise.all([...all, other])).toEqual(['a', 'b', 'c', 'd', 'f'].map((name) => ok(name)))
  expect(running).toEqual(['a', 'f', 'b', 'c', 'd'])
})

it('what fails gives its turn back', async () => {
  const serialPerPerson = createSerialPerPerson()
  const fail = () => serialPerPerson('ada', () => Promise.reject(new Error('broken')))
  for (let n = 0; n < 6; n++) await expect(fail()).rejects.toThrow('broken')
})
