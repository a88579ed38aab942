import { bellhop, entryBy } from '../../model/audit-entry.ts'
import type { Party } from '../../model/change.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Core } from '../core.ts'
import { endSessionsOfOthers } from '../people/sign-ins.ts'
import type { PolicyReading } from './policy-source.ts'

type VersionCore = Pick<Core, 'store' | 'now' | 'policy' | 'policySource' | 'usePolicy' | 'log'>

/**
 * Puts a version into force, here and on every replica that follows. It is on record, with its text, before the first
 * request is judged by it. One that is in force already is not recorded again.
 */
export const takeIn = async (
  core: VersionCore,
  { policy, text }: { policy: Policy; text: string },
  by: Pick<Party, 'person' | 'name' | 'platform'> = bellhop,
): Promise<void> => {
  const { store, now } = core
  const source = core.policySource?.from ?? ''
  const n = await store.tx(async (inner) => {
    await inner.lock({ alone: ['policy'] })
    const before = await inner.policies.newest()
    if (before?.digest === policy.digest) return before.n
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
    const doc = { version: version.n, digest: policy.digest, before: before?.digest ?? null, source, text }
    await inner.audit.append(entryBy(by, 'policy in force', { command: 'policy reload' }, doc))
    await endSessionsOfOthers(inner, policy, by)
    return version.n
  })
  core.usePolicy(policy, n)
}

/** The version of this process, for a start. One that only answers a line keeps its text, and changes nothing for others. */
export const recordOwn = async (core: VersionCore, { inForce }: { inForce: boolean }): Promise<void> => {
  const { policy, policySource, store, now } = core
  if (policySource === undefined) return
  if (inForce) await takeIn(core, { policy, text: policySource.text })
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
  if (reading?.ok) await takeIn(core, reading)
  return reading
}
