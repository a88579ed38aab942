import type { Requirement } from '../model/change.ts'

/** The one of two requirements that asks for more; of two that ask for as much, the first. */
export function stricterOf(first: Requirement, second: Requirement): Requirement {
  const [more, less] = weightOf(second) > weightOf(first) ? [second, first] : [first, second]
  if (more.kind !== 'approvals' || less.kind !== 'approvals') return more
  // More votes from anybody would be weaker than fewer from the right people: the roles stay.
  return more.from.length === 0 && less.from.length > 0 ? { ...more, from: less.from } : more
}

/** none, then confirm, then any number of approvals. */
const weightOf = (requirement: Requirement): number =>
  requirement.kind === 'none' ? -1 : requirement.kind === 'confirm' ? 0 : requirement.count
