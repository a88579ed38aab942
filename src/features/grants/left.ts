import { plural } from '../../lib/view/button-labels.ts'
import { money } from '../../lib/view/format.ts'
import type { Grant, GrantTerms, GrantUse } from './store.ts'

/** 0.1 + 0.2 is 0.3 in money. */
const sumOf = (uses: readonly Pick<GrantUse, 'amount'>[]): number =>
  Math.round(uses.reduce((sum, { amount }) => sum + amount, 0) * 1e6) / 1e6

/** Whether one more request of this sum is within what was approved in advance. */
export const hasRoom = (
  { times = 0, inAll }: Pick<Grant, 'times' | 'inAll'>,
  uses: readonly GrantUse[],
  amount: number,
): boolean => uses.length < times && (inAll === undefined || sumOf([...uses, { amount }]) <= inAll.value)

/** "29 of 30 left, 580 of 600 USD" */
export const leftWords = (
  { times = 0, inAll }: Pick<GrantTerms, 'times' | 'inAll'>,
  uses: readonly GrantUse[],
): string => {
  const left = `${times - uses.length} of ${times} left`
  if (inAll === undefined) return left
  const rest = Math.round((inAll.value - sumOf(uses)) * 1e6) / 1e6
  return `${left}, ${money(rest)} of ${money(inAll.value, { code: inAll.currency })}`
}

/** What a grant lets its holder do, as a sentence without its end. */
export const grantWords = ({ does, commands, holder, upTo, inAll, times = 0 }: GrantTerms): string => {
  const what = commands.join(', ')
  if (does === 'run') return `${holder.name} may run ${what}`
  const each = upTo === undefined ? '' : ` up to ${money(upTo.value, { code: upTo.currency })}`
  const all = inAll === undefined ? '' : `, ${money(inAll.value, { code: inAll.currency })} in all`
  return `${plural(times, 'request')} of ${holder.name} for ${what}${each}${all}`
}
