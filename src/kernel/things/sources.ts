import { z } from 'zod'
import { type Thing, type ThingKind, type ThingReference, thing } from '../../lib/view/thing.ts'
import { thingsIn } from '../../lib/view/things-in.ts'
import { viewSchema } from '../../lib/view/view.ts'
import { sightOf } from '../actors/delegates.ts'
import { candidate } from '../command/candidate.ts'
import type { Actor } from '../command/context.ts'
import type { Candidate, SourceContext, ThingSource } from '../command/pack.ts'
import { readContext } from '../context/command-context.ts'
import type { Core } from '../core.ts'
import { ownThings } from '../feature.ts'
import { type Change, unsettledStates } from '../model/change.ts'
import { mayRun } from '../policy/people.ts'
import { isListedIn } from '../policy/workspaces.ts'
import { kept } from './cache.ts'

/** What to look for: `typed` is what somebody wrote so far, `within` are the things that were chosen beside it. */
export type Wanted = { typed: string; within: readonly ThingReference[] }

/** The things of a kind that this person may know of, as the services and the bot's own records have them now. */
export const thingsOfKind = async (
  core: Core,
  actor: Actor,
  kind: ThingKind,
  wanted: Wanted,
): Promise<Candidate[]> => {
  if (kind === 'change') return changesAsThings(core, actor, wanted.typed)
  if (kind === 'colleague') return colleagues(core, actor)
  const own = ownThings(kind)
  if (own !== undefined) return mayRunAny(core, actor, own.shownBy) ? own.all(core, actor) : []
  const source = sourceOf(core, kind)
  if (source === undefined) return inRequests(core, actor, kind)
  const isShown = source.shownBy.length === 0 || mayRunAny(core, actor, source.shownBy)
  return isShown ? source.read(contextFor(core, actor, wanted)) : []
}

export const sourceOf = ({ registry }: Core, kind: ThingKind): ThingSource | undefined =>
  registry.packs.flatMap(({ things }) => things?.[kind] ?? [])[0]

/** The commands that show things of this kind to whoever may run them. */
export const commandsShowing = (core: Core, kind: ThingKind): readonly string[] => {
  if (kind === 'change') return ['approval list']
  if (kind === 'schedule') return ['schedule find']
  if (kind === 'entry') return ['audit find']
  return (ownThings(kind) ?? sourceOf(core, kind))?.shownBy ?? []
}

const mayRunAny = ({ policy }: Core, actor: Actor, names: readonly string[]): boolean =>
  names.some((name) => mayRun(policy, actor, [name]))

const contextFor = (core: Core, actor: Actor, wanted: Wanted): SourceContext => ({
  ...core.services.readers,
  ...wanted,
  kept: (key, read) => kept(core, key, read),
  zone: core.policy.zone,
  inRequests: (kind) => inRequests(core, actor, kind),
  links: readContext(core, actor).links,
  ofKind: (kind) => thingsOfKind(core, actor, kind, wanted),
})

/** What still waits for somebody; by what it is about or who asked also what is over, if nothing of it waits. */
const changesAsThings = async (core: Core, actor: Actor, typed: string): Promise<Candidate[]> => {
  const open = asThings(await changesFor(core, actor, ['pending', ...unsettledStates]))
  const key = typed.trim().toLowerCase()
  const isAbout = ({ name = '', keys = [] }: Candidate) =>
    [name, ...keys].some((one) => one.toLowerCase() === key)
  if (key === '' || open.some(isAbout)) return open
  return [...open, ...asThings(await changesFor(core, actor)).filter(isAbout)]
}

const asThings = (changes: readonly Change[]): Candidate[] =>
  changes.flatMap(({ id, preview, requester, input }) => {
    const about = Object.values(input).filter((value) => typeof value === 'string')
    const keys = [requester.person, requester.name, requester.name.split(' ')[0] as string, ...about]
    return candidate(thing('change', id, { name: preview.title }), `asked by ${requester.name}`).map(
      (one) => ({
        ...one,
        keys,
      }),
    )
  })

/** Those who are known in a workspace know each other. */
const colleagues = ({ policy }: Core, actor: Actor): Candidate[] =>
  actor.known
    ? policy.people
        .filter(({ id }) => isListedIn(policy, id, { requester: actor }))
        .flatMap(({ id, name }) => candidate(thing('colleague', id, { name })))
    : []

/** Things that the actor has looked up, and those that earlier requests named, of those that the actor may see. */
const inRequests = async (core: Core, actor: Actor, kind: ThingKind): Promise<Candidate[]> => [
  ...(await seenThings(core, actor)).filter((one) => one.kind === kind),
  ...(await named(core, actor, kind)),
]

const seenMs = 24 * 3_600_000
const maxAnswers = 20
const answered = z.object({ view: viewSchema })

/** What the answers of the last day were about. */
export const seenThings = async ({ store, now }: Core, actor: Actor): Promise<Thing[]> => {
  const answers = await store.answers.recent(actor.person, now() - seenMs, maxAnswers)
  return answers.flatMap(({ doc }) => {
    const read = answered.safeParse(doc)
    return read.success
      ? thingsIn(read.data.view).flatMap((one) => (one.of === undefined ? [one] : [one, one.of]))
      : []
  })
}

const named = async (core: Core, actor: Actor, kind: ThingKind): Promise<Candidate[]> => {
  const ids = new Set<string>()
  for (const { command, input } of await changesFor(core, actor)) {
    for (const { name, kinds } of core.registry.get(command)?.params ?? []) {
      const value = input[name]
      if (kinds.includes(kind) && typeof value === 'string') ids.add(value)
    }
  }
  return [...ids].flatMap((id) => thing(kind, id) ?? [])
}

const maxChanges = 40

/** The newest that the actor may see, and the newest of their own, whatever others asked for since. */
const changesFor = async (
  core: Core,
  actor: Actor,
  states?: readonly Change['state'][],
): Promise<Change[]> => {
  const [sees, ...found] = await Promise.all([
    sightOf(core, actor),
    ...[undefined, actor.person].map((requester) =>
      core.store.changes.list({ limit: maxChanges, states, requester }),
    ),
  ])
  return [...new Map(found.flat().map((change) => [change.id, change])).values()].filter(sees)
}
