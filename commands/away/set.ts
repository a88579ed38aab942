import { z } from 'zod'
import { defineChange } from '../../src/kernel/command/define.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { defined } from '../../src/lib/defined.ts'
import { no, ok } from '../../src/lib/result.ts'
import { due } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'

const plan = z.object({
  endsAt: z.number(),
  zone: z.string(),
  doubt: wording(z.string()).optional(),
  to: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The roles with which that person may vote. */
  roles: z.array(z.string()),
  /** Those that the person has already. */
  theirs: z.array(z.string()).optional(),
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
  async prepare({ until, to }, { actor, records, time }) {
    if (!actor.known) {
      return no(refusal('stranger', 'Only people whom bellhop.yml lists can be away here.'))
    }
    const end = await time(until)
    if (!end.ok) return end
    const delegate = to === undefined ? null : records.person(to)
    if (delegate === undefined) {
      return no(
        refusal('bad_value', `No one person in bellhop.yml goes by ${theirs(to ?? '')}.`, {
          field: 'to',
          next: 'Write their id there.',
        }),
      )
    }
    if (delegate?.id === actor.person) {
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
      ...(delegate === null ? { roles: [] } : records.delegatedTo(delegate.id)),
    })
  },
  preview: ({ endsAt, doubt, to, roles, theirs = [] }) => ({
    title: to === null || roles.length === 0 ? 'Be away' : `Be away, with ${to.name} voting meanwhile`,
    tone: 'plain',
    blocks: [
      facts({
        Until: due(endsAt),
        'Who votes for you': roles.length === 0 ? 'nobody' : to?.name,
        'With your roles': roles.join(', ') || undefined,
      }),
      ...(doubt === undefined ? [] : [note('warn', doubt)]),
      ...(to !== null && roles.length === 0
        ? [
            note(
              'warn',
              theirs.length > 0
                ? `${to.name} has the role ${theirs.join(' and ')} already and votes with it: nobody votes twice. Name somebody who does not have it.`
                : `${to.name} cannot vote for you: none of your roles says delegate: true in bellhop.yml.`,
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
