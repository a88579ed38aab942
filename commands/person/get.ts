import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery, type QueryCommand } from '../../src/kernel/command/define.ts'
import type { Pack } from '../../src/kernel/command/pack.ts'
import { no } from '../../src/lib/result.ts'
import { asTyped } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { type Looked, lookAt } from './look.ts'
import { personView } from './view.ts'
import { endsNamed, whoParamFor } from './who.ts'

export const personGetFor = (packs: readonly Pack[]): QueryCommand =>
  defineQuery({
    name: 'person get',
    summary: 'Show what all services know about one person',
    area: 'bellhop',
    input: z.object({ who: whoParamFor() }),
    positional: ['who'],
    examples: ['person get ada@example.com', 'person get +15550110000', 'person get cus_1001'],
    uses: packs.flatMap(({ person }) => person?.uses ?? []),
    async run({ who }, context) {
      const { ends, isKnown } = await endsNamed(who, context.links)
      const all = await Promise.all(ends.map((end) => lookAt(end, context, packs)))
      // Nobody knows what kind of id it is until some service knows it.
      const looked = isKnown ? all[0] : (all.find(isFound) ?? all.find(isUnsure))
      if (looked === undefined) {
        return no(
          refusal('not_found', `Nobody is known by ${asTyped(who)}.`, {
            next: 'Try an email address or a phone number, or look for a name with person find.',
          }),
        )
      }
      return answer(await personView(who, looked, packs, context))
    },
  })

const isFound = ({ said }: Looked): boolean => [...said.values()].some((one) => one.isFound)

/** A service that could not be asked might know it. */
const isUnsure = ({ said }: Looked): boolean => [...said.values()].some((one) => !one.isAsked)
