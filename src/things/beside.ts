import type { Asker } from '../command/context.ts'
import { readContext } from '../core/context/command-context.ts'
import type { Core } from '../core/core.ts'
import type { ThingReference } from '../view/thing.ts'
import { kept } from './cache.ts'
import { candidatesFor, nameKey, onePerName, ownersOf } from './candidates.ts'
import { idsOverLinks } from './linked.ts'

/** What stands in the other fields, by its ids: it was chosen from a list, or written as a name, an address or a number. */
export const settledBeside = async (
  core: Core,
  asker: Asker,
  within: readonly ThingReference[],
): Promise<ThingReference[]> => {
  const all = await Promise.all(
    within.map(({ kind, id }) =>
      kept(core, `beside ${asker.person} ${kind} ${id}`, () => settled(core, asker, { kind, id })).catch(
        () => [],
      ),
    ),
  )
  return all.flat()
}

const settled = async (core: Core, asker: Asker, one: ThingReference): Promise<ThingReference[]> => {
  const { kind, id } = one
  const context = readContext(core, asker)
  const asKind = (ids: readonly string[]) => ids.map((found) => ({ kind, id: found }))
  const linked = await idsOverLinks(kind, id, context)
  if (linked !== undefined) return asKind(linked)
  // Most were chosen, and are ids.
  if (!/\s/.test(id) && /[_\d@]/.test(id)) return [one]
  const isCalled = ({ name = '' }: { name?: string | undefined }) => nameKey(name) === nameKey(id)
  const called = (await candidatesFor(core, asker, [kind], id)).filter(isCalled)
  if (called.length > 0) return asKind(called.map((found) => found.id))
  const owners = onePerName((await candidatesFor(core, asker, ownersOf([kind]), id)).filter(isCalled))
  const leads = await Promise.all(owners.map((owner) => idsOverLinks(kind, owner.id, context)))
  return asKind(leads.flatMap((ids) => ids ?? []))
}
