import { z } from 'zod'
import { candidate } from '../command/candidate.ts'
import type { Asker } from '../command/context.ts'
import type { Candidate, SourceContext, ThingSource } from '../command/pack.ts'
import { readContext } from '../core/context/command-context.ts'
import type { Core } from '../core/core.ts'
import { sightOf } from '../core/people/delegates.ts'
import type { Change } from '../model/change.ts'
import { mayRun } from '../policy/people.ts'
import { isListedIn } from '../policy/workspaces.ts'
import { type Thing, type ThingKind, type ThingReference, thing } from '../view/thing.ts'
import { thingsIn } from '../view/things-in.ts'
import { viewSchema } from '../view/view.ts'
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
  if (kind === 'change') return changesAsThings(core, asker, wanted.typed)
  if (kind === 'colleague') return colleagues(core, asker)
  if (kind === 'job') return jobsAsThings(core, asker)
  const source = sourceOf(core, kind)
  if (source === undefined) return inRequests(core, asker, kind)
  const isShown = source.shownBy.length === 0 || mayRunAny(core, asker, source.shownBy)
  return isShown ? source.read(contextFor(core, asker, wanted)) : []
}

export const sourceOf = ({ registry }: Core, kind: ThingKind): ThingSource | undefined =>
  registry.packs.flatMap(({ things }) => things?.[kind] ?? [])[0]

/** The commands that show things of this kind to whoever may run them. */
export const commandsShowing = (core: Core, kind: ThingKind): readonly string[] => {
  if (kind === 'change') return ['approval list']
  if (kind === 'job') return ['job list']
  return sourceOf(core, kind)?.shownBy ?? []
}

const mayRunAny = ({ policy }: Core, asker: Asker, names: readonly string[]): boolean =>
  names.some((name) => mayRun(policy, asker, [name]))

const contextFor = (core: Core, asker: Asker, wanted: Wanted): SourceContext => ({
  ...core.services.readers,
  ...wanted,
  kept: (key, read) => kept(core, key, read),
  zone: core.policy.zone,
  inRequests: (kind) => inRequests(core, asker, kind),
  links: readContext(core, asker).links,
  ofKind: (kind) => thingsOfKind(core, asker, kind, wanted),
})

/** What still waits for somebody; by what it is about or who asked also what is over, if nothing of it waits. */
const changesAsThings = async (core: Core, asker: Asker, typed: string): Promise<Candidate[]> => {
  const open = asThings(await changesFor(core, asker, ['pending', 'unknown']))
  const key = typed.trim().toLowerCase()
  const isAbout = ({ name = '', keys = [] }: Candidate) =>
    [name, ...keys].some((one) => one.toLowerCase() === key)
  if (key === '' || open.some(isAbout)) return open
  return [...open, ...asThings(await changesFor(core, asker)).filter(isAbout)]
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
const colleagues = ({ policy }: Core, asker: Asker): Candidate[] =>
  asker.known
    ? policy.people
        .filter(({ id }) => isListedIn(policy, id, { requester: asker }))
        .flatMap(({ id, name }) => candidate(thing('colleague', id, { name })))
    : []

const jobsAsThings = async (core: Core, asker: Asker): Promise<Candidate[]> =>
  mayRunAny(core, asker, ['job list'])
    ? (await readContext(core, asker).records.jobs()).flatMap(({ id, title, state }) =>
        candidate(thing('job', id, { name: title }), state),
      )
    : []

/** Things that the asker has looked up, and those that earlier requests named, of those that the asker may see. */
const inRequests = async (core: Core, asker: Asker, kind: ThingKind): Promise<Candidate[]> => [
  ...(await seenThings(core, asker)).filter((one) => one.kind === kind),
  ...(await named(core, asker, kind)),
]

const seenMs = 24 * 3_600_000
const mostAnswers = 20
const answered = z.object({ view: viewSchema })

/** What the answers of the last day were about. */
export const seenThings = async ({ store, now }: Core, asker: Asker): Promise<Thing[]> => {
  const answers = await store.answers.recent(asker.person, now() - seenMs, mostAnswers)
  return answers.flatMap(({ doc }) => {
    const read = answered.safeParse(doc)
    return read.success
      ? thingsIn(read.data.view).flatMap((one) => (one.of === undefined ? [one] : [one, one.of]))
      : []
  })
}

const named = async (core: Core, asker: Asker, kind: ThingKind): Promise<Candidate[]> => {
  const ids = new Set<string>()
  for (const { command, input } of await changesFor(core, asker)) {
    for (const { name, kinds } of core.registry.get(command)?.params ?? []) {
      const value = input[name]
      if (kinds.includes(kind) && typeof value === 'string') ids.add(value)
    }
  }
  return [...ids].flatMap((id) => thing(kind, id) ?? [])
}

const mostChanges = 40

/** The newest that the asker may see, and the newest of their own, whatever others asked for since. */
const changesFor = async (
  core: Core,
  asker: Asker,
  states?: readonly Change['state'][],
): Promise<Change[]> => {
  const [sees, ...found] = await Promise.all([
    sightOf(core, asker),
    ...[undefined, asker.person].map((requester) =>
      core.store.changes.list({ limit: mostChanges, states, requester }),
    ),
  ])
  return [...new Map(found.flat().map((change) => [change.id, change])).values()].filter(sees)
}
