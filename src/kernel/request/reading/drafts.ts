import { z } from 'zod'
import { defined } from '../../../lib/defined.ts'
import { actorOf } from '../../actors/authorization.ts'
import { isRawFile, type Raw, type RawFile } from '../../command/line/coerce.ts'
import type { Core } from '../../core.ts'
import type { FormDrafts } from '../../messenger/bot.ts'
import type { Sender } from '../../messenger/inbound.ts'

const raw = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
const draftSchema = z.object({
  command: z.string(),
  values: z.record(z.string(), raw),
  isUnseen: z.boolean().optional(),
  /** The digest of what was shown before it was asked: that alone is confirmed with the same press. */
  shown: z.string().optional(),
  asks: z.object({ param: z.string(), title: z.string(), question: z.string() }).optional(),
})

/** What can be stored of values as they were written: no file. */
export const valuesKept = (values: Readonly<Record<string, Raw>>): Record<string, Exclude<Raw, RawFile>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (isRawFile(value) ? [] : [[name, value]])),
  )

export const draftsOf = (core: Core): FormDrafts => {
  const { store, newId, now } = core
  const personOf = (from: Sender) => actorOf(core.policy, from).person
  return {
    save: async (from, { command, values, isUnseen, shown, asks }) => {
      const id = newId()
      const doc = { command, values: valuesKept(values), ...defined({ isUnseen, shown, asks }) }
      await store.drafts.put({ id, at: now(), person: personOf(from), doc })
      return id
    },
    find: async (from, id) => {
      const stored = await store.drafts.get(id)
      return stored?.person === personOf(from) ? draftSchema.safeParse(stored.doc).data : undefined
    },
  }
}
