import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { createRateLimitedFetch } from '../adapters/slack/api/rate-limited-fetch.ts'
import { createUserGroups } from '../adapters/slack/api/user-groups.ts'
import { createUserZones } from '../adapters/slack/api/user-zones.ts'
import { createFence } from '../src/kernel/claims/claim-lease.ts'
import type { Core } from '../src/kernel/core.ts'
import { createEventLoopWatch } from '../src/kernel/load/event-loop-watch.ts'
import { createPlatformConnection } from '../src/kernel/messenger/connection.ts'
import { kept } from '../src/kernel/things/cache.ts'
import { after, isLately, type Tick, type Ticks, ticks, wallTime } from '../src/lib/clock.ts'
import { createReplayGuard } from '../src/lib/http/replay-guard.ts'
import { createAdmission } from '../src/lib/limits/admission.ts'
import { createTurns } from '../src/lib/limits/call-rate.ts'
import { createBreaker } from '../src/lib/services/client/breaker.ts'
import { createCaller } from '../src/lib/services/client/caller.ts'
import { startDeadline } from '../src/lib/services/client/deadline.ts'
import { defaultSettings } from '../src/lib/services/client/settings.ts'
import { rowById } from '../src/lib/services/endpoints/tables.ts'
import { answered } from '../src/lib/services/mcp/channel.ts'
import { createMcpConnection } from '../src/lib/services/mcp/connection.ts'
import { ticksOf } from './harness/ticks.ts'

afterEach(() => void vi.restoreAllMocks())

/** Both clocks that a part is given. */
type Clocks = { now: () => number; ticks: Ticks }
/** What a part says each time that it is asked. */
type Ask = (n: number) => unknown

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined } as never

