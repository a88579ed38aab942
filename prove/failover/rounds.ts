import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sentFile } from '../../src/kernel/claims/sent-log.ts'
import { entryKinds } from '../../src/kernel/model/checkpoint.ts'
import { ownCommand } from '../../src/kernel/store/audit-tree.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { ProveOptions } from '../proof.ts'
import { createRandom } from '../random.ts'
import { openLoad, withinMs } from './load.ts'
import { endHold, waitForAnswer } from './people.ts'
import type { Servers, Way } from './servers.ts'

export type FailoverFigures = {
  servers: string
  isSynchronous: boolean
  failovers: number
  killed: number
  approved: number
  sent: number
  twice: number
  lostEntries: number
  told: number
  silent: number
  putBack: number
  waits: number[]
  violations: string[]
}

export const failOverAgainAndAgain = async (
  { name, isSynchronous, open }: Way,
  failovers: number,
  { seed, sample, say }: ProveOptions,
): Promise<FailoverFigures> => {
  const random = createRandom(seed)
  const servers = await open({ isSynchronous })
  const load = await openLoad({ url: servers.url, random, lanes: sample ? 3 : 5 })
  const { fleet, places } = load
  const figures: FailoverFigures = {
    ...{ servers: name, isSynchronous, failovers: 0, killed: 0, approved: 0, sent: 0, twice: 0 },
    ...{ lostEntries: 0, told: 0, silent: 0, putBack: 0, waits: [], violations: [] },
  }
  const { violations } = figures
  try {
    for (let round = 1; round <= failovers; round++) {
      const before = violations.length
      await sleep(1_000 + random() * 1_500)
      if (!isSynchronous) {
        await servers.cut()
        await sleep(100 + random() * 600)
      }
      const victim = round % 3 === 0 ? places[round % 2] : undefined
      const beside = sleep(random() * 300).then(() => victim?.replica.kill())
      await servers.failOver()
      const waited = await waitForAnswer(fleet, withinMs.answer)
      if (waited === undefined) violations.push(`failover ${round}: nobody was answered within a minute`)
      else figures.waits.push(waited)
      await beside
      figures.failovers++
      if (victim !== undefined) {
        figures.killed++
        victim.replica = await fleet.add({ dataDir: victim.dataDir })
      }
      const missing = await lostEntries(servers)
      const lost = isSynchronous ? missing.filter(({ id }) => places.some(isKnownIn(id))) : missing
      figures.lostEntries += lost.length
      const since = Math.min(...lost.map(({ at }) => at))
      const told = lost.length === 0 ? undefined : await toldOf(fleet, since)
      if (told?.some((from) => from <= since)) figures.told++
      else if (told !== undefined) {
        figures.silent++
        const after = told.map((from) => `${from - since} ms too late`).join(', ') || 'nothing'
        const what = new Set(lost.map(({ kind, command }) => `${kind} ${command}`))
        violations.push(
          `failover ${round}: ${lost.length} entries lost (${[...what].join(', ')}), and people were told of ${after}`,
        )
      }
      if (!(await endHold(fleet, withinMs.told))) violations.push(`failover ${round}: the hold did not end`)
      await servers.heal()
      say(
        `${name}, ${isSynchronous ? 'synchronous' : 'asynchronous'}: failover ${round} of ${failovers}, ${lost.length} entries lost, answered after ${Math.round(waited ?? 0)} ms, ${violations.length} violations`,
      )
      violations.slice(before).forEach(say)
    }
    const { changes, sent, violations: broken } = await load.finish()
    violations.push(...broken)
    figures.approved = changes.filter(({ votes }) => votes.length > 0).length
    figures.sent = sent.size
    figures.twice = [...sent.values()].filter((times) => times > 1).length
    const entries = await fleet.store.audit.find({ limit: 1_000_000, changesOnly: true })
    figures.putBack = entries.filter(({ kind }) => kind === 'recovered').length
    if (isSynchronous && figures.lostEntries > 0)
      violations.push('something was lost with a standby that confirms')
    if (figures.sent === 0) violations.push('nothing was sent: nothing was tried')
    return { ...figures, violations: violations.map((each) => `${name}: ${each}`) }
  } finally {
    await load.close()
    await servers.close()
  }
}

/** What no standby had confirmed was stored for nobody: a server that dies meanwhile has it, and no process was told so. */
const isKnownIn =
  (id: string) =>
  ({ dataDir }: { dataDir: string }): boolean =>
    ['audit-steps.txt', sentFile].some((name) => {
      const file = join(dataDir, name)
      return existsSync(file) && readFileSync(file, 'utf8').includes(id)
    })

type Lost = { id: string; at: number; kind: string; command: string }

/** What the server that died had stored of the log, and the one in its place has not. */
const lostEntries = async (servers: Servers): Promise<Lost[]> => {
  const newest =
    'SELECT id, at::float8 AS at, kind, command FROM audit_log ORDER BY audit_log.at DESC LIMIT 2000'
  const stored = await servers.askDead<Lost>(newest)
  const ids = stored.map(({ id }) => `'${id}'`).join(', ')
  if (ids === '') return []
  const there = await servers.sql<{ id: string }>(`SELECT id FROM audit_log WHERE id IN (${ids})`)
  const found = new Set(there.map(({ id }) => id))
  return stored.filter(({ id }) => !found.has(id))
}

/** From when on something is lost as the record says, since that moment; waits for one that begins as early. */
const toldOf = async ({ store }: Fleet, since: number): Promise<number[]> => {
  for (const end = Date.now() + withinMs.told; ; await sleep(200)) {
    const own = { command: ownCommand, changesOnly: true, since, limit: 500 }
    const entries = await store.audit.find(own).catch(() => [])
    const told = entries.flatMap(({ kind, doc }) => (kind === entryKinds.storeLost ? Number(doc.since) : []))
    if (told.some((from) => from <= since) || Date.now() > end) return told
  }
}
