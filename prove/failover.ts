import { openPatroni, patroniIsHere } from './failover/patroni.ts'
import { type FailoverFigures, failOverAgainAndAgain } from './failover/rounds.ts'
import { openTwo, type Way } from './failover/servers.ts'
import { proveSieges } from './failover/sieges.ts'
import type { Proof, ProveOptions } from './proof.ts'

const two = { name: 'two servers', open: openTwo }
const three = { name: 'three with Patroni and etcd', open: openPatroni }

/** Replicas under load while the database moves from server to server, and processes of ours are killed beside it. */
export const proveFailover = async (options: ProveOptions): Promise<Proof> => {
  const many = options.many ?? 100
  const isThree = !options.sample && patroniIsHere()
  const ways: Way[] = (isThree ? [two, three] : [two]).flatMap((servers) => [
    { ...servers, isSynchronous: false },
    { ...servers, isSynchronous: true },
  ])
  const failovers = options.sample ? 1 : Math.max(1, Math.round(many / ways.length))
  const run = (way: Way, at: number): Promise<FailoverFigures> =>
    failOverAgainAndAgain(way, failovers, { ...options, seed: options.seed + at })
  // How long people wait is measured alone; a sample mostly waits.
  const figures = options.sample ? await Promise.all(ways.map(run)) : []
  if (!options.sample) for (const [at, way] of ways.entries()) figures.push(await run(way, at))
  const sieges = options.sample ? undefined : await proveSieges(options)
  return {
    title: 'Failovers',
    claim:
      'When the database moves to another server, nothing is sent twice, and whatever it lost on the way is noticed and told; with synchronous replication nothing is lost.',
    figures: [
      `${figures.reduce((sum, { failovers }) => sum + failovers, 0)} failovers under load, the primary killed without a word; refunds and vouchers are asked for and approved all the while in both messengers, by two replicas with a folder each, of which one is killed beside every third failover. Seed ${options.seed}.`,
      'Without synchronous replication the standby is cut off 0.1 to 0.7 s before, and has that much less. What was stored is read from the dead primary afterwards, entry by entry, and compared.',
      'A loss that nobody was told of, or something on the wire that is on no record afterwards, is a violation; so is a second request for the same.',
      ...(isThree || options.sample
        ? []
        : ['Patroni and etcd are not on this machine: not tried with them.']),
    ],
    tables: [
      {
        head: [
          'servers',
          'replication',
          'failovers',
          'processes killed beside',
          'approved',
          'sent',
          'sent twice',
          'lost entries of the log',
          'losses told',
          'silent losses',
          'put back as unknown',
          'first command answered after, median',
          'longest',
        ],
        rows: figures.map((one) => [
          one.servers,
          one.isSynchronous ? 'synchronous' : 'asynchronous',
          String(one.failovers),
          String(one.killed),
          String(one.approved),
          String(one.sent),
          String(one.twice),
          String(one.lostEntries),
          String(one.told),
          String(one.silent),
          String(one.putBack),
          ...tellWaits(one.waits),
        ]),
      },
      ...(sieges === undefined ? [] : [sieges.table]),
    ],
    violations: [...figures.flatMap(({ violations }) => violations), ...(sieges?.violations ?? [])],
  }
}

/** The one in the middle, and the longest. */
const tellWaits = (waits: readonly number[]): [string, string] => {
  const sorted = waits.toSorted((one, other) => one - other)
  const seconds = (ms: number | undefined) => (ms === undefined ? '-' : `${(ms / 1_000).toFixed(1)} s`)
  return [seconds(sorted[Math.floor(sorted.length / 2)]), seconds(sorted.at(-1))]
}
