import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkSchedule, refuseSurplus } from '../../../src/features/schedules/look-ups.ts'
import { answer } from '../../../src/kernel/command/answer.ts'
import { defineQuery } from '../../../src/kernel/command/define.ts'
import { createRegistry } from '../../../src/kernel/command/registry.ts'
import { policyOf } from '../../policy/example.ts'

const query = (name: string, over: object = {}) =>
  defineQuery({
    name,
    summary: 'Brew a pot of tea',
    area: 'bellhop',
    input: z.object({}),
    examples: [name],
    uses: [],
    run: async () => answer({ title: 'Tea', tone: 'plain', blocks: [] }),
    ...over,
  })
const policy = policyOf(`version: 1
people:
  - { id: fay, name: Fay, slack: U0FAY, roles: [tea], zone: Europe/Berlin }
roles:
  tea: { run: ["bellhop *"] }
`)
const [hour, at] = [3_600_000, Date.UTC(2026, 10, 17, 12)]

const check = async (
  over: {
    line?: string
    every?: string
    channel?: string
    platform?: string
    roles?: string[]
    mayRead?: ((account: string, channel: string) => Promise<boolean>) | null
    schedules?: number
  } = {},
) => {
  const { line = 'bellhop tea', every = 'day 9:00', channel, platform = 'slack', roles = ['tea'] } = over
  const { mayRead = async (account: string, id: string) => `${account} ${id}` === 'U0FAY C1' } = over
  const list = async (person: string) =>
    Array.from({ length: person === 'fay' ? (over.schedules ?? 0) : 99 }, (_, n) => ({ id: `s${n}` }))
  const core = {
    policy,
    registry: createRegistry([
      query('bellhop tea', { sameAs: ['campaign find'] }),
      query('bellhop diary', { personal: true }),
    ]),
    messengers: new Map([['slack', mayRead === null ? {} : { mayRead }]]),
    store: { of: () => ({ list }) },
    now: () => at,
  }
  const actor = { person: 'fay', name: 'Fay', platform, account: 'U0FAY', known: true, roles, groups: [] }
  const checked = await checkSchedule(core as never, actor as never, { line, every, channel })
  return checked.ok ? checked.value : checked.refusal.message
}

describe('a schedule', () => {
  it('is what it would be: in words, in the zone of who sets it, with its first time and its channel', async () => {
    expect(await check()).toMatchObject({ zone: 'Europe/Berlin', nextAt: at + 20 * hour, channel: null })
    for (const channel of ['C1', '#C1', '<#C1>', '<#C1|tea>', ' C1 '])
      expect(await check({ channel })).toMatchObject({ channel: 'C1' })
    expect(await check({ every: '10s' })).toMatchObject({ nextAt: at + 10_000 })
  })

  it.each<[Parameters<typeof check>[0], RegExp]>([
    [{ platform: 'terminal' }, /nobody can be told anything later/],
    [{ line: 'bellhop coffee' }, /coffee/],
    [{ line: 'bellhop diary' }, /cannot be scheduled/],
    [{ roles: [] }, /may run bellhop tea/],
    [{ every: 'often' }, /does not say how often/],
    [{ every: '9s' }, /every ten seconds at most/],
    [{ schedules: 20 }, /You have 20 schedules/],
    [{ channel: 'C1', mayRead: null }, /There are no channels here/],
    [{ channel: 'C2' }, /You may not read the channel C2/],
    [{ channel: ' two words ' }, /You may not read the channel two words, or/],
    [{ channel: 'C'.repeat(41) }, /You may not read the channel C{40}, or/],
    [
      {
        channel: 'C1',
        mayRead: async () => {
          throw new Error('away')
        },
      },
      /You may not read the channel C1/,
    ],
  ])('is refused with %o', async (over, why) => expect(await check(over)).toMatch(why))

  it('is one of the twenty oldest of its person, or does not run', async () => {
    expect(await check({ schedules: 19 })).toMatchObject({ channel: null })
    const list = async () => Array.from({ length: 22 }, (_, n) => ({ id: `s${n}` }))
    const surplus = (id: string) =>
      refuseSurplus({ store: { of: () => ({ list }) } } as never, { id, by: { person: 'fay' } as never })
    expect(await surplus('s0')).toBeUndefined()
    expect(await surplus('s19')).toBeUndefined()
    expect(await surplus('s20')).toMatchObject({ code: 'too_many_requests' })
  })
})
