import { z } from 'zod'
import {
  after,
  bootId,
  msBetween,
  ticks as systemTicks,
  type Ticks,
  tickOfUptime,
  ticksAsleep,
  uptimeOf,
  wallTime,
} from '../clock.ts'
import type { Database } from './database.ts'
import { json } from './sql.ts'

/**
 * The time of all processes on one database: what is due, leased and held is decided by it. It follows the clock of the
 * PostgreSQL server, or of the machine that an embedded database is on, and only goes forward: when that clock steps, it goes
 * on as if nothing had happened, all processes alike, and comes back to it little by little.
 */
export type SharedClock = {
  now(): number
  /** Looks at the clock that it follows; whoever holds leases does with every heartbeat. Gives a step that was just noticed. */
  check(): Promise<number | undefined>
}

/** What was agreed when the clock that is followed stepped: at `ref` by it, it was `bot` by the shared clock. */
const agreed = z.object({
  ref: z.number(),
  bot: z.number(),
  /** Of an embedded database: which start of the machine that was in, and how long after it. */
  boot: z.string().optional(),
  up: z.number().optional(),
  /** The last step that was noticed, and when. */
  step: z.number().optional(),
  at: z.number().optional(),
})
export type AgreedClock = z.infer<typeof agreed>

const clockLimits = {
  /** Less than this is no step: it may be the way to the server, or a clock that is being set right. */
  stepMs: 2_500,
  /** Of a process that is alive, at most so much of its lease is over. */
  aliveMs: 4_000,
  /** By more than this no clock is wrong that anything was begun with: its new time is taken. */
  absurdMs: 7 * 24 * 3_600_000,
  /** How much slower, or faster, it goes while it comes back. */
  slower: 0.2,
  faster: 0.1,
  /** So long after it stepped forward it is not yet followed, whatever is open: leases of that time are over then. */
  leasesMs: 60_000,
  /** How old what an embedded database remembers of its clock may be. */
  rememberMs: 30_000,
}

type Clocks = { wall: () => number; ticks: Ticks; asleep: Ticks }

const name = 'clock'
const forever = 8_640_000_000_000_000

const row = z.object({ at: z.number().nullable(), text: z.string().nullable() })
const countRow = z.object({ n: z.number() })

