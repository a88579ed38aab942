import { no, ok } from '../../../lib/result.ts'
import { refusal } from '../../../lib/view/refusals.ts'
import type { Actor, PolicyRecords } from '../../command/context.ts'
import type { Core } from '../../core.ts'
import type { Party } from '../../model/change.ts'
import { differencesOf } from '../file/differences.ts'
import { takeIn } from './policy-versions.ts'
import { besideProposed } from './proposed.ts'
import { sealingOf, tellUnsealed } from './sealed.ts'

export const policyRecords = (core: Core, actor: Actor): PolicyRecords => {
  const { policy, policySource, store } = core
  return {
    explain: (line, as) => core.explain(core, actor, line, as),
    inForce: async () => ({
      digest: policy.digest,
      text: await store.policies.text(policy.digest),
      version: (await store.policies.list({ skip: 0, limit: 50 })).find(
        ({ digest }) => digest === policy.digest,
      ),
    }),
    versions: async ({ page, limit }) => {
      // One more than is shown says whether there is a next page, and what the last one shown changed.
      const found = await store.policies.list({ skip: (page - 1) * limit, limit: limit + 1 })
      const texts = await Promise.all(found.map(({ digest }) => store.policies.text(digest)))
      return found.map((version, at) => ({
        version,
        changes: texts[at + 1] === undefined ? [] : differencesOf(texts[at + 1] ?? '', texts[at] ?? ''),
      }))
    },
    candidate: async () => {
      const reading = policySource?.read()
      if (policySource === undefined || reading === undefined) {
        return no(
          refusal('not_allowed_now', 'This bot was started without a policy file.', {
            next: 'Start it with one.',
          }),
        )
      }
      if (!reading.ok) {
        const lines = reading.problems.slice(0, 20)
        return no(refusal('bad_policy', 'The policy file is refused:', { lines }))
      }
      if (reading.policy.digest === policy.digest) {
        return no(
          refusal('nothing_to_change', `${policySource.from} is in force as it is.`, {
            next: 'Change the file first.',
          }),
        )
      }
      const sealing = await sealingOf(store, { ...reading, from: policySource.from })
      if (!sealing.ok) {
        await tellUnsealed(core, sealing.why)
        return no(refusal('bad_policy', sealing.why))
      }
      const before = (await store.policies.text(policy.digest)) ?? policySource.text
      const beside = await besideProposed(store, reading.text)
      const changes = differencesOf(before, reading.text)
      return ok({
        digest: reading.policy.digest,
        source: policySource.from,
        changes: changes.length === 0 ? ['Nothing but comments and the way it is written.'] : changes,
        sealedBy: sealing.sealedBy ?? [],
        warnings: [
          ...reading.warnings(),
          ...(beside === undefined
            ? []
            : [`This takes back what ${beside.version.source} of ${beside.version.name} brought.`]),
        ],
      })
    },
  }
}

/** What was approved is what is taken in: a file that changed since is not. */
export const takeInFile = async (core: Core, by: Party, digest: string): Promise<boolean> => {
  const reading = core.policySource?.read()
  if (!reading?.ok || reading.policy.digest !== digest) return false
  return (await takeIn(core, reading, by)) === undefined
}
