import { isAnyMatch } from '../pattern.ts'
import type { AmountRange } from '../policy.ts'
import { changesOf, commandNamesOf, type PolicyDraft } from './draft.ts'
import type { Finding } from './schema-findings.ts'

/** Rules that never decide, because the ones before them take everything they could. */
export function shadowFindings(draft: PolicyDraft): Finding[] {
  return draft.policies.flatMap((rule, at) => {
    const earlier = draft.policies.slice(0, at)
    const commands = changesOf(draft, rule.commands ?? [])
    const takers = commands.map((command) =>
      earlier.find(
        (one) =>
          isAnyMatch(one.commands ?? [], commandNamesOf(command)) && isCovered(rule.amount, one.amount),
      ),
    )
    const names = new Set(takers.map((taker) => taker?.name))
    if (takers.length === 0 || names.has(undefined)) return []
    const before = [...names].map((name) => `"${name}"`).join(' and ')
    return {
      path: ['policies', at],
      message: `policies[${at}] "${rule.name}" can never match: ${before} before it ${names.size > 1 ? 'take' : 'takes'} all it could. Move it up or remove it.`,
    }
  })
}

/** Whether every amount of one range is within the other; a rule without a range takes unknown amounts too. */
function isCovered(inner: AmountRange | undefined, outer: AmountRange | undefined): boolean {
  if (!outer) return true
  if (!inner) return false
  const [innerLow, outerLow] = [lowOf(inner), lowOf(outer)]
  const startsWithin =
    innerLow.value > outerLow.value ||
    (innerLow.value === outerLow.value && (innerLow.open || !outerLow.open))
  return startsWithin && (inner.upTo ?? Infinity) <= (outer.upTo ?? Infinity)
}

const lowOf = ({ from, over }: AmountRange): { value: number; open: boolean } => ({
  value: over ?? from ?? 0,
  open: over !== undefined,
})
