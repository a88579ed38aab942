import { candidate } from '../command/candidate.ts'
import type { Asker } from '../command/context.ts'
import type { Candidate, SourceContext } from '../command/pack.ts'
import { readContext } from '../core/context/command-context.ts'
import type { Core } from '../core/core.ts'
import { sightOf } from '../core/people/delegates.ts'
import type { Change } from '../model/change.ts'
import { mayRun } from '../policy/people.ts'
import { type ThingKind, type ThingReference, thing } from '../view/thing.ts'
import { kept } from './cache.ts'

/** What to look for: `typed` is what somebody wrote so far, `within` are the things that were chosen beside it. */
export type Wanted = { typed: string; within: readonly ThingReference[] }

/** The things of a kind that this person may know of, as the services and the bot's own records have them now. */
export const thingsOfKind = async (
  core: Core,
  asker: Asker,
  kind: ThingKind,
  wanted: Wanted,
): Promise<Candidate[]> => {
  if (kind === 'change') return changesAsThings(core, asker)
  if (kind === 'job') return jobsAsThings(core, asker)
  const source = core.registry.packs.flatMap(({ things }) => things?.[kind] ?? [])[0]
  if (source === undefined) return inRequests(core, asker, kind)
  const isShown = source.shownBy.length === 0 || mayRunAny(core, asker, source.shownBy)
  return isShown ? source.read(contextFor(core, asker, wanted)) : []
}

const mayRunAny = ({ policy }: Core, asker: Asker, names: readonly string[]): boolean =>
  names.some((name) => mayRun(policy, asker, [name]))

const contextFor = (core: Core, asker: Asker, wanted: Wanted): SourceContext => ({
  ...core.services.readers,
  ...wanted,
  kept: (key, read) => kept(core, key, read),
  inRequests: (kind) => inRequests(core, asker, kind),
  ofKind: (kind) => thingsOfKind(core, asker, kind, wanted),
})

const changesAsThings = async (core: Core, asker: Asker): Promise<Candidate[]> =>
  (await changesFor(core, asker, ['pending', 'unknown'])).flatMap(({ id, preview, requester }) =>
    candidate(thing('change', id, { name: preview.title }), `asked by ${requester.name}`),
  )

const jobsAsThings = async (core: Core, asker: Asker): Promise<Candidate[]> =>
  mayRunAny(core, asker, ['job list'])
    ? (await readContext(core, asker).records.jobs()).flatMap(({ id, title, state }) =>
        candidate(thing('job', id, { name: title }), state),
      )
    : []

/** Things that earlier requests named, of those that the asker may see. */
const inRequests = async (core: Core, asker: Asker, kind: ThingKind): Promise<Candidate[]> => {
  const ids = new Set<string>()
  for (const { command, input } of await changesFor(core, asker)) {
    for (const { name, kinds } of core.registry.get(command)?.params ?? []) {
      const value = input[name]
      if (kinds.includes(kind) && typeof value === 'string') ids.add(value)
    }
  }
  return [...ids].flatMap((id) => thing(kind, id) ?? [])
}

/** The newest that the asker may see, and the newest of their own, whatever others asked for since. */
const changesFor = async (
  core: Core,
  asker: Asker,
  states?: readonly Change['state'][],
): Promise<Change[]> => {
  const [sees, ...found] = await Promise.all([
    sightOf(core, asker),
    ...[undefined, asker.person].map((requester) =>
      core.store.changes.list({ limit: 100, states, requester }),
    ),
  ])
  return [...new Map(found.flat().map((change) => [change.id, change])).values()].filter(sees)
}
