import { z } from 'zod'
import { type ChangeCommand, defineChange } from '../../src/kernel/command/define.ts'
import type { Pack } from '../../src/kernel/command/pack.ts'
import { unfreezeAction } from '../../src/kernel/model/freeze.ts'
import { no, ok } from '../../src/lib/result.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff } from '../../src/lib/view/view.ts'
import { freezeAreas } from './area.ts'

export const freezeFor = (packs: readonly Pack[]): ChangeCommand => {
  const { frozen, wordsOf } = freezeAreas(packs)
  return defineChange({
    name: 'freeze',
    summary: 'Block all changes in one service, or in all of them, until unfreeze',
    area: 'bellhop',
    input: z.object({
      area: frozen.describe('What to freeze: one service, all of them, or whatever agents ask'),
      reason: z
        .string()
        .trim()
        .min(1)
        .max(300)
        .optional()
        .describe('Why; shown to everybody whose change is blocked'),
    }),
    positional: ['area'],
    examples: ['freeze billing --reason "Month end closing"'],
    uses: [],
    // Whoever wants to stop everything is never made to wait.
    urgent: true,
    repeatable: true,
    reasonOf: ({ reason }) => reason,
    // It happens as it is asked, whatever the rules say.
    needs: () => 'nothing',
    plan: z.object({ area: z.string(), reason: z.string() }),
    async prepare({ area: wanted, reason = '' }, { records }) {
      const before = (await records.freezes()).find((other) => other.area === wanted)
      if (before === undefined) return ok({ area: wanted, reason })
      const why = before.reason === '' ? '' : `: ${theirs(before.reason)}`
      const said = refusal(
        'nothing_to_change',
        `${capital(wordsOf(wanted))} were already frozen by ${before.name}${why}.`,
        { next: 'Leave it so, or unfreeze it.' },
      )
      return no({ ...said, actions: [unfreezeAction(before)] })
    },
    preview: (plan) => ({
      title: `Freeze ${wordsOf(plan.area)}`,
      tone: 'warn',
      blocks: [
        diff({ State: ['open', 'frozen'], Reason: [null, plan.reason === '' ? 'none given' : plan.reason] }),
      ],
    }),
    async apply({ area: wanted, reason }, { freezes, requester, now }) {
      await freezes.set({ area: wanted, by: requester.person, name: requester.name, reason, at: now })
      return {
        message: `${capital(wordsOf(wanted))} are frozen until somebody runs unfreeze ${wanted}.`,
        understood: true,
      }
    },
  })
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
