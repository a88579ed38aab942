import { z } from 'zod'
import { isRawFile, type Raw } from '../../../src/command/line/coerce.ts'
import { askerOf } from '../../../src/core/authorization.ts'
import type { Core } from '../../../src/core/core.ts'
import type { Form, Inbound } from '../../../src/messenger/inbound.ts'

const raw = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
const draftSchema = z.object({ draft: z.string(), values: z.record(z.string(), raw) })

/** What somebody has typed so far, kept so that nothing is lost and a modal need carry only an id. */
export type FormDraft = { command: string; values: Record<string, Raw> }

export type FormDrafts = {
  save(from: Inbound['from'], draft: FormDraft): Promise<string>
  /** Undefined when it is gone or somebody else's. */
  find(from: Inbound['from'], id: string): Promise<FormDraft | undefined>
  /** The form for it, as the core would ask. */
  formOf(draft: FormDraft): Form | undefined
  /** What came by flag, by name. */
  byParamName<V>(command: string, values: Record<string, V>): Record<string, V>
}

export const createFormDrafts = (core: Core): FormDrafts => {
  const personOf = (from: Inbound['from']) => askerOf(core.policy, from).person
  return {
    save: async (from, { command, values }) => {
      const id = core.newId()
      // A file is too much to keep here; it is attached again.
      const kept = Object.entries(values).filter(([, value]) => !isRawFile(value))
      const doc = { draft: command, values: Object.fromEntries(kept) }
      await core.store.answers.put({ id, at: core.now(), person: personOf(from), doc })
      return id
    },
    find: async (from, id) => {
      const stored = await core.store.answers.get(id)
      if (stored === null || stored.person !== personOf(from)) return undefined
      const read = draftSchema.safeParse(stored.doc)
      return read.success ? { command: read.data.draft, values: read.data.values } : undefined
    },
    formOf: ({ command: name, values }) => {
      const command = core.registry.get(name)
      if (command === undefined) return undefined
      return {
        command: name,
        title: command.summary,
        fields: command.params,
        values: byName(command.params, values),
      }
    },
    byParamName: (name, values) => byName(core.registry.get(name)?.params ?? [], values),
  }
}

const byName = <V>(params: Form['fields'], values: Record<string, V>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      params.find(({ flag, name }) => flag === key || name === key)?.name ?? key,
      value,
    ]),
  )
