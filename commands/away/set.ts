import { z } from 'zod'
import { defineChange } from '../../src/command/define.ts'
import { defined } from '../../src/defined.ts'
import { no, ok } from '../../src/model/result.ts'
import { due } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'
import { facts, note } from '../../src/view/view.ts'
import { sentence } from '../../src/view/words.ts'

const plan = z.object({
  endsAt: z.number(),
  zone: z.string(),
  doubt: z.string().optional(),
  to: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The roles with which that person may vote. */
  roles: z.array(z.string()),
})

export const awaySet = defineChange({
  name: 'away set',
  title: 'Say that you are away',
  summary: 'Say that you are away, and who may vote for you meanwhile',
  area: 'bellhop',
  input: z.object({
    until: z
      .string()
      .min(1)
      .max(60)
      .describe('When you are back: monday, "monday 9:00", 2026-11-20T09:00 or "in 2d"')
      .meta({ time: 'ahead' }),
    to: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Who may vote for you: their id or name in bellhop.yml')
      .meta({ kind: 'colleague' }),
  }),
  examples: ['away set --until "monday 9:00" --to p-finance2'],
  uses: [],
  personal: true,
  repeatable: true,
  plan,
  async prepare({ until, to }, { asker, records, time }) {
    if (!asker.known) {
      return no(refusal('stranger', 'Only people whom bellhop.yml lists can be away here.'))
    }
    const end = await time(until)
    if (!end.ok) return end
    const delegate = to === undefined ? null : records.person(to)
    if (delegate === undefined) {
      return no(
        refusal('bad_value', `No one person in bellhop.yml goes by "${to}".`, {
          field: 'to',
          next: 'Write their id there.',
        }),
      )
    }
    if (delegate?.id === asker.person) {
      return no(
        refusal('bad_value', 'Nobody votes for themselves.', {
          next: (as) => `Name somebody else with ${as.flag('to')}.`,
        }),
      )
    }
    return ok({
      endsAt: end.value.at,
      zone: end.value.zone,
      ...defined({ doubt: end.value.doubt }),
      to: delegate === null ? null : { id: delegate.id, name: delegate.name },
      roles: delegate === null ? [] : records.delegatedRoles(),
    })
  },
  preview: ({ endsAt, doubt, to, roles }) => ({
    title: to === null ? 'Be away' : `Be away, with ${to.name} voting meanwhile`,
    tone: 'plain',
    blocks: [
      facts({
        Until: due(endsAt),
        'Who votes for you': to?.name ?? 'nobody',
        'With your roles': to === null ? undefined : roles.join(', ') || 'none',
      }),
      ...(doubt === undefined ? [] : [note('warn', doubt)]),
      ...(to !== null && roles.length === 0
        ? [
            note(
              'warn',
              `None of your roles says delegate: true in bellhop.yml, so ${to.name} cannot vote for you.`,
            ),
          ]
        : []),
    ],
  }),
  async apply({ endsAt, to, roles }, { absences, requester, now }) {
    await absences.set({ by: requester, to: to?.id ?? null, at: now, endsAt })
    return {
      message: sentence`${requester.name} is away until ${due(endsAt)}${to === null || roles.length === 0 ? '' : `; ${to.name} may vote for them`}.`,
      understood: true,
    }
  },
})
