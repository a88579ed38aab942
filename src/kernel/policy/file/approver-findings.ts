import { isOutsideGroup } from '../outside-groups.ts'
import { isAnyMatch } from '../pattern.ts'
import { asksManager, type CommandRef, changesOf, commandNamesOf, type PolicyDraft } from './draft.ts'
import { type Finding, inWords, someOf } from './schema-findings.ts'
import type { Demand } from './sections.ts'

/** Requests that nobody could ever approve, because of roles: they would only wait and expire. */
export function reachFindings(draft: PolicyDraft): Finding[] {
  return [...draft.demands, ...escalationsOf(draft)].flatMap(({ path, commands, need }) => {
    if (asksManager(draft, need.from)) return managerless(draft, path)
    if (!need.from.every((role) => Object.hasOwn(draft.roles, role))) return []
    const stuck = changesOf(draft, commands).filter((command) => !isReachable(draft, command, need))
    if (stuck.length === 0) return []
    const able = Object.keys(draft.roles).filter((role) =>
      stuck.every((command) => approves(draft, role, command)),
    )
    const who = need.from.length > 0 ? `nobody in ${need.from.join(', ')}` : 'nobody'
    const expected = able.length > 0 ? `one of: ${able.join(', ')}` : 'a role with it under approve'
    return {
      path,
      message: `${who} may approve ${someOf(stuck.map(({ name }) => name))}, so ${inWords(path)} could never be met. Expected ${expected}.`,
    }
  })
}

/** What a manager approves, nobody could ask for where nobody has one. */
const managerless = ({ people }: PolicyDraft, path: Finding['path']): Finding[] =>
  people.some(({ manager }) => manager !== undefined)
    ? []
    : [
        {
          path,
          message: `${inWords(path)} asks for a manager, and nobody under people has one. Expected manager: <id> with those who ask.`,
        },
      ]

/** What an escalation adds is as good as nothing if nobody it names may approve. */
const escalationsOf = ({ policies }: PolicyDraft): Demand[] =>
  policies.flatMap(({ commands = [], escalate }, at) =>
    escalate === undefined
      ? []
      : {
          path: ['policies', at, 'escalate', 'to'],
          commands,
          need: { kind: 'approvals', count: 1, from: escalate.to },
        },
  )

/** By a role of the list, or by somebody listed who has one and may approve through another. */
const isReachable = (draft: PolicyDraft, command: CommandRef, { from }: Demand['need']): boolean =>
  (from.length > 0 ? from : Object.keys(draft.roles)).some((role) => approves(draft, role, command)) ||
  votersFor(draft, command, { kind: 'approvals', count: 1, from }).length > 0

export const approves = (draft: PolicyDraft, role: string, command: CommandRef): boolean =>
  isAnyMatch(draft.roles[role]?.approve ?? [], commandNamesOf(command))

export const votersFor = (draft: PolicyDraft, command: CommandRef, { from }: Demand['need']) =>
  draft.people.filter((person) => {
    const roles = possibleRoles(draft, person)
    return (
      (from.length === 0 || from.some((role) => roles.includes(role))) &&
      roles.some((role) => approves(draft, role, command))
    )
  })

/** Those of the file, and those of every group of a messenger where they have an account, or where an address is enough. */
export const possibleRoles = ({ groups }: PolicyDraft, person: PolicyDraft['people'][number]): string[] => [
  ...(person.roles ?? []),
  ...Object.entries(groups).flatMap(([platform, one]) =>
    Object.hasOwn(person, isOutsideGroup(platform) ? 'email' : platform) ? Object.values(one).flat() : [],
  ),
]
