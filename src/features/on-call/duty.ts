import type { MembersOutside } from '../../kernel/policy/outside-groups.ts'
import type { Person, Policy } from '../../kernel/policy/policy.ts'
import { after, longAgo, msBetween, type Tick, type Ticks } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { orAfter } from '../../lib/retry.ts'
import { askSchedule, type DutySettings, ScheduleError } from './ask.ts'
import { type DutySource, dutySources } from './sources.ts'

const freshMs = 60_000
/** Who was on duty stays it for so long while nobody says who is: an outage keeps no role forever. */
const staleMs = 10 * 60_000
/** A schedule that did not answer is asked again after this, or when it says. */
const againMs = 20_000
/** A click has three seconds for its form; who has waited long enough goes by what is known. */
const maxWaitMs = 1_500

type Schedule = { source: DutySource; id: string; roles: readonly string[] }
type Known = { addresses: ReadonlySet<string>; at: Tick; next: Tick }

export const schedulesIn = ({ groups }: Pick<Policy, 'groups'>): Schedule[] =>
  dutySources.flatMap((source: DutySource) =>
    Object.entries(groups[source.name] ?? {}).map(([id, roles]) => ({ source, id, roles })),
  )

/** Who is on duty, as this process was told: asked as it is needed, once a minute for each schedule. */
export const createDuty = (
  settings: DutySettings,
  { log, ticks, waitMs: patienceMs = maxWaitMs }: { log: Pick<Log, 'warn'>; ticks: Ticks; waitMs?: number },
): MembersOutside => {
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<void>>()
  const nobody: Known = { addresses: new Set(), at: longAgo, next: longAgo }
  let last: { of: Policy; key: string; policy: Policy } | undefined

  /** Whoever comes while it is asked waits no longer than the first. */
  const ask = async ({ source, id }: Schedule, key: string): Promise<void> => {
    try {
      const addresses = await askSchedule(source, settings, id)
      known.set(key, { addresses, at: ticks(), next: after(ticks(), freshMs) })
    } catch (error) {
      const isTold = error instanceof ScheduleError
      const waitMs = Math.max(againMs, (isTold ? error.retryAfterMs : undefined) ?? 0)
      known.set(key, { ...(known.get(key) ?? nobody), next: after(ticks(), waitMs) })
      const why = isTold ? { why: error.message } : { err: error }
      log.warn({ group: key, ...why }, 'who is on duty is not known')
    } finally {
      asking.delete(key)
    }
  }

  return {
    refresh: (policy) => {
      const due = schedulesIn(policy).filter((one) => (known.get(keyOf(one)) ?? nobody).next <= ticks())
      if (due.length === 0) return undefined
      const running = due.map((one) => {
        const key = keyOf(one)
        const asked = asking.get(key) ?? orAfter(patienceMs, undefined, ask(one, key))
        asking.set(key, asked)
        return asked
      })
      return Promise.all(running).then(() => undefined)
    },
    within: (policy) => {
      const now = ticks()
      const onDuty = schedulesIn(policy).flatMap((one) => {
        const { addresses, at } = known.get(keyOf(one)) ?? nobody
        return addresses.size === 0 || msBetween(at, now) >= staleMs ? [] : [{ one, addresses }]
      })
      if (onDuty.length === 0) return policy
      const key = JSON.stringify(onDuty.map(({ one, addresses }) => [keyOf(one), [...addresses]]))
      if (last?.of !== policy || last.key !== key) {
        const people = policy.people.map((person) => withDuty(person, onDuty))
        last = { of: policy, key, policy: { ...policy, people } }
      }
      return last.policy
    },
  }
}

const keyOf = ({ source: { name }, id }: Pick<Schedule, 'source' | 'id'>): string => `${name}:${id}`

const withDuty = (
  person: Person,
  onDuty: readonly { one: Schedule; addresses: ReadonlySet<string> }[],
): Person => {
  const { address, roles } = person
  const own = address === undefined ? [] : onDuty.filter(({ addresses }) => addresses.has(address))
  if (own.length === 0) return person
  return {
    ...person,
    roles: [...new Set([...roles, ...own.flatMap(({ one }) => one.roles)])],
    within: own.map(({ one }) => keyOf(one)),
  }
}
