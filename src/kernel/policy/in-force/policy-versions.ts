import { standingTask } from '../../actors/absence.ts'
import { endSessionsOfOthers } from '../../actors/sign-ins.ts'
import type { Core } from '../../core.ts'
import { bellhop, entryBy } from '../../model/audit-entry.ts'
import type { Party } from '../../model/change.ts'
import type { Policy } from '../policy.ts'
import type { PolicyReading } from './policy-source.ts'
import { newerThanFile, proposalSource } from './proposed.ts'
import { sealingOf, tellUnsealed } from './sealed.ts'

type VersionCore = Pick<Core, 'store' | 'now' | 'policy' | 'policySource' | 'usePolicy' | 'log' | 'wake'>

/**
 * Puts a version into force, here and on every replica that follows. It is on record, with its text and its signatures,
 * before the first request is judged by it. One that is in force already is not recorded again; one whose seal is
 * missing does not come into force, and why is the answer.
 */
export const takeIn = async (
  core: VersionCore,
  { policy, text, signatures }: { policy: Policy; text: string; signatures: string },
  by: Pick<Party, 'person' | 'name' | 'platform'> = bellhop,
  proposal?: { id: string; follows: string },
): Promise<string | undefined> => {
  const { store, now } = core
  const file = core.policySource?.from ?? ''
  const source = proposal === undefined ? file : proposalSource(proposal.id)
  const taken = await store.tx(async (inner): Promise<{ n: number } | { why: string }> => {
    await inner.lock({ alone: ['policy'] })
    const before = await inner.policies.newest()
    if (before?.digest === policy.digest) return { n: before.n }
    if (proposal !== undefined && before?.digest !== proposal.follows)
      return { why: 'Another version came into force meanwhile.' }
    const sealing = await sealingOf(inner, { text, signatures, from: file })
    if (!sealing.ok) return { why: sealing.why }
    const at = now()
    await inner.policies.keep(policy.digest, text, at)
    const version = {
      n: (before?.n ?? 0) + 1,
      digest: policy.digest,
      at,
      who: by.person,
      name: by.name,
      source,
    }
    await inner.policies.add(version)
    const sealed = sealing.sealedBy === null ? {} : { sealedBy: sealing.sealedBy, signatures }
    const doc = {
      version: version.n,
      digest: policy.digest,
      before: before?.digest ?? null,
      source,
      text,
      ...sealed,
    }
    await inner.audit.append(entryBy(by, 'policy in force', { command: 'policy reload' }, doc))
    await endSessionsOfOthers(inner, policy, by)
    await inner.tasks.put(standingTask(at))
    return { n: version.n }
  })
  if ('why' in taken) {
    if (proposal === undefined) await tellUnsealed(core, taken.why)
    return taken.why
  }
  core.usePolicy(policy, taken.n)
  core.wake()
  return undefined
}

/** The version of this process, for a start. One that only answers a line keeps its text, and changes nothing for others. */
export const recordOwn = async (core: VersionCore, { inForce }: { inForce: boolean }): Promise<void> => {
  const { policy, policySource, store, now } = core
  if (policySource === undefined) return
  if (inForce) await takeIn(core, { policy, text: policySource.text, signatures: policySource.signatures })
  else await store.policies.keep(policy.digest, policySource.text, now())
}

/** Takes in what another replica has put into force. */
export const followNewest = async (core: VersionCore): Promise<void> => {
  if (core.policySource === undefined) return
  const newest = await core.store.policies.newest()
  if (newest === undefined || newest.digest === core.policy.digest) return
  const text = await core.store.policies.text(newest.digest)
  const reading = text === undefined ? undefined : core.policySource.load(text)
  if (reading?.ok) core.usePolicy(reading.policy, newest.n)
  else
    core.log.error(
      { policy: newest.digest },
      'a policy that another replica has taken in cannot be read here',
    )
}

/** The file as it is now, in force; or what is wrong with it, and the old one stays. */
export const reloadPolicy = async (core: VersionCore): Promise<PolicyReading | undefined> => {
  const reading = core.policySource?.read()
  const newer = reading?.ok ? await newerThanFile(core.store, reading.text) : undefined
  const why = newer?.why ?? (reading?.ok ? await takeIn(core, reading) : undefined)
  return why === undefined ? reading : { ok: false, problems: [why] }
}
