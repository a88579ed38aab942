import { plural } from '../../view/button-labels.ts'
import { isAnyMatch } from '../pattern.ts'
import {
  asksManager,
  type CommandRef,
  changesOf,
  commandNamesOf,
  type Demand,
  isMoney,
  type PolicyDraft,
} from './draft.ts'
import { type Finding, inWords, someOf } from './schema-findings.ts'

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

/** Requests that wait for more people than the file lists. A group can hold any of them who has an account there. */
export function thinFindings(draft: PolicyDraft): Finding[] {
  return draft.demands.flatMap(({ path, commands, need }) => {
    for (const command of changesOf(draft, commands)) {
      const able = votersFor(draft, command, need)
      const left = mostLeft(draft, command, able) + (asksManager(draft, need.from) ? 1 : 0)
      if (left >= need.count) continue
      const needs = plural(need.count, 'approval')
      const has =
        able.length === left
          ? plural(left, 'listed person', 'listed people')
          : `${left} besides the requester`
      return {
        path,
        message: `${inWords(path)} asks for ${needs} of "${command.name}", but only ${has} may give one. List more people, or ask for fewer.`,
      }
    }
    return []
  })
}

/** Commands that come to need an approval without a rule that says so, and that nobody may approve. */
export function orphanFindings(draft: PolicyDraft): Finding[] {
  const roles = Object.keys(draft.roles)
  const orphans = draft.commands.filter(
    (command) =>
      command.kind === 'change' &&
      (isMoney(command) || command.guarded || (draft.duplicates && command.area !== 'bellhop')) &&
      roles.some((role) => isAnyMatch(draft.roles[role]?.run ?? [], commandNamesOf(command))) &&
      !roles.some((role) => approves(draft, role, command)),
  )
  if (orphans.length === 0) return []
  const names = someOf(orphans.map(({ name }) => name))
  return [
    {
      path: ['roles'],
      on: 'key',
      message: `no role may approve ${names}, which can come to need it: what moves money and policy reload by default, others when they are repeated.`,
    },
  ]
}

/** By a role of the list, or by somebody listed who has one and may approve through another. */
const isReachable = (draft: PolicyDraft, command: CommandRef, { from }: Demand['need']): boolean =>
  (from.length > 0 ? from : Object.keys(draft.roles)).some((role) => approves(draft, role, command)) ||
  votersFor(draft, command, { kind: 'approvals', count: 1, from }).length > 0

const approves = (draft: PolicyDraft, role: string, command: CommandRef): boolean =>
  isAnyMatch(draft.roles[role]?.approve ?? [], commandNamesOf(command))

const votersFor = (draft: PolicyDraft, command: CommandRef, { from }: Demand['need']) =>
  draft.people.filter((person) => {
    const roles = possibleRoles(draft, person)
    return (
      (from.length === 0 || from.some((role) => roles.includes(role))) &&
      roles.some((role) => approves(draft, role, command))
    )
  })

/** Those of the file, and those of every group of a messenger where they have an account. */
const possibleRoles = ({ groups }: PolicyDraft, person: PolicyDraft['people'][number]): string[] => [
  ...(person.roles ?? []),
  ...Object.entries(groups).flatMap(([platform, one]) =>
    Object.hasOwn(person, platform) ? Object.values(one).flat() : [],
  ),
]

/** The requester never counts: how many voters the luckiest requester has. */
function mostLeft(draft: PolicyDraft, command: CommandRef, able: readonly unknown[]): number {
  const mayAsk = (patterns: readonly string[] | undefined) =>
    isAnyMatch(patterns ?? [], commandNamesOf(command))
  const isOpen = mayAsk(draft.everyone.run)
  const others = draft.people.filter(
    (person) =>
      !able.includes(person) &&
      (isOpen || possibleRoles(draft, person).some((role) => mayAsk(draft.roles[role]?.run))),
  )
  return others.length > 0 ? able.length : Math.max(0, able.length - 1)
}
