import { z } from 'zod'
import { isRawFile, type Raw } from '../../src/command/coerce.ts'
import { askerOf } from '../../src/pipeline/asker.ts'
import type { Form, Inbound } from '../../src/pipeline/inbound.ts'
import type { World } from '../../src/pipeline/world.ts'

const raw = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
const draftSchema = z.object({ draft: z.string(), values: z.record(z.string(), raw) })

/** What somebody has typed so far, kept so that nothing is lost and a modal need carry only an id. */
export type Draft = { command: string; values: Record<string, Raw> }

export type Drafts = {
  keep(from: Inbound['from'], draft: Draft): Promise<string>
  /** Undefined when it is gone or somebody else's. */
  find(from: Inbound['from'], id: string): Promise<Draft | undefined>
  /** The form for it, as the core would ask. */
  formOf(draft: Draft): Form | undefined
  /** What came by flag, by name. */
  named<V>(command: string, values: Record<string, V>): Record<string, V>
}

export const createDrafts = (world: World): Drafts => {
  const personOf = (from: Inbound['from']) => askerOf(world.policy, from).person
  return {
    keep: async (from, { command, values }) => {
      const id = world.newId()
      // A file is too much to keep here; it is attached again.
      const kept = Object.entries(values).filter(([, value]) => !isRawFile(value))
      const doc = { draft: command, values: Object.fromEntries(kept) }
      await world.store.answers.put({ id, at: world.now(), person: personOf(from), doc })
      return id
    },
    find: async (from, id) => {
      const stored = await world.store.answers.get(id)
      if (stored === null || stored.person !== personOf(from)) return undefined
      const read = draftSchema.safeParse(stored.doc)
      return read.success ? { command: read.data.draft, values: read.data.values } : undefined
    },
    formOf: ({ command: name, values }) => {
      const command = world.registry.get(name)
      if (command === undefined) return undefined
      return {
        command: name,
        title: command.summary,
        fields: command.params,
        values: byName(command.params, values),
      }
    },
    named: (name, values) => byName(world.registry.get(name)?.params ?? [], values),
  }
}

const byName = <V>(params: Form['fields'], values: Record<string, V>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      params.find(({ flag, name }) => flag === key || name === key)?.name ?? key,
      value,
    ]),
  )
