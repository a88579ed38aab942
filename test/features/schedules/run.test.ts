import { describe, expect, it } from 'vitest'
import {
  answer,
  definePack,
  defineQuery,
  defineSandbox,
  type View,
  z,
} from '../../../src/cli/packs/surface.ts'
import { createApp } from '../../../src/cli/start/app.ts'
import { runScheduled } from '../../../src/features/schedules/run.ts'
import { createSchedules } from '../../../src/features/schedules/store.ts'
import type { OutFile } from '../../../src/kernel/command/define.ts'
import { createSpool } from '../../../src/kernel/messenger/spool.ts'
import { createFakeMessenger, gone, later } from '../../approvals/fake-messenger.ts'
import { account, openHarness } from '../../pipeline/harness.ts'

const hour = 3_600_000
const day = 24 * hour

const policy = `
version: 1
people:
  - { id: fay, name: Fay Finance, slack: U0FAY, roles: [finance] }
  - { id: sam, name: Sam Support, slack: U0SAM, roles: [support] }
groups:
  slack: { S0READ: [reader] }
roles:
  finance: { run: ["*"], approve: ["*"] }
  support: { run: ["schedule *", "list *"] }
  reader: { run: ["report *"] }
policies:
  - { name: own, commands: ["schedule *"], require: none }
`

/** A service whose one look-up answers with a file, and after what a test has it wait for. */
let meanwhile = async () => {}
const archive = definePack({
  name: 'archive',
  title: 'Archive',
  surface: 1,
  auth: 'bearer',
  environment: { baseUrl: 'ARCHIVE_BASE_URL', keys: { apiKey: 'ARCHIVE_API_KEY' } },
  rows: {},
  kinds: {},
  commands: [
    defineQuery({
      name: 'archive get',
      summary: 'Get a file of so many letters',
      area: 'archive',
      input: z.object({ letters: z.int().describe('How many letters it has') }),
      positional: ['letters'],
      examples: ['archive get 5'],
      uses: [],
      run: async ({ letters }) => {
        await meanwhile()
        const spool = createSpool('archive.txt', 'text/plain')
        await spool.add('x'.repeat(letters))
        return answer({ title: 'Archive', tone: 'plain', blocks: [] }, { file: await spool.end() })
      },
    }),
  ],
  sandbox: async () => defineSandbox({ seed: () => ({}), handlers: {} }),
})

const open = async () => {
  const clock = { now: Date.UTC(2026, 10, 13, 11) }
  const harness = await openHarness({ policy, packs: [archive], now: () => clock.now, started: false })
  const files: (OutFile | undefined)[] = []
  const fake = createFakeMessenger('slack')
  const readers = new Map([['C0ROOM', ['U0FAY', 'U0SAM']]])
  const groups = new Map<string, string[]>()
  const slack = {
    ...fake,
    zone: async () => 'Europe/Berlin',
    mayRead: async (id: string, channel: string) => readers.get(channel)?.includes(id) ?? false,
    membership: async (id: string) => groups.get(id) ?? [],
    direct: async (id: string, view: View, file?: OutFile) => {
      files.push(file)
      return fake.direct(id, view)
    },
  }
  harness.app.join(slack)
  const as = (id: string, line: string) =>
    harness.handle({ from: account('slack', id, groups.get(id) ?? []), intent: { kind: 'line', line } })
  const pass = async (ms: number) => {
    clock.now += ms
    await harness.app.drain()
  }
  return { harness, slack, clock, as, pass, readers, groups, files }
}

const everyMonday = 'schedule create "report digest" --every "monday 9:00" --in C0ROOM'

