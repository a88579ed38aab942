import { existsSync } from 'node:fs'
import { type CheckResult, checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
import { entryKinds } from '../../kernel/model/checkpoint.ts'
import { lossIn } from '../../kernel/model/store-loss.ts'
import { ownCommand } from '../../kernel/store/audit-tree.ts'
import type { ReplicaFacts } from '../../kernel/store/replicas.ts'
import { createStore, type Store } from '../../kernel/store/store.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { wallTime } from '../../lib/clock.ts'
import { databaseFileIn, openDatabase } from '../../lib/sql/open.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { absolute } from '../../lib/view/format.ts'
import type { Config } from '../start/config.ts'

const dayMs = 24 * 3_600_000
const maxDays = 90

/**
 * What is found in the database of a bot that has run. Nothing where there is none yet; what is wrong with it is said by
 * its own check, and an older one has fewer tables.
 */
export const fromStore = async (
  database: Config['database'],
  look: (store: Store) => Promise<CheckResult[]>,
): Promise<CheckResult[]> => {
  if (database.url === undefined && !existsSync(databaseFileIn(database.dataDir))) return []
  try {
    const db = await openDatabase(database)
    try {
      return await look(createStore(db, { now: wallTime }))
    } finally {
      await db.close()
    }
  } catch {
    return []
  }
}

/** When a restore was drilled, which policy is in force, and whether those that run agree. */
export const checkRecords = ({
  database,
  demo,
  policy,
}: Pick<Config, 'database' | 'demo' | 'policy'>): Promise<CheckResult[]> =>
  fromStore(database, async (store) =>
    demo
      ? []
      : [
          await aboutDrill(store),
          ...aboutLoss(await store.freezes.all()),
          ...(await aboutPolicy(store, policy.digest)),
          ...aboutReplicas(await store.replicas.running(), (await store.policies.newest())?.digest),
        ],
  )

const aboutLoss = (freezes: Awaited<ReturnType<Store['freezes']['all']>>): CheckResult[] => {
  const loss = lossIn(freezes)
  if (loss === undefined) return []
  return [
    checkFailed(
      'database',
      `${loss.reason}, as was noticed at ${absolute(loss.at)}. Nothing is changed until somebody has looked at what is missing (audit find, approval list) and runs: unfreeze all.`,
    ),
  ]
}

const aboutDrill = async (store: Store): Promise<CheckResult> => {
  const own = await store.audit.find({ command: ownCommand, limit: 1_000 })
  const last = own.find(({ kind }) => kind === entryKinds.drilled)
  const how = `Try a backup out: ${toolLine('restore', '<file> --drill')}.`
  if (last !== undefined) {
    const words = `a restore was last drilled on ${absolute(last.at)}.`
    return wallTime() - last.at < maxDays * dayMs
      ? checkPassed('backup', words)
      : checkFailed('backup', `${words} That is more than ${maxDays} days ago. ${how}`)
  }
  const first = own.at(-1)?.at ?? wallTime()
  return wallTime() - first < maxDays * dayMs
    ? checkPassed('backup', `no restore was drilled yet. ${how}`)
    : checkFailed('backup', `no restore was ever drilled, in more than ${maxDays} days. ${how}`)
}

/** Replicas follow the newest version on record; a file of this machine that differs is not in force anywhere. */
const aboutPolicy = async (store: Store, digest: string): Promise<CheckResult[]> => {
  const newest = await store.policies.newest()
  if (newest === undefined || newest.digest === digest) return []
  return [
    checkPassed(
      'policy',
      `the file here differs from version ${newest.n}, which replicas have in force since ${absolute(newest.at)}: policy reload or a start brings it in.`,
    ),
  ]
}

const aboutReplicas = (running: readonly ReplicaFacts[], inForce: string | undefined): CheckResult[] => {
  if (running.length === 0) return []
  const those = running.length === 1 ? 'one bot runs' : `${plural(running.length, 'replica')} run`
  const each = (field: keyof ReplicaFacts) => [...new Set(running.map((one) => one[field]))].toSorted()
  const versions = each('version')
  const behind = running.filter(({ policy }) => policy !== inForce).length
  const wrong = [
    ...(versions.length === 1
      ? []
      : [`they are of versions ${versions.join(' and ')}. Bring all of them to one.`]),
    ...(behind === 0
      ? []
      : [
          `${behind} of them ${behind === 1 ? 'has' : 'have'} another policy than the one in force. The log of those says why it cannot be read there.`,
        ]),
    ...(each('key').length === 1
      ? []
      : [
          'they sign the audit log with different keys. Give all of them the same AUDIT_KEY, and restart them.',
        ]),
  ]
  return wrong.length === 0
    ? [checkPassed('replicas', `${those}, of version ${versions[0]}, with the policy in force and one key.`)]
    : wrong.map((words) => checkFailed('replicas', `${those}, and ${words}`))
}