export const openSharedClock = async (
  db: Database,
  { wall = wallTime, ticks = systemTicks, asleep = ticksAsleep }: Partial<Clocks> = {},
): Promise<SharedClock> => {
  const isEmbedded = db.engine === 'sqlite'
  /** What both clocks said when they were last looked at, and what was agreed then. */
  let last = { tick: ticks(), asleep: asleep(), ref: 0, bot: 0, rate: 1 }
  let known: { text: string | null; agreed: AgreedClock | undefined } = { text: null, agreed: undefined }
  let given = 0

  const read = async () => {
    const asked = ticks()
    const [found] = await db.together.all(
      row,
      isEmbedded
        ? 'SELECT NULL AS at, (SELECT owner FROM leases WHERE name = $1) AS text'
        : `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS at,
             (SELECT owner FROM leases WHERE name = $1) AS text`,
      [name],
    )
    const tookMs = msBetween(asked, ticks())
    const text = found?.text ?? null
    return { ref: found?.at ?? wall(), tookMs, text, agreed: readAgreed(text) }
  }
  const follow = (ref: number, bot: number, rate: number) => {
    last = { tick: ticks(), asleep: asleep(), ref, bot, rate }
  }
  const adopt = (ref: number, next: typeof known) => {
    known = next
    const { apart, rate } = apartAt(next.agreed, ref)
    follow(ref, ref + apart, rate)
  }
  /** Of several that notice the same, one agrees with itself, and the others with it. */
  const agree = async (next: AgreedClock): Promise<void> => {
    const text = JSON.stringify(next)
    const stored =
      known.text === null
        ? await db.run(
            'INSERT INTO leases (name, owner, ends_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
            [name, text, forever],
          )
        : await db.run('UPDATE leases SET owner = $2 WHERE name = $1 AND owner = $3', [
            name,
            text,
            known.text,
          ])
    if (stored === 1) return adopt(next.ref, { text, agreed: next })
    const seen = await read()
    adopt(seen.ref, seen)
  }
  const now = (): number => {
    const at = Math.round(last.bot + msBetween(last.tick, ticks()) * last.rate)
    // What was learned since may be a moment less.
    given = at < given && given - at < clockLimits.stepMs ? given : at
    return given
  }
  const check = async (): Promise<number | undefined> => {
    const { ref, tookMs, ...seen } = await read()
    if (seen.text !== known.text) {
      adopt(ref, seen)
      return undefined
    }
    const passed = msBetween(last.asleep, asleep())
    const step = ref - last.ref - passed
    if (Math.abs(step) <= clockLimits.stepMs + tookMs) {
      adopt(ref, seen)
      if (await mayFollow(ref)) await agree({ ...remembered(ref), bot: ref })
      else if (isEmbedded && ref - (known.agreed?.ref ?? 0) > clockLimits.rememberMs)
        await agree(remembered(ref))
      return undefined
    }
    const wouldBe = ref + apartAt(known.agreed, ref).apart
    if (!isEmbedded && step > 0 && (await othersAreAliveAt(db, wouldBe))) {
      // It was this process that stood still, and its machine with it.
      adopt(ref, seen)
      return undefined
    }
    const isAbsurd = Math.abs(step) > clockLimits.absurdMs
    const bot = isAbsurd ? ref : Math.round(last.bot + passed * last.rate)
    await agree({ ...remembered(ref), bot, step, at: ref })
    return step
  }
  /** Where nothing is open that would be over too early, there is nothing to come back for little by little. */
  const mayFollow = async (ref: number): Promise<boolean> => {
    if (apartAt(known.agreed, ref).apart >= 0 || ref - (known.agreed?.at ?? 0) < clockLimits.leasesMs)
      return false
    const [found] = await db.all(
      countRow,
      "SELECT COUNT(*) AS n FROM (SELECT id FROM changes WHERE state IN ('pending', 'approved', 'applying') LIMIT 1) AS open",
    )
    return found?.n === 0
  }
  const remembered = (ref: number): AgreedClock => {
    const { step, at } = known.agreed ?? {}
    const { apart } = apartAt(known.agreed, ref)
    const boot = isEmbedded ? bootId() : undefined
    return {
      ref,
      bot: Math.round(ref + apart),
      ...(boot !== undefined && { boot, up: uptimeOf(asleep()) }),
      ...(step !== undefined && { step, at }),
    }
  }

  const first = await read()
  adopt(first.ref, first)
  if (isEmbedded) {
    const { agreed: before } = first
    // In the same start of the machine it is known how long ago that was.
    if (before?.up !== undefined && before.boot === bootId()) {
      const tick = tickOfUptime(before.up)
      last = {
        tick: after(ticks(), -msBetween(tick, asleep())),
        asleep: tick,
        ref: before.ref,
        bot: before.bot,
        rate: 1,
      }
      await check()
    } else if (
      before !== undefined &&
      first.ref < before.ref &&
      before.ref - first.ref < clockLimits.absurdMs
    )
      await agree({ ...remembered(first.ref), bot: before.bot, step: first.ref - before.ref, at: first.ref })
    else await agree(remembered(first.ref))
  }
  return { now, check }
}

/** How far apart the two clocks still are, and how fast the shared one goes. */
const apartAt = (at: AgreedClock | undefined, ref: number): { apart: number; rate: number } => {
  if (at === undefined || at.bot === at.ref) return { apart: 0, rate: 1 }
  const began = at.bot - at.ref
  const passed = Math.max(0, ref - at.ref)
  const { slower, faster } = clockLimits
  const apart = began > 0 ? Math.max(0, began - passed * slower) : Math.min(0, began + passed * faster)
  return { apart, rate: apart > 0 ? 1 - slower : apart < 0 ? 1 + faster : 1 }
}

const readAgreed = (text: string | null): AgreedClock | undefined => {
  const read = json.pipe(agreed).safeParse(text ?? '')
  return read.success ? read.data : undefined
}

const othersAreAliveAt = async (db: Database, at: number): Promise<boolean> => {
  const [found] = await db.all(
    countRow,
    "SELECT COUNT(*) AS n FROM leases WHERE name LIKE 'process:%' AND ends_at > $1",
    [at + clockLimits.aliveMs],
  )
  return (found?.n ?? 0) > 0
}

/** What was agreed last, for whoever says how the clocks are: how far apart they are now, and the last step. */
export const clockState = async (
  db: Database,
  wall = wallTime,
): Promise<{ aheadMs: number; fromMachineMs: number; step: number | undefined; at: number | undefined }> => {
  const [found] = await db.all(
    row,
    db.engine === 'sqlite'
      ? 'SELECT NULL AS at, (SELECT owner FROM leases WHERE name = $1) AS text'
      : `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS at,
           (SELECT owner FROM leases WHERE name = $1) AS text`,
    [name],
  )
  const ref = found?.at ?? wall()
  const known = readAgreed(found?.text ?? null)
  return {
    aheadMs: apartAt(known, ref).apart,
    fromMachineMs: ref - wall(),
    step: known?.step,
    at: known?.at,
  }
}