/** Every part that paces, limits, pauses or keeps something for a while, by its file. A new one joins here. */
const measured: Record<string, (clocks: Clocks) => Ask> = {
  'src/lib/limits/admission.ts': ({ ticks }) => {
    const admission = createAdmission(ticks, { burst: 2, aMinute: 1, textAnHour: 1_000 })
    return (n) => {
      if (n % 3 === 0) admission.limited()
      return [admission.isTooOften('ann'), admission.isTooMuchText('ann', 500), admission.cardAfterMs('ann')]
    }
  },
  'src/lib/services/client/breaker.ts': ({ ticks }) => {
    const breaker = createBreaker({ failures: 2, openMs: 60_000 }, ticks)
    return (n) => {
      const entered = breaker.enter()
      if ('probe' in entered) breaker.report(entered, n % 4 === 3 ? 'ok' : 'failed')
      return [entered, breaker.state()]
    }
  },
  'src/lib/services/client/deadline.ts': ({ ticks }) => {
    const deadline = startDeadline(2 ** 30, ticks, [])
    return () => {
      const left = deadline.leftMs()
      deadline.stop()
      return left
    }
  },
  'src/lib/services/client/caller.ts': ({ now, ticks }) => {
    const caller = createCaller(
      {
        send: async () => ({
          end: 'answered',
          left: true,
          status: 429,
          headers: { 'retry-after': '60' },
          body: Buffer.from('{}'),
        }),
        expect: () => undefined,
        close: async () => undefined,
      } as never,
      {
        settings: { ...defaultSettings, retries: 0 },
        log: quiet,
        now,
        ticks,
        random: () => 0,
        observe: () => undefined,
        redact: (words) => words,
        closing: new AbortController().signal,
      },
    )
    const named = rowById('chat.contactLists')
    return async () => {
      const call = caller.call(named, {}, { deadlineMs: 1_000 })
      return [await call.catch(({ kind, retryAfterMs }) => [kind, retryAfterMs]), caller.pausedForMs()]
    }
  },
  'src/lib/limits/call-rate.ts': ({ ticks }) => {
    const take = createTurns(ticks)
    return () => take({ id: 'bot', rate: 2 })
  },
  'src/lib/http/replay-guard.ts': ({ ticks }) => {
    const isReplay = createReplayGuard(300_000, ticks)
    return (n) => isReplay(`abcdef${n % 2}`)
  },
  'src/kernel/messenger/connection.ts': ({ now, ticks }) => {
    const one = createPlatformConnection({
      platform: 'any',
      name: 'api',
      brings: 'answers',
      log: quiet,
      now,
      ticks,
    })
    let asked = ticks()
    return (n) => {
      if (n % 4 === 1) one.refused('the token is not taken')
      else if (n % 4 === 2) one.heldBack(60_000)
      else one.connected(n % 2 === 0 ? asked : undefined)
      asked = ticks()
      const { state, isHeldBack } = one.report()
      return [state, isHeldBack]
    }
  },
  'src/kernel/load/event-loop-watch.ts': ({ ticks }) => {
    const told: unknown[] = []
    const watch = createEventLoopWatch({ log: quiet, count: (event) => told.push(event) }, ticks, () => 0)
    let one = watch.begin('work')
    return () => {
      one.isOver()
      one = watch.begin('work')
      one.isOver()
      one = watch.begin('work')
      const said = [...told]
      one.isOver()
      return said.length
    }
  },
  'src/kernel/claims/claim-lease.ts': ({ ticks }) => {
    const fence = createFence(
      { timings: { lifeMs: 120_000 } as never, ticks },
      { renew: async () => true, keep: async () => undefined },
      ticks,
    )
    return async (n) => {
      const isFresh = fence.isFresh()
      if (n % 2 === 0) await fence.renew()
      return isFresh
    }
  },
  'src/kernel/things/cache.ts': ({ ticks }) => {
    const core = { services: {}, ticks } as Core
    let reads = 0
    return async () => kept(core, 'lists', async () => ++reads)
  },
  'src/lib/services/mcp/connection.ts': ({ ticks }) => {
    let looks = 0
    const connection = createMcpConnection({
      pinned: [],
      open: () => ({
        send: async (message) => {
          if (message.method === 'tools/list') looks += 1
          const result = { protocolVersion: '2025-11-25', tools: [] }
          return answered(JSON.stringify({ jsonrpc: '2.0', id: message.id ?? null, result }))
        },
        agree: () => undefined,
        close: async () => undefined,
      }),
      settings: defaultSettings,
      ticks,
      closing: new AbortController().signal,
    })
    return async () => [await connection.list(), looks]
  },
  'adapters/slack/api/rate-limited-fetch.ts': ({ ticks }) => {
    let asked = 0
    const send = async () => {
      asked += 1
      return new Response('', { status: 429, headers: { 'retry-after': '60' } })
    }
    const paced = createRateLimitedFetch(send, ticks)
    return async () => [(await paced('https://example.org/x')).headers.get('retry-after'), asked]
  },
  'adapters/slack/api/user-zones.ts': ({ ticks }) => {
    let asked = 0
    const web = { users: { info: async () => ({ user: { tz: `zone ${++asked}` } }) } }
    const zoneOf = createUserZones(web as never, ticks)
    return async () => zoneOf('U1')
  },
  'adapters/slack/api/user-groups.ts': ({ ticks }) => {
    let asked = 0
    const list = async () => ({ users: ++asked % 2 === 0 ? [] : ['U1'] })
    const groups = createUserGroups({ usergroups: { users: { list } } } as never, ['S1'], quiet, { ticks })
    return async () => [await groups.of('U1'), asked]
  },
}

/** Those that a test cannot drive by itself: each is driven by the tests of its own, and by its types it takes no wall time. */
const drivenElsewhere = [
  'adapters/console/console.ts',
  'adapters/console/panel.ts',
  'adapters/discord/transport/gateway.ts',
  'adapters/mcp/issuer.ts',
  'adapters/mcp/wait.ts',
  'adapters/slack/home/home-tab.ts',
  'adapters/slack/install/installations.ts',
  'adapters/slack/install/workspaces.ts',
  'adapters/slack/transport/delivery-queue.ts',
  'adapters/slack/transport/slack-socket.ts',
  'adapters/slack/transport/socket-mode.ts',
  'commands/person/look.ts',
  'src/kernel/change/ask-members.ts',
  'src/kernel/log/sequencer.ts',
  'src/cli/say/ticker.ts',
  'src/kernel/request/present.ts',
  'src/lib/retry.ts',
  'src/lib/services/client/connect-ahead.ts',
  'src/lib/services/mcp/tokens.ts',
  'src/kernel/store/database/open-up-to-date.ts',
  'src/lib/sql/pool.ts',
  'src/lib/sql/postgres.ts',
  'src/lib/sql/sqlite.ts',
  'src/lib/sql/shared-clock.ts',
  'src/kernel/loss/others.ts',
  'src/kernel/tasks/worker.ts',
]

