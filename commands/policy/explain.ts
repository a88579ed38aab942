import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'

export const policyExplain = defineQuery({
  name: 'policy explain',
  title: 'Explain policy',
  summary: 'Show what a line would need if somebody said it now, rule by rule',
  area: 'bellhop',
  input: z.object({
    line: z.string().trim().min(1).describe('The whole line to explain, in quotes').meta({ rest: true }),
    as: z
      .string()
      .trim()
      .min(1)
      .describe('Who would say it: an id or a name; you, if left out')
      .optional()
      .meta({ kind: 'colleague' }),
  }),
  positional: ['line'],
  examples: ['policy explain refund pay_1001 120', 'policy explain "refund pay_1001 20" --as p-support'],
  uses: [],
  aboutOwn: true,
  async run({ line, as }, { records }) {
    const explained = await records.policy.explain(line, as)
    return explained.ok ? answer(explained.value) : explained
  },
})
