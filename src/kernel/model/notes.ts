/** What features note of changes beside the law, by the name of the feature: no digest covers it. */
export type StoredNotes = Readonly<Record<string, unknown>>

let oldFields: Readonly<Record<string, string>> = {}

/** Which notes were fields of a change before, by the names of their features. */
export const useOldFields = (fields: Readonly<Record<string, string>>): void => {
  oldFields = fields
}

/** A change that an older version stored has them as its fields. */
export const withNotes = (stored: unknown): unknown => {
  const change = Object(stored) as Record<string, unknown> & { notes?: StoredNotes }
  const old = Object.entries(oldFields).filter(
    ([name, field]) => !(name in (change.notes ?? {})) && change[field] !== undefined,
  )
  if (old.length === 0) return stored
  const notes = Object.fromEntries(old.map(([name, field]) => [name, change[field]]))
  return { ...change, notes: { ...notes, ...change.notes } }
}

/** The same with those fields, for the version before, which may run beside this one and read it. */
export const withOldFields = (change: { readonly notes?: StoredNotes | undefined }): object => ({
  ...change,
  ...Object.fromEntries(
    Object.entries(oldFields).flatMap(([name, field]) => {
      const note = change.notes?.[name]
      return note === undefined ? [] : [[field, note]]
    }),
  ),
})