describe('a scheduled look-up', () => {
  it('runs at its time in the zone of whoever set it, and is posted in its channel', async () => {
    const { as, pass, slack } = await open()
    expect(await as('U0FAY', everyMonday)).toMatchObject({ change: { state: 'applied' } })
    await pass(2 * day + 20 * hour + 59 * 60_000)
    expect(slack.shown('C0ROOM')).toEqual([])
    await pass(60_000)
    expect(slack.shown('C0ROOM')).toEqual([expect.stringContaining('Nothing waits')])
    await pass(60_000)
    expect(slack.shown('C0ROOM')).toHaveLength(1)
    await pass(7 * day - 60_000)
    expect(slack.shown('C0ROOM')).toHaveLength(2)
  })

  it('takes seconds, goes to the person without a channel, and stops when it is deleted', async () => {
    const { as, pass, slack, harness } = await open()
    await as('U0FAY', 'schedule create "away list" --every 10s')
    await pass(10_000)
    expect(slack.shown('U0FAY')).toHaveLength(1)
    const [schedule] = await harness.store.of(createSchedules).list()
    expect(await as('U0SAM', `schedule delete ${schedule?.id}`)).toMatchObject({
      refusal: { code: 'not_found' },
    })
    await as('U0FAY', `schedule delete ${schedule?.id}`)
    await pass(10_000)
    expect(slack.shown('U0FAY')).toHaveLength(1)
  })

  it('runs once, however many replicas there are', async () => {
    const { as, clock, slack, harness } = await open()
    await as('U0FAY', everyMonday)
    const replicas = Array.from({ length: 4 }, () => createApp({ ...harness.app.core, now: () => clock.now }))
    for (const replica of replicas) replica.join(slack)
    clock.now += 2 * day + 21 * hour
    await Promise.all(replicas.map((replica) => replica.drain()))
    await Promise.all(replicas.map((replica) => replica.drain()))
    expect(slack.shown('C0ROOM')).toHaveLength(1)
  })

  it('says which runs were missed, and makes none of them up', async () => {
    const { as, pass, slack } = await open()
    await as('U0FAY', everyMonday)
    await pass(10 * day)
    const [only, ...more] = slack.shown('C0ROOM')
    expect(only).toContain('2 runs did not take place')
    expect(only).toContain('16 Nov 2026, 09:00 Europe/Berlin')
    expect(more).toEqual([])
  })

  it('is run when it is up to five minutes late, and is missed after that', async () => {
    const { as, pass, slack } = await open()
    await as('U0FAY', 'schedule create "away list" --every 1h')
    const missed = () => slack.shown('U0FAY').map((one) => /(\d+) runs? did not/.exec(one)?.[1] ?? 'none')
    await pass(hour + 5 * 60_000)
    expect(missed()).toEqual(['none'])
    await pass(hour + 1)
    expect(missed()).toEqual(['none', '1'])
    await pass(2 * hour - 60_000)
    expect(missed()).toEqual(['none', '1', '1'])
    expect(slack.shown('U0FAY')[2]).toContain('run of 13 Nov 2026, 15:00 UTC')
    // Of very many, the last few are counted.
    await pass(100 * hour)
    expect(missed()).toEqual(['none', '1', '1', '20'])
    expect(slack.shown('U0FAY')[3]?.match(/\d\d:00 UTC/g)).toHaveLength(4)
  })

  it('runs at the last of several times that are over, if that is now', async () => {
    const { as, pass, slack } = await open()
    await as('U0FAY', 'schedule create "away list" --every 1h')
    await pass(2 * hour)
    const [only = '', ...more] = slack.shown('U0FAY')
    expect(only).toContain('1 run did not take place')
    expect(only).toContain('run of 13 Nov 2026, 13:00 UTC')
    expect(more).toEqual([])
  })

  it('is run by one of two that take it in the same moment; the other looks again after a second', async () => {
    const { as, slack, harness, clock } = await open()
    await as('U0FAY', 'schedule create "away list" --every 1h')
    const [schedule] = await harness.store.of(createSchedules).list()
    let woken = 0
    const core = { ...harness.app.core, wake: () => void woken++ }
    const run = () => runScheduled(core, schedule?.id ?? '')
    clock.now += hour - 1
    expect([await run(), await run()]).toEqual([clock.now + 1, clock.now + 1])
    clock.now += 1
    const next = await Promise.all([run(), run()])
    expect(next.toSorted()).toEqual([clock.now + 1_000, clock.now + hour])
    // Its post is brought at once.
    expect(woken).toBe(1)
    await harness.app.drain()
    expect(slack.shown('U0FAY')).toHaveLength(1)
  })

  it('that was given up for lost says nothing more when it ends after all', async () => {
    const { as, slack, harness, clock } = await open()
    await as('U0FAY', 'schedule create "archive get 5" --every 1h')
    const [schedule] = await harness.store.of(createSchedules).list()
    clock.now += hour
    const run = () => runScheduled(harness.app.core, schedule?.id ?? '')
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    meanwhile = () => {
      begun.resolve()
      return goOn.promise
    }
    const slow = run()
    await begun.promise
    await run()
    await harness.app.drain()
    expect(slack.shown('U0FAY')).toEqual([expect.stringContaining('1 run did not take place')])
    goOn.resolve()
    await slow
    meanwhile = async () => {}
    await harness.app.drain()
    expect(slack.shown('U0FAY')).toHaveLength(1)
  })

  it.each([
    [500_000, 500_000],
    [500_001, undefined],
    [1_000_001, undefined],
  ])('has a file of %i letters with it as %s', async (letters, posted) => {
    const { as, pass, files } = await open()
    await as('U0FAY', `schedule create "archive get ${letters}" --every 1h`)
    await pass(hour)
    expect(files.map((file) => file?.content.length)).toEqual([posted])
  })

  it('has no rights of a group while nobody can say who is in it', async () => {
    const { as, pass, slack, groups, harness } = await open()
    groups.set('U0SAM', ['S0READ'])
    await as('U0SAM', 'schedule create "report approvals" --every 1h')
    harness.app.join({ ...slack, membership: () => Promise.reject(later()) })
    await pass(hour)
    expect(slack.shown('U0SAM')).toEqual([expect.stringContaining('may run report approvals')])
  })

  it('says that a run was lost with the process that had begun it', async () => {
    const { as, pass, slack, harness } = await open()
    await as('U0FAY', 'schedule create "away list" --every 1h')
    const [schedule] = await harness.store.of(createSchedules).list()
    const { id, nextAt } = schedule ?? { id: '', nextAt: 0 }
    await harness.store
      .of(createSchedules)
      .begin(id, { at: nextAt, runningAt: nextAt, nextAt: nextAt + hour })
    await pass(hour)
    expect(slack.shown('U0FAY')).toEqual([expect.stringContaining('1 run did not take place')])
    await pass(hour)
    expect(slack.shown('U0FAY')).toHaveLength(2)
  })

  it('has the rights that the person has then', async () => {
    const { as, pass, slack, groups } = await open()
    groups.set('U0SAM', ['S0READ'])
    await as('U0SAM', 'schedule create "report approvals" --every 1h')
    await pass(hour)
    expect(slack.shown('U0SAM')[0]).toContain('0 requests')
    groups.set('U0SAM', [])
    await pass(hour)
    expect(slack.shown('U0SAM')[1]).toContain('may run report approvals')
  })

  it('is posted only where the person may read then', async () => {
    const { as, pass, slack, readers } = await open()
    expect(await as('U0FAY', 'schedule create "away list" --every 1h --in C0OTHER')).toMatchObject({
      refusal: { code: 'bad_value' },
    })
    await as('U0FAY', 'schedule create "away list" --every 1h --in C0ROOM')
    readers.set('C0ROOM', [])
    await pass(hour)
    expect(slack.shown('C0ROOM')).toEqual([])
    expect(slack.shown('U0FAY')[0]).toContain('you may not read that now')
  })

  it('goes to the person where the bot may not write in its channel, and says so', async () => {
    const { as, pass, slack } = await open()
    await as('U0FAY', 'schedule create "subscriber find --limit 5" --every 1h --in C0ROOM')
    slack.fail({ call: 'post', error: gone() })
    await pass(hour)
    expect(slack.shown('C0ROOM')).toEqual([])
    expect(slack.shown('U0FAY')).toContainEqual(expect.stringContaining('the bot may not write there'))
  })

  it('says below its own last line what it is of, and for when', async () => {
    const { as, pass, slack } = await open()
    await as('U0FAY', 'schedule create "subscriber find --limit 5" --every 1h')
    await pass(hour)
    expect(slack.shown('U0FAY')[0]).toMatch(
      /^Page 1 of 50.* · Schedule \S+ of Fay Finance: subscriber find --limit 5, .*, run of 13 Nov 2026, 12:00 UTC$/m,
    )
  })

  it('is posted when the messenger is back', async () => {
    const { as, pass, slack } = await open()
    await as('U0FAY', 'schedule create "away list" --every 1d')
    slack.fail({ call: 'direct', error: later(), times: 2 })
    await pass(day)
    await pass(60_000)
    await pass(60_000)
    expect(slack.shown('U0FAY')).toHaveLength(1)
  })

  it.each([
    ['"refund pay_1 20" --every 1h', 'bad_value'],
    ['"approval approve x" --every 1h', 'bad_value'],
    ['"bellhop console" --every 1h', 'bad_value'],
    ['"api call email POST /lists" --every 1h', 'bad_value'],
    ['"no such thing" --every 1h', 'unknown_command'],
    ['"subscriber get" --every 1h', 'missing_arguments'],
    ['"away list" --every sometimes', 'bad_value'],
    ['"away list" --every "monday 25:00"', 'bad_value'],
  ])('is refused as %s', async (rest, code) => {
    const { as } = await open()
    expect(await as('U0FAY', `schedule create ${rest}`)).toMatchObject({ refusal: { code } })
  })

  it('is refused where the person may not run it now', async () => {
    const { as } = await open()
    expect(await as('U0SAM', 'schedule create "audit find" --every 1h')).toMatchObject({
      refusal: { code: 'may_not_run' },
    })
  })
})

