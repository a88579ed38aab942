import { z } from 'zod'
import { webhooks } from '../../src/features/webhooks/index.ts'
import { defineChange } from '../../src/kernel/command/define.ts'
import { no, ok } from '../../src/lib/result.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts } from '../../src/lib/view/view.ts'

export const webhookResend = defineChange({
  name: 'webhook resend',
  title: 'Resend webhooks',
  summary: 'Try the dead letters of webhooks again, of one change or of all',
  area: 'bellhop',
  input: z.object({
    id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('The id of the change, as webhook list shows it; all if not given'),
  }),
  positional: ['id'],
  examples: ['webhook resend', 'webhook resend 7k2m9qwx4p'],
  uses: [],
  repeatable: true,
  plan: z.object({ id: z.string().nullable(), dead: z.number() }),
  async prepare({ id }, { of }) {
    const letters = await of(webhooks).dead()
    const all = (await of(webhooks).list()).reduce((sum, hook) => sum + hook.dead, 0)
    const dead = id === undefined ? all : letters.filter(({ changeId }) => changeId === id).length
    return dead === 0
      ? no(refusal('nothing_to_change', 'There are no such dead letters.', { next: 'Look at webhook list.' }))
      : ok({ id: id ?? null, dead })
  },
  preview: ({ id, dead }) => ({
    title: id === null ? 'Send all dead letters again' : `Send the dead letters of ${theirs(id)} again`,
    tone: 'plain',
    blocks: [facts({ 'Dead letters': String(dead) })],
  }),
  async apply({ id }, { of }) {
    await of(webhooks).resend(id ?? undefined)
    return { message: 'They are being sent again; webhook list shows what is still owed.', understood: true }
  },
})
