import type { ThingReference } from '../../lib/view/thing.ts'
import type { Actor } from '../command/context.ts'
import { readContext } from '../context/command-context.ts'
import type { Core } from '../core.ts'
import { kept } from './cache.ts'
import { candidatesFor, ownersOf } from './candidates.ts'
import { idsOverLinks } from './linked.ts'
import { eachPerson, nameKey } from './people.ts'

/** What stands in the other fields, by its ids: it was chosen from a list, or written as a name, an address or a number. */
export const settledBeside = async (
  core: Core,
  actor: Actor,
  within: readonly ThingReference[],
): Promise<ThingReference[]> => {
  const all = await Promise.all(
    within.map(({ kind, id }) =>
      kept(core, `beside ${actor.person} ${kind} ${id}`, () => settled(core, actor, { kind, id })).catch(
        () => [],
      ),
    ),
  )
  return all.flat()
}

const settled = async (core: Core, actor: Actor, one: ThingReference): Promise<ThingReference[]> => {
  const { kind, id } = one
  const context = readContext(core, actor)
  const asKind = (ids: readonly string[]) => ids.map((found) => ({ kind, id: found }))
  const linked = await idsOverLinks(kind, id, context)
  if (linked !== undefined) return asKind(linked)
  // Most were chosen, and are ids.
  if (!/\s/.test(id) && /[_\d@]/.test(id)) return [one]
  const isCalled = ({ name = '' }: { name?: string | undefined }) => nameKey(name) === nameKey(id)
  const called = (await candidatesFor(core, actor, [kind], id)).filter(isCalled)
  if (called.length > 0) return asKind(called.map((found) => found.id))
  const owned = (await candidatesFor(core, actor, ownersOf([kind]), id)).filter(isCalled)
  const owners = await eachPerson(core, actor, owned)
  const leads = await Promise.all(owners.map((owner) => idsOverLinks(kind, owner.id, context)))
  return asKind(leads.flatMap((ids) => ids ?? []))
}
