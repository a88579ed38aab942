import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '../src/kernel/model/change.ts'
import { type FaultRule, faultKinds } from '../src/lib/sandbox/server/faults.ts'
import { crashCluster, haltCluster, stopCluster } from '../test/harness/postgres.ts'
import { openOwnCluster } from './databases.ts'
import {
  type ConversationResult,
  converse,
  openCards,
  peopleOf,
  waitUntilSettled,
} from './fleet/conversation.ts'
import { type Fleet, openFleet, rooms } from './fleet/fleet.ts'
import { checkInvariants } from './fleet/invariants.ts'
import type { Proof, ProveOptions } from './proof.ts'
import { createRandom, pick } from './random.ts'

/** How long the database is away. */
const awayMs = 4_000

/** Two replicas under load while the services misbehave at random and the database is stopped and started. */
export const proveChaos = async ({ sample, seed, say }: ProveOptions): Promise<Proof> => {
  const cluster = await openOwnCluster()
  if (cluster === null) throw new Error('there is no PostgreSQL on this machine')
  const random = createRandom(seed)
  const fleet = await openFleet({ url: cluster.url, random })
  const faults: Record<string, number> = {}
  const runMs = sample ? 6_000 : 120_000
  try {
    await fleet.add()
    await fleet.add()
    const people = peopleOf(fleet)
    const until = Date.now() + runMs
    const isOn = () => Date.now() < until
    const told: ConversationResult[] = []
    const looks: LookUp[] = []
    let number = 0
    const misbehave = async () => {
      while (isOn()) {
        const fault = randomFault(random)
        faults[fault.kind] = (faults[fault.kind] ?? 0) + 1
        fleet.sandbox.fault(fault)
        await sleep(250)
      }
      fleet.sandbox.clearFaults()
    }
    const stopDatabase = async () => {
      await sleep(runMs / 2)
      say('the database is stopped')
      haltCluster(cluster.bin, cluster.folder)
      await sleep(awayMs)
      crashCluster(cluster.bin, cluster.folder)
      say('the database is back')
    }
    const talk = async () => {
      while (isOn()) told.push(await converse(fleet, people, { number: ++number, random, patienceMs: 6_000 }))
    }
    const look = async () => {
      while (isOn()) {
        looks.push(startLookUp(fleet, people.asks.slack))
        await sleep(200)
      }
    }
    await Promise.all([misbehave(), stopDatabase(), look(), ...Array.from({ length: sample ? 3 : 6 }, talk)])
    const changes = await waitUntilSettled(fleet, 90_000)
    const { violations, count } = await checkInvariants(fleet, changes)
    // A look-up may take its whole deadline, and the queue before it another.
    await waitFor(() => looks.every(isAnswered), 30_000)
    const unanswered = looks.filter((one) => !isAnswered(one)).length
    if (unanswered > 0) violations.push(`${unanswered} look-ups were acknowledged and never answered`)
    for (const { answered, description, change } of told) {
      const became = change === undefined ? 'it was not taken in' : `it is ${change.state}`
      if (!answered) violations.push(`${description} got no answer from any replica: ${became}`)
    }
    const ended = changes.filter(({ state }) => state !== 'pending')
    const untold = ended.filter((change) => !isRequesterTold(fleet, change))
    if (untold.length > 0)
      violations.push(`${untold.length} requesters were not told the end: ${untold[0]?.id}`)
    const open = openCards(fleet).length
    const pending = changes.length - ended.length
    if (open > 0 && pending === 0) violations.push(`${open} cards still have their buttons`)
    return {
      title: 'Chaos',
      claim:
        'Whatever the services and the database do, money moves at most once per approval, everybody gets an answer, and the record is whole.',
      figures: [
        `${runMs / 1000} s of load on two replicas, ${Object.values(faults).reduce((sum, n) => sum + n, 0)} faults at random from seed ${seed}; PostgreSQL stopped without warning in the middle and started ${awayMs / 1000} s later.`,
        `${told.length} refunds and vouchers asked for and approved by two people at once; ${looks.length} look-ups beside them, all answered.`,
        `Ends: ${count.applied} applied, ${count.failed} failed with nothing done, ${count.unknown} unknown and said so, ${count.other} other (${pending} still waiting for a vote). Money moved ${count.effects} times.`,
      ],
      tables: [
        {
          caption: 'Faults that the services were told to have, each for one to three requests',
          head: ['fault', 'times'],
          rows: Object.entries(faults).map(([kind, times]) => [kind, String(times)]),
        },
      ],
      violations,
    }
  } finally {
    await fleet.close()
    await stopCluster(cluster.folder)
  }
}

const randomFault = (random: () => number): FaultRule => {
  const kind = pick(random, faultKinds)
  return {
    kind,
    service: pick(random, ['billing', 'billing', 'email', 'tickets'] as const),
    times: 1 + Math.floor(random() * 3),
    ...(kind === 'delay' ? { ms: Math.floor(random() * 3_000) } : {}),
    ...(kind === 'status' ? { status: pick(random, [400, 404, 409, 500, 502, 503]) } : {}),
    ...(kind === 'rate_limit' ? { retryAfter: 1 } : {}),
  }
}

type LookUp = { responseUrl: { uses: number } | undefined; status: number | undefined }

/** A look-up in Slack; the line is the response_url that came with it. */
const startLookUp = (fleet: Fleet, person: ReturnType<typeof peopleOf>['asks']['slack']): LookUp => {
  const delivered = person.types('/subscriber get ada@example.com', rooms.slack)
  const look: LookUp = { responseUrl: [...fleet.slack.state.responseUrls.values()].at(-1), status: undefined }
  delivered.then(
    ({ status }) => {
      look.status = status
    },
    () => {
      look.status = 0
    },
  )
  return look
}

/** A delivery that no replica took is Slack's to report. */
const isAnswered = ({ responseUrl, status }: LookUp): boolean =>
  (responseUrl?.uses ?? 0) > 0 || (status !== undefined && status !== 200)

/** Whoever is told the end can open the receipt or the details of that change. */
const isRequesterTold = ({ slack, discord }: Fleet, { id }: Change): boolean =>
  slack.state.messages.some(
    ({ channel, blocks }) => channel.startsWith('D') && JSON.stringify(blocks).includes(id),
  ) ||
  [...discord.state.messages.values()].some(
    ({ channel, body }) =>
      channel !== rooms.discord && channel !== rooms.discordApprovals && JSON.stringify(body).includes(id),
  )

const waitFor = async (isTrue: () => boolean, ms: number): Promise<void> => {
  for (const end = Date.now() + ms; !isTrue() && Date.now() < end; ) await sleep(100)
}
