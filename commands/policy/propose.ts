import { z } from 'zod'
import { proposals } from '../../src/features/proposals/index.ts'
import { defineChange } from '../../src/kernel/command/define.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { facts, list, note } from '../../src/lib/view/view.ts'

export const policyPropose = defineChange({
  name: 'policy propose',
  title: 'Propose a policy change',
  summary: 'Propose a change of the policy file, which comes into force when it is approved',
  area: 'bellhop',
  input: z.object({
    edits: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .describe('A place of the file, then = + or -, and a value; ";" between several')
      .meta({ rest: true }),
  }),
  positional: ['edits'],
  examples: ['policy propose roles.support.run + "audit verify"'],
  uses: [],
  // Whoever may take a changed file in is who may, and is asked for it.
  sameAs: ['policy reload'],
  guarded: true,
  repeatable: true,
  plan: z.object({
    edits: z.string(),
    follows: z.string(),
    digest: z.string(),
    changes: z.array(wording(z.string())),
    warnings: z.array(wording(z.string())),
    past: z.array(wording(z.string())),
    signatures: z.array(z.string()),
  }),
  prepare: ({ edits }, { of }) => of(proposals).draft(edits),
  preview: ({ changes, warnings, past, follows, digest, signatures }) => ({
    title: 'Change the policy',
    tone: 'warn',
    blocks: [
      list(changes),
      list(past.map((words) => `In the last 30 days: ${words}`)),
      ...warnings.map((words) => note('warn', words)),
      facts({
        Follows: follows.slice(0, 12),
        Digest: digest.slice(0, 12),
        'Comes into force with': signatures.join(''),
      }),
    ],
  }),
  async apply(plan, { of }) {
    const done = await of(proposals).put(plan)
    const version = plan.digest.slice(0, 12)
    if (done.state === 'refused')
      return {
        message: `Nothing was changed: ${done.why} Propose it again.`,
        understood: true,
        warnings: ['The policy stays as it is.'],
      }
    return done.state === 'in force'
      ? {
          message: `The policy ${version} is in force.`,
          understood: true,
          warnings: ['The file does not have it yet: policy patch gives what to write into it.'],
        }
      : {
          message: `Approved, and not in force before it has ${plan.signatures.join('')}.`,
          understood: true,
          warnings: ['Write it into the file, have it signed, and take it in with policy reload.'],
        }
  },
  lookUps: () => ['policy show', 'policy patch'],
})
