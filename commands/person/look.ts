import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { Pack, PersonKnown, PersonSaid } from '../../src/kernel/command/pack.ts'
import { endsOfKind, type KnownPerson } from '../../src/kernel/model/known-person.ts'
import { after, msBetween, ticks } from '../../src/lib/clock.ts'
import { traitsOf } from '../../src/lib/things/kinds.ts'
import { addressKind, type LinkEnd } from '../../src/lib/things/link.ts'

/** What is known of somebody, and what each service says; one that was never asked says nothing. */
export type Looked = { known: PersonKnown; said: ReadonlyMap<string, PersonSaid> }

/**
 * Everything that the services know of one person. Each service is asked as soon as it is known by what, on its own
 * and within one limit, and what it answers may lead to the next.
 */
export const lookAt = async (
  start: LinkEnd,
  context: ReadContext,
  packs: readonly Pack[],
): Promise<Looked> => {
  const until = after(ticks(), context.patienceMs)
  const within = () => ({ deadlineMs: Math.max(1, Math.floor(msBetween(ticks(), until))) })
  let known: PersonKnown = {
    start,
    person: { start, ends: [{ ...start, link: undefined }] },
    payer: undefined,
  }
  const said = new Map<string, PersonSaid>()
  const begun = new Set<string>()
  const advance = async (): Promise<void> => {
    const person = await context.links.personOf(start).catch(() => known.person)
    const payer = await payerOf(start, person, context).catch(() => known.payer)
    known = { start, person, payer }
    await Promise.all(
      packs.flatMap(({ name, person: part }) => {
        const ask = begun.has(name) ? undefined : part?.look(known, context, within)
        if (ask === undefined) return []
        begun.add(name)
        return [
          ask().then((answer) => {
            said.set(name, answer)
            return advance()
          }),
        ]
      }),
    )
  }
  await advance()
  return { known, said }
}

/** Somebody known by a number leads to money only over the address that they have elsewhere. */
const payerOf = (
  start: LinkEnd,
  person: KnownPerson,
  { links }: Pick<ReadContext, 'links'>,
): Promise<KnownPerson> => {
  const [address, ...others] =
    traitsOf(start.kind).knownBy === 'number' ? endsOfKind(person, addressKind) : []
  return links.payerOf(address === undefined || others.length > 0 ? start : address)
}
