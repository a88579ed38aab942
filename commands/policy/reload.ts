import { z } from 'zod'
import { defineChange } from '../../src/kernel/command/define.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { facts, list, note } from '../../src/lib/view/view.ts'

export const policyReload = defineChange({
  name: 'policy reload',
  summary: 'Take the changed policy file in without a restart',
  area: 'bellhop',
  input: z.object({}),
  examples: ['policy reload'],
  uses: [],
  // Whoever changes the rules is not alone with it.
  guarded: true,
  // Each time it is another file.
  repeatable: true,
  plan: z.object({
    digest: z.string(),
    source: z.string(),
    changes: z.array(wording(z.string())),
    sealedBy: z.array(z.string()).default([]),
    warnings: z.array(wording(z.string())),
  }),
  prepare: (_, { records }) => records.policy.candidate(),
  preview: ({ digest, source, changes, sealedBy, warnings }) => ({
    title: 'Take in the changed policy file',
    tone: 'warn',
    blocks: [
      facts({ File: source, Digest: digest, 'Sealed by': sealedBy.join(', ') }),
      list(changes),
      ...warnings.map((words) => note('warn', words)),
    ],
  }),
  async apply({ digest }, { policy }) {
    const isTaken = await policy.takeIn(digest)
    return {
      message: isTaken
        ? `The policy ${digest.slice(0, 12)} is in force.`
        : 'The file or its seal changed meanwhile, so nothing was taken in. Ask again.',
      understood: true,
      ...(isTaken ? {} : { warnings: ['The old policy stays in force.'] }),
    }
  },
  lookUps: () => ['policy show'],
})
