import { z } from 'zod'
import { defineChange } from '../../src/command/define.ts'
import { no, ok } from '../../src/model/result.ts'
import { refusal } from '../../src/view/refusals.ts'
import { diff } from '../../src/view/view.ts'
import { area, areaWords, frozenAreas } from './area.ts'

export const freeze = defineChange({
  name: 'freeze',
  summary: 'Block all changes in one service, or in all of them, until unfreeze',
  area: 'bellhop',
  input: z.object({
    area,
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
  plan: z.object({ area: z.enum(frozenAreas), reason: z.string(), before: z.string().nullable() }),
  async prepare({ area: wanted, reason = '' }, { records }) {
    const frozen = (await records.freezes()).find((one) => one.area === wanted)
    if (frozen !== undefined && frozen.reason === reason) {
      return no(
        refusal('nothing_to_change', `${capital(areaWords[wanted])} were already frozen by ${frozen.name}.`),
      )
    }
    return ok({ area: wanted, reason, before: frozen === undefined ? null : `frozen by ${frozen.name}` })
  },
  preview: (plan) => ({
    title: `Freeze ${areaWords[plan.area]}`,
    tone: 'warn',
    blocks: [
      diff({
        State: [plan.before ?? 'open', 'frozen'],
        Reason: [null, plan.reason === '' ? 'none given' : plan.reason],
      }),
    ],
  }),
  async apply({ area: wanted, reason }, { freezes, requester, now }) {
    await freezes.set({ area: wanted, by: requester.person, name: requester.name, reason, at: now })
    return {
      message: `${capital(areaWords[wanted])} are frozen until somebody runs unfreeze ${wanted}.`,
      understood: true,
    }
  },
})

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
