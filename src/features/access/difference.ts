import { isSeq, type Range, type YAMLSeq } from 'yaml'
import type { Policy } from '../../kernel/policy/policy.ts'
import { readYaml } from '../../lib/codecs/bounded-yaml.ts'

/**
 * The smallest change of a policy file that lets somebody run a command, as lines to take out and to put in: the command
 * among those of the role of theirs that the fewest people have, or a role of its own for who has none.
 */
export const accessDifference = (
  text: string,
  { people }: Pick<Policy, 'people'>,
  { person, command }: { person: string; command: string },
): string[] => {
  const read = readYaml(text)
  if (!read.ok) return []
  const { doc } = read
  const at = people.findIndex(({ id }) => id === person)
  const membersOf = (role: string) => people.filter(({ roles }) => roles.includes(role)).length
  const [role] = (people[at]?.roles ?? []).toSorted((one, other) => membersOf(one) - membersOf(other))
  const run = role === undefined ? undefined : doc.getIn(['roles', role, 'run'])
  if (isSeq(run) && run.range) return differingLines(text, withItem(text, run, run.range, command))
  const before = doc.toString({ lineWidth: 0 })
  if (role !== undefined) doc.setIn(['roles', role, 'run'], doc.createNode([command], { flow: true }))
  else {
    const own = `${person}-${command.split(' ')[0]}`
    doc.setIn(['roles', own], doc.createNode({ run: [command] }, { flow: true }))
    doc.setIn(['people', at, 'roles'], doc.createNode([own], { flow: true }))
  }
  return differingLines(before, doc.toString({ lineWidth: 0 }))
}

/** One more in a list, written as the others there are, so that the rest of the file stays as it is. */
const withItem = (text: string, { flow, items }: YAMLSeq, [start, end]: Range, command: string): string => {
  const word = command.includes(' ') ? JSON.stringify(command) : command
  const put = (at: number, more: string) => `${text.slice(0, at)}${more}${text.slice(at)}`
  if (flow) return put(end - 1, `${items.length === 0 ? '' : ', '}${word}`)
  const indent = text.slice(text.lastIndexOf('\n', start) + 1, start)
  return put(start, `- ${word}\n${indent}`)
}

/** With a sign before each, as tools that compare files write them. */
const differingLines = (before: string, after: string): string[] => {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const gone = old.filter((line) => !now.includes(line))
  const added = now.filter((line) => !old.includes(line))
  return [...gone.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)]
}
