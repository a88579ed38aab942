import { z } from 'zod'
import { names } from '../../lib/view/format.ts'
import type { Differences } from './differences.ts'

export const namesParam = (one: string) => z.array(nameParam(one)).overwrite(once)

/** A name that is repeated is meant once. */
export const once = (names: string[]): string[] => [...new Set(names)]

/** Names that are joined by commas in requests, so none may contain one. */
export const joinedNamesParam = (one: string) =>
  z
    .array(nameParam(one).refine((name) => !name.includes(','), `${one} cannot contain a comma`))
    .overwrite(once)

const nameParam = (one: string) => z.string().trim().min(1, `${one} must not be empty`)

type Tags = readonly string[] | null | undefined

/** A schema check: the same tag cannot be both added and removed. */
export const isConsistent = ({ tagsToAdd, tagsToRemove }: { tagsToAdd?: Tags; tagsToRemove?: Tags }) =>
  !tagsToAdd?.some((tag) => tagsToRemove?.includes(tag))

export const contradiction = {
  path: ['tagsToRemove'],
  message: 'a tag cannot be both added and removed, so name it once',
}

/**
 * The tags that are really new and those that are really there to remove. If the record does not list its
 * tags, everything stays as requested.
 */
export const tagChange = (before: Tags, add: Tags, remove: Tags) => {
  const added = [...new Set(add ?? [])].filter((tag) => !before?.includes(tag))
  const removed = [...new Set(remove ?? [])].filter((tag) => !before || before.includes(tag))
  const changes: Differences = []
  if (added.length + removed.length > 0) {
    const after = before
      ? names([...before.filter((tag) => !removed.includes(tag)), ...added])
      : [...added.map((tag) => `with ${tag}`), ...removed.map((tag) => `without ${tag}`)].join(', ')
    changes.push({ label: 'Tags', before: before ? names(before) : null, after })
  }
  return { added, removed, changes, was: changes.length === 0 ? {} : { tags: before ?? null } }
}