describe('the schedules of one person', () => {
  it.each(['1s', '9s', '9999ms'])('do not run every %s', async (every) => {
    const { as, harness } = await open()
    const refused = await as('U0FAY', `schedule create "away list" --every ${every}`)
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'bad_value' } })
    expect(await harness.store.of(createSchedules).list()).toEqual([])
  })

  it('are twenty, and others have theirs beside them', async () => {
    const { as, harness } = await open()
    for (let at = 0; at < 20; at++) await as('U0FAY', 'schedule create "away list" --every 1h')
    expect(await as('U0FAY', 'schedule create "away list" --every 1h')).toMatchObject({
      refusal: { code: 'too_many_requests', next: expect.stringContaining('schedule delete') },
    })
    expect(await as('U0SAM', 'schedule create "list find" --every 1h')).toMatchObject({ kind: 'change' })
    expect(await harness.store.of(createSchedules).list()).toHaveLength(21)
  })

  it('of before, that were shorter or more, run every ten seconds, and only twenty of them', async () => {
    const { as, pass, slack, clock, harness } = await open()
    await as('U0FAY', 'schedule create "away list" --every 1h')
    const [first] = await harness.store.of(createSchedules).list()
    if (first === undefined) throw new Error('nothing was scheduled')
    const nextAt = clock.now + 1_000
    for (let at = 1; at <= 20; at++) {
      const id = `old${String(at).padStart(2, '0')}`
      await harness.store.of(createSchedules).add({ ...first, id, every: '1s', at: clock.now + at, nextAt })
      await harness.store.tasks.put({ kind: 'schedule', key: `schedule:${id}`, doc: { id }, dueAt: nextAt })
    }
    for (let second = 0; second < 11; second++) await pass(1_000)
    const shown = slack.shown('U0FAY')
    expect(shown.filter((one) => one.includes('nobody has more that run'))).toHaveLength(1)
    // Nineteen of them run after one second and after eleven.
    expect(shown).toHaveLength(2 * 19 + 1)
    // What does not run says so once a day, or as seldom as it would run.
    const surplus = async (id: string, every: string, lateMs: number) => {
      const nextAt = clock.now - lateMs
      await harness.store.of(createSchedules).add({ ...first, id, every, at: clock.now, nextAt })
      return ((await runScheduled(harness.app.core, id)) ?? 0) - clock.now
    }
    expect(await surplus('more1', '1h', 30 * 60_000)).toBe(day)
    expect(await surplus('more2', '2d', 0)).toBe(2 * day)
    await harness.app.drain()
    expect(slack.shown('U0FAY').at(-2)).toContain('run of 13 Nov 2026, 10:30 UTC')
  })
})
