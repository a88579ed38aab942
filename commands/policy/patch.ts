import { z } from 'zod'
import { proposals } from '../../src/features/proposals/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { no } from '../../src/lib/result.ts'
import { asTyped } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { code, note } from '../../src/lib/view/view.ts'

export const policyPatch = defineQuery({
  name: 'policy patch',
  title: 'Show what the file lacks',
  summary: 'Show what to write into the policy file, as a patch',
  area: 'bellhop',
  input: z.object({
    id: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe('A proposal; if left out, all that is in force and not in the file')
      .meta({ kind: 'change' }),
  }),
  positional: ['id'],
  examples: ['policy patch'],
  uses: [],
  async run({ id }, { of }) {
    const patch = await of(proposals).patch(id)
    if (patch === undefined)
      return no(
        id === undefined
          ? refusal('nothing_to_change', 'The file has all that was proposed and is in force.', {
              next: 'Look at policy show.',
            })
          : refusal(
              'bad_value',
              `There is no proposal ${asTyped(id.slice(0, 40))}, or the version that it follows is not kept.`,
              { next: 'Look for it with approval list.' },
            ),
      )
    return answer(
      {
        title: id === undefined ? 'What the policy file lacks' : 'A proposal for the policy file',
        tone: 'plain',
        blocks: [code(patch), note('plain', 'git apply bellhop.patch writes it into bellhop.yml.')],
      },
      { file: { name: 'bellhop.patch', type: 'text/x-diff', content: patch } },
    )
  },
})
