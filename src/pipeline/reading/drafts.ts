import { z } from 'zod'
import { isRawFile } from '../../command/line/coerce.ts'
import type { Core } from '../../core/core.ts'
import { askerOf } from '../../core/people/authorization.ts'
import { defined } from '../../defined.ts'
import type { FormDrafts } from '../../messenger/bot.ts'
import type { Sender } from '../../messenger/inbound.ts'

const raw = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
const draftSchema = z.object({
  command: z.string(),
  values: z.record(z.string(), raw),
  isUnseen: z.boolean().optional(),
})

export const draftsOf = (core: Core): FormDrafts => {
  const { store, newId, now } = core
  const personOf = (from: Sender) => askerOf(core.policy, from).person
  return {
    save: async (from, { command, values, isUnseen }) => {
      const id = newId()
      const kept = Object.entries(values).filter(([, value]) => !isRawFile(value))
      const doc = { command, values: Object.fromEntries(kept), ...defined({ isUnseen }) }
      await store.drafts.put({ id, at: now(), person: personOf(from), doc })
      return id
    },
    find: async (from, id) => {
      const stored = await store.drafts.get(id)
      return stored?.person === personOf(from) ? draftSchema.safeParse(stored.doc).data : undefined
    },
  }
}
