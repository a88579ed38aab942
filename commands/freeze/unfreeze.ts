import { z } from 'zod'
import { type ChangeCommand, defineChange } from '../../src/kernel/command/define.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import type { Pack } from '../../src/kernel/command/pack.ts'
import { no, ok } from '../../src/lib/result.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff, facts } from '../../src/lib/view/view.ts'
import { freezeAreas } from './area.ts'

export const unfreezeFor = (packs: readonly Pack[]): ChangeCommand => {
  const { frozen, wordsOf } = freezeAreas(packs)
  return defineChange({
    name: 'unfreeze',
    summary: 'Allow changes again in one service, or in all of them',
    area: 'bellhop',
    input: z.object({
      area: frozen.describe('What to unfreeze: one service, all of them, or agents'),
      reason: z.string().trim().min(1).max(300).optional().describe('Why, for the audit log'),
    }),
    positional: ['area'],
    examples: ['unfreeze billing'],
    urgent: true,
    uses: [],
    plan: z.object({
      areas: z.array(z.string()).min(1),
      frozenBy: wording(z.string()),
      people: z.array(z.string()).nullish(),
      reason: z.string(),
    }),
    async prepare({ area: wanted, reason = '' }, { records }) {
      const freezes = (await records.freezes()).filter((one) => wanted === 'all' || one.area === wanted)
      if (freezes.length === 0) {
        const isAllFrozen = (await records.freezes()).some((one) => one.area === 'all')
        return no(
          isAllFrozen
            ? refusal('not_allowed_now', `Everything is frozen, not just ${wordsOf(wanted)}.`, {
                next: 'Run unfreeze all.',
              })
            : refusal('nothing_to_change', `Nothing to unfreeze: ${wordsOf(wanted)} are not frozen.`, {
                next: 'Request the change itself.',
              }),
        )
      }
      return ok({
        areas: freezes.map((one) => one.area),
        frozenBy: freezes
          .map((one) => `${one.name}${one.reason ? ` (${theirs(one.reason)})` : ''}`)
          .join(', '),
        people: freezes.map(({ by }) => by),
        reason,
      })
    },
    preview: ({ areas, frozenBy, reason }) => ({
      title: `Unfreeze ${areas.map((one) => wordsOf(one)).join(', ')}`,
      tone: 'warn',
      blocks: [
        diff({ State: ['frozen', 'open'] }),
        facts({ 'Frozen by': frozenBy, Reason: { role: 'reason', value: reason } }),
      ],
    }),
    async apply({ areas }, { freezes }) {
      for (const one of areas) await freezes.clear(one)
      return {
        message: `No longer frozen: ${areas.map((one) => wordsOf(one)).join(', ')}.`,
        understood: true,
      }
    },
  })
}