it('every file that measures with ticks is driven under a clock that steps, or named with those that are driven elsewhere', () => {
  // What a feature measures is driven by the tests of the feature.
  const measuring = globSync('{src,adapters,packs,commands}/**/*.ts').filter((file) => {
    if (file.startsWith('src/features/')) return false
    const imported = /import \{([^}]*)\} from '[./]*(?:src\/)?(?:lib\/)?clock\.ts'/.exec(
      readFileSync(file, 'utf8'),
    )?.[1]
    return /\b(after|msBetween|latest)\b/.test(imported ?? '')
  })
  expect(measuring.toSorted()).toEqual([...Object.keys(measured), ...drivenElsewhere].toSorted())
})

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const steps = fc.array(
  fc.record({
    passesMs: fc.constantFrom(0, 1, 500, 20_000, minute, hour),
    wallStepsMs: fc.constantFrom(0, -minute, minute, -hour, hour, -day, day),
  }),
  { minLength: 1, maxLength: 12 },
)
const began = Date.UTC(2026, 10, 19)

/** What is said while so much time passes, and the wall clock steps besides, or not. */
const said = async (
  make: (clocks: Clocks) => Ask,
  events: readonly { passesMs: number; wallStepsMs: number }[],
  isStepping: boolean,
): Promise<unknown[]> => {
  let passed = 0
  let off = 0
  const now = () => began + passed + off
  const wall = vi.spyOn(Date, 'now').mockImplementation(now)
  const ask = make({ now, ticks: ticksOf(() => passed) })
  const answers = []
  for (const [n, { passesMs, wallStepsMs }] of events.entries()) {
    passed += passesMs
    if (isStepping) off += wallStepsMs
    answers.push(await ask(n))
  }
  wall.mockRestore()
  return answers
}

it.each(Object.entries(measured))(
  'a step of the wall clock by a minute, an hour or a day, both ways, changes nothing in %s',
  async (_, make) => {
    await fc.assert(
      fc.asyncProperty(steps, async (events) => {
        expect(await said(make, events, true)).toEqual(await said(make, events, false))
      }),
      { numRuns: 40 },
    )
  },
)

it('nobody is shut out by an hour back after one command an hour ahead', async () => {
  const back = [
    { passesMs: 0, wallStepsMs: hour },
    { passesMs: 1, wallStepsMs: -hour },
  ]
  const answers = await said(measured['src/lib/limits/admission.ts'] as (clocks: Clocks) => Ask, back, true)
  expect(answers.flatMap((answer) => (answer as unknown[])[0])).toEqual([false, false])
})

it('wall time and ticks do not mix', () => {
  const takesTicks = (_: Ticks): void => undefined
  const at: Tick = ticks()
  // @ts-expect-error wall time is no tick
  takesTicks(wallTime)
  // @ts-expect-error nor is it a moment among ticks
  after(wallTime(), 1)
  // @ts-expect-error a tick cannot be compared with wall time
  expect(at < wallTime()).toBeTypeOf('boolean')
  // @ts-expect-error nor added to
  expect(at + 1).toBeTypeOf('number')
  // @ts-expect-error nor stand where wall time is meant
  expect(isLately(at, 1, wallTime())).toBeTypeOf('boolean')
})

it('a stored moment that is still to come was told by a wrong clock, and keeps nobody waiting', () => {
  expect([0, 999, 1_000, 5_000, -1, -hour].map((age) => isLately(began - age, 1_000, began))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
