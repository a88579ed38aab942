import type { Policy } from '../../kernel/policy/policy.ts'
import { editedText, readEdits } from '../proposals/edit.ts'

type Wish = { person: string; command: string }

/**
 * The smallest change of a policy file that lets somebody run a command, as it can be proposed: the command among those of
 * the role of theirs that the fewest people have, or a role of its own for who has none.
 */
export const accessEdits = ({ people }: Pick<Policy, 'people'>, { person, command }: Wish): string => {
  const membersOf = (role: string) => people.filter(({ roles }) => roles.includes(role)).length
  const own = people.find(({ id }) => id === person)?.roles ?? []
  const [role] = own.toSorted((one, other) => membersOf(one) - membersOf(other))
  const word = JSON.stringify(command)
  if (role !== undefined) return `roles.${step(role)}.run + ${word}`
  const made = `${person}-${command.split(' ')[0]}`
  return `roles.${step(made)} = { run: [${word}] }; people.${step(person)}.roles = [${JSON.stringify(made)}]`
}

const step = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))

/** The same as lines to take out and to put in, with a sign before each, as tools that compare files write them. */
export const accessDifference = (text: string, policy: Pick<Policy, 'people'>, wish: Wish): string[] => {
  const edits = readEdits(accessEdits(policy, wish))
  const edited = edits.ok ? editedText(text, edits.value) : edits
  if (!edited.ok) return []
  const [old, now] = [text.split('\n'), edited.value.split('\n')]
  const gone = old.filter((line) => !now.includes(line))
  const added = now.filter((line) => !old.includes(line))
  return [...gone.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)]
}
