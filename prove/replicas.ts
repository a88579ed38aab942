import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabases } from './databases.ts'
import { converse, openCards, peopleOf, pressOpenCards, waitUntilSettled } from './fleet/conversation.ts'
import { type Fleet, openFleet } from './fleet/fleet.ts'
import { checkInvariants } from './fleet/invariants.ts'
import type { Proof, ProveOptions } from './proof.ts'
import { createRandom } from './random.ts'

type Round = { size: number; row: string[]; violations: string[] }

/** Two and four processes on one PostgreSQL, one of them killed in the middle. */
export const proveReplicas = async (options: ProveOptions): Promise<Proof> => {
  const databases = await openDatabases({ server: options.server })
  const rounds: Round[] = []
  try {
    if (!databases.engines.includes('postgres')) throw new Error('there is no PostgreSQL on this machine')
    for (const size of options.sample ? [2] : [2, 4]) {
      const place = await databases.fresh('postgres')
      const random = createRandom(options.seed + size)
      const fleet = await openFleet({ url: place.url ?? '', random })
      try {
        rounds.push(await runRound(fleet, size, random, options))
      } finally {
        await fleet.close()
        await place.remove()
      }
    }
  } finally {
    await databases.close()
  }
  return {
    title: 'Replicas',
    claim:
      'Whichever replica a delivery reaches, and however often it is delivered, one approval has one effect; when a replica dies, another takes its place.',
    figures: [
      `Each conversation: a refund, or every third time a voucher of the example pack, asked for in Slack or Discord (delivered one to three times), then approved by two people at the same moment, one in each messenger (delivered one to five times), over a balancer that sends every delivery to any replica. Seed ${options.seed}.`,
      'The service takes six seconds for the first of them, longer than the replicas leave a change to the one that took the last vote.',
      'In the middle the replica that holds the Discord gateway is killed with SIGKILL, and a new one is started.',
      'Whoever reads nothing for four seconds asks again, in other words; where the first request is taken up after all, both are approved, so there can be more refunds than conversations.',
    ],
    tables: [
      {
        head: [
          'replicas',
          'conversations',
          'applied',
          'unknown, said so',
          'requests never taken in',
          'money moved',
          'cards pressed once more after the kill',
          'cards left with buttons',
          'gateway taken over after',
        ],
        rows: rounds.map(({ row }) => row),
      },
    ],
    violations: rounds.flatMap(({ size, violations }) =>
      violations.map((each) => `${size} replicas, ${each}`),
    ),
  }
}

const runRound = async (
  fleet: Fleet,
  size: number,
  random: () => number,
  { sample, say }: ProveOptions,
): Promise<Round> => {
  const violations: string[] = []
  for (let at = 0; at < size; at++) await fleet.add()
  const people = peopleOf(fleet)
  const { gateway } = fleet.discord
  await until(() => gateway.connections() === 1, 10_000)
  await sleep(2_000)
  if (gateway.connections() !== 1) violations.push(`the gateway is held ${gateway.connections()} times`)

  const total = sample ? 8 : 60
  const numbers = Array.from({ length: total }, (_, at) => at)
  const told: Awaited<ReturnType<typeof converse>>[] = []
  let takenOverMs = 0
  const killed = (async () => {
    await until(() => told.length >= total / 3, 120_000)
    const [holder] = fleet.replicas
    const identified = gateway.identifies.length
    const at = Date.now()
    await holder?.kill()
    say(`${size} replicas: the one with the gateway is dead`)
    await until(() => gateway.identifies.length > identified && gateway.connections() === 1, 60_000)
    takenOverMs = Date.now() - at
    await fleet.add()
  })()
  // A service that takes its time leaves the others time to find the change and to want to do it as well.
  for (const row of ['refundPayment', 'createVoucher'])
    fleet.sandbox.fault({ row, kind: 'delay', ms: 6_000, times: sample ? 2 : 8 })
  await Promise.all(
    Array.from({ length: sample ? 4 : 6 }, async () => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
        told.push(await converse(fleet, people, { number, random, patienceMs: sample ? 10_000 : 4_000 }))
      }
    }),
  )
  await killed
  let changes = await waitUntilSettled(fleet, 60_000)
  // A card posted in the moment of the kill, and a command that was taken up after somebody had asked again: people press
  // what they see, and then it settles too.
  const after = openCards(fleet).length
  for (let again = 0; again < 3 && openCards(fleet).length > 0; again++) {
    await pressOpenCards(fleet, people)
    changes = await waitUntilSettled(fleet, 20_000)
  }
  const { violations: broken, count } = await checkInvariants(fleet, changes)
  violations.push(...broken)
  const left = openCards(fleet)
  const pending = changes.filter(({ state }) => state === 'pending').length
  if (pending > 0) violations.push(`${pending} requests are still waiting`)
  for (const card of left) violations.push(`a card still has its buttons: ${card}`)
  const unheard = told.filter(({ change }) => change === undefined).length
  if (unheard > 0) violations.push(`${unheard} requests were never taken in`)
  // The tests run beside others on the same machine, where nothing has a time.
  if (takenOverMs === 0 || (!sample && takenOverMs > 10_000))
    violations.push(`the gateway was taken over after ${takenOverMs} ms`)
  return {
    size,
    violations,
    row: [
      String(size),
      String(told.length),
      String(count.applied),
      String(count.unknown),
      String(unheard),
      String(count.effects),
      String(after),
      String(left.length),
      `${(takenOverMs / 1000).toFixed(1)} s`,
    ],
  }
}

const until = async (isTrue: () => boolean, ms: number): Promise<void> => {
  for (const end = Date.now() + ms; !isTrue() && Date.now() < end; ) await sleep(50)
}
