import { approves, possibleRoles, votersFor } from '../../kernel/policy/file/approver-findings.ts'
import {
  asksManager,
  type CommandRef,
  changesOf,
  commandNamesOf,
  isMoney,
  type PolicyDraft,
} from '../../kernel/policy/file/draft.ts'
import { type Finding, inWords, someOf } from '../../kernel/policy/file/schema-findings.ts'
import { isAnyMatch } from '../../kernel/policy/pattern.ts'
import { plural } from '../../lib/view/button-labels.ts'

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
