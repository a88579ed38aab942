import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery, type QueryCommand } from '../../src/kernel/command/define.ts'
import type { Pack } from '../../src/kernel/command/pack.ts'
import { serviceRefusal } from '../../src/kernel/context/error-refusals.ts'
import { isServiceError } from '../../src/lib/services/errors.ts'
import { asTyped } from '../../src/lib/view/outside.ts'
import { type Block, note, text } from '../../src/lib/view/view.ts'

export const personFindFor = (packs: readonly Pack[]): QueryCommand => {
  const finders = packs.flatMap(({ person }) => person?.find ?? [])
  return defineQuery({
    name: 'person find',
    summary: 'Find people by name, address or number, in every service that knows people',
    area: 'bellhop',
    input: z.object({
      words: z
        .string()
        .trim()
        .min(1, 'say whom to look for')
        .describe('Part of a name, address or number')
        .meta({ rest: true }),
    }),
    positional: ['words'],
    examples: ['person find lindqvist'],
    uses: finders.flatMap(({ uses }) => uses),
    async run({ words }, context) {
      const found = await Promise.all(
        finders.map(async ({ heading, read }) => [
          text(heading),
          await blockOf(() => read(words, context, { deadlineMs: context.patienceMs })),
        ]),
      )
      return answer({
        title: `People who fit ${asTyped(words)}`,
        tone: 'plain',
        blocks: found.flat(),
        footer: 'person get with an address, a number or an id shows one of them.',
      })
    },
  })
}

/** One service that fails does not hide what the others found. */
const blockOf = async (read: () => Promise<Block>): Promise<Block> => {
  try {
    return await read()
  } catch (error) {
    if (!isServiceError(error)) throw error
    return note('plain', serviceRefusal(error).message)
  }
}
