import type { Command } from '../../command/define.ts'
import { tokensOf } from '../../sayings/tokens.ts'
import type { Reading } from '../../sayings/understanding.ts'

/** Words between several things that say nothing of their own. */
const joining: ReadonlySet<string> = new Set(['and', 'plus', 'both', 'also', 'please', 'the', '&', '+'])

/**
 * "refund pay_1 and pay_2": each is a request of its own. None where the change takes several at once, or where anything
 * else is said, which could belong to one of them or to all.
 */
export const severalThings = (command: Command, said: string): Reading[] => {
  const param = command.params.find(({ kinds }) => kinds.length > 0)
  if (command.kind !== 'change' || param === undefined || param.type === 'list') return []
  const own = [...command.name.split(' '), ...param.kinds.flatMap((kind) => [kind, `${kind}s`])]
  const tokens = tokensOf(said).filter(({ kind }) => kind !== 'mark')
  const things = tokens.flatMap((token) =>
    token.kind === 'thing' && token.kinds.some((kind) => param.kinds.includes(kind)) ? token.text : [],
  )
  const words = tokens.filter((token) => token.kind !== 'thing')
  const isPlain = words.every(
    (token) => token.kind === 'word' && (joining.has(token.word) || own.includes(token.word)),
  )
  const each = [...new Set(things)]
  if (!isPlain || each.length < 2 || each.length > maxThings || things.length + words.length < tokens.length)
    return []
  return each.map((id) => ({ command, values: { [param.name]: id }, missing: [], unread: [], score: 0 }))
}

/** As many as fit on buttons. */
const maxThings = 5
