import type { Clause } from '../../kernel/model/change.ts'
import type { CommandRef } from '../../kernel/policy/file/draft.ts'
import type { Finding } from '../../kernel/policy/file/schema-findings.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { rowById } from '../../lib/services/endpoints/tables.ts'
import { askedOf, type Cell } from './decision-table.ts'

/** Commands that do to many at once what another one does to one, and that the rules let pass with less. */
export const largerForms = (policy: Policy, table: readonly Cell[]): Finding[] =>
  table.flatMap((small) =>
    table.flatMap((large) => {
      if (small.amount !== large.amount || !isLargerForm(large.command, small.command)) return []
      const needed = askedOf(policy, large)
      if (askedOf(policy, small).every((clause) => isMetBy(needed, clause))) return []
      const [asking, passing] = [small, large].map(({ rule }) => policy.policies[rule])
      const at = asking === undefined ? large.rule : small.rule
      const message =
        asking === undefined
          ? `policies[${at}] "${passing?.name}" asks less for "${large.name}" than "${small.name}" needs where no rule is about it, although it does the same to many at once. Ask as much of both.`
          : `policies[${at}] "${asking.name}" asks more of "${small.name}" than is needed for "${large.name}", which does the same to many at once: ${passing === undefined ? 'no rule is about that' : `"${passing.name}" decides about that`}. Ask as much of both: write "${large.name}" beside it.`
      return { path: ['policies', at, 'commands'], message }
    }),
  )

/** By what the two call: an endpoint that is the wider one of the other's, or the same one with a set of any size. */
const isLargerForm = (large: CommandRef | undefined, small: CommandRef | undefined): boolean => {
  if (large === undefined || small === undefined) return false
  const written = writesOf(small).map(({ id }) => id)
  return writesOf(large).some(
    ({ id, service, row }) =>
      (large.bulk !== undefined && small.bulk === undefined && written.includes(id)) ||
      written.some((one) => one === `${service}.${row.widens}`),
  )
}

/** Whether whoever satisfies the others has said as much as this one asks for. */
const isMetBy = (others: readonly Clause[], clause: Clause): boolean =>
  others.some((other) => {
    if (clause.kind === 'confirm' || other.kind === 'confirm') return clause.kind === 'confirm'
    const isNarrow = other.from.length > 0 && other.from.every((role) => clause.from.includes(role))
    return other.count >= clause.count && (clause.from.length === 0 || isNarrow)
  })

const writesOf = ({ uses = [] }: CommandRef) => uses.map(rowById).filter(({ row }) => row.effect !== 'read')
