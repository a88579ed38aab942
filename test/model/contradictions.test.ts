import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownPacks } from '../../commands/own-packs.ts'
import { endsOfKind, followLinks } from '../../src/kernel/model/known-person.ts'
import { useServices } from '../../src/lib/services/endpoints/tables.ts'
import { kindsWith } from '../../src/lib/things/kinds.ts'
import {
  addressKind,
  isSameEnd,
  type Link,
  type LinkEnd,
  type LinkKind,
  pairOf,
} from '../../src/lib/things/link.ts'

useServices(ownPacks)
/** Of which one person has one. */
const keys: LinkKind[] = [addressKind, ...kindsWith(({ perPerson }) => perPerson === 'one')]
const pairs = keys.flatMap((one) =>
  keys.filter((other) => other !== one).map((other) => [one, other] as const),
)

const end = (kind: LinkKind, n: number): LinkEnd => ({
  kind,
  id: kind === addressKind ? `a${n}@x.io` : `${kind}_${n}`,
})
const seen = ([one, other]: readonly [LinkEnd, LinkEnd]): Link => ({
  ends: pairOf(one, other) as never,
  provenance: { kind: 'seen', source: 'x', at: 1 },
  isOff: false,
})
const ledTo = async (start: LinkEnd, links: readonly Link[], kind: LinkKind): Promise<LinkEnd[]> =>
  endsOfKind(
    await followLinks(
      start,
      async (asked) => links.filter((one) => one.ends.some((a) => asked.some((b) => isSameEnd(a, b)))),
      true,
    ),
    kind,
  )

test('there are several kinds of key, and each of them is tried with each', () => {
  expect(keys.length).toBeGreaterThan(3)
})

test.each(pairs)(
  'money follows no contradicted link from %s to %s, nor by way of another key',
  async (from, to) => {
    await fc.assert(
      fc.asyncProperty(
        // Who else has it, and through which of the others somebody may come there.
        fc.uniqueArray(fc.integer({ min: 2, max: 9 }), { maxLength: 3 }),
        fc.option(fc.constantFrom(...keys.filter((one) => one !== from && one !== to))),
        async (others, through) => {
          const [own, there] = [end(from, 1), end(to, 1)]
          const links = [own, ...others.map((n) => end(from, n))].map((one) => seen([one, there]))
          const start = through === null ? own : end(through, 1)
          if (through !== null) links.push(seen([start, own]))
          expect(await ledTo(start, links, to)).toHaveLength(others.length === 0 ? 1 : 0)
          // Looked at from there, all of them are to be seen, and nothing is followed from any.
          expect(await ledTo(there, links, from)).toHaveLength(others.length + 1)
          if (through !== null)
            expect(await ledTo(there, links, through)).toHaveLength(others.length === 0 ? 1 : 0)
        },
      ),
      { numRuns: 20 },
    )
  },
)

test('money never goes from two of one kind to the same, whatever links there are between keys', async () => {
  const anyEnd = fc
    .tuple(fc.constantFrom(...keys), fc.integer({ min: 1, max: 2 }))
    .map(([kind, n]) => end(kind, n))
  const anyLink = fc.tuple(anyEnd, anyEnd).filter(([one, other]) => one.kind !== other.kind)
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLink, { maxLength: 6 }),
      fc.constantFrom(...pairs),
      async (found, [from, to]) => {
        const links = found.map(seen)
        const [first, second] = await Promise.all([1, 2].map((n) => ledTo(end(from, n), links, to)))
        const ids = (first ?? []).map(({ id }) => id)
        if (ids.length !== 1 || second?.length !== 1) return
        expect((second ?? []).map(({ id }) => id)).not.toEqual(ids)
      },
    ),
    { numRuns: 3_000 },
  )
})
