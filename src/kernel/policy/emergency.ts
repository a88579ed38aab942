import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import { isAnyMatch } from './pattern.ts'
import type { Policy } from './policy.ts'

/** Nothing, or at least the approval of somebody else: as `unseen`, because it moves money and nobody has looked at what it is about. */
export type ByNature = 'nothing' | 'approval' | 'unseen' | undefined

/** Who wants to do something alone, and what. */
export type EmergencyAsk = {
  names: readonly string[]
  roles: readonly string[]
  movesMoney: boolean
  amount: number | null
  agent?: string | undefined
  byNature?: ByNature
}

/** Why the file does not let somebody do this alone; undefined where it does. */
export const refuseEmergency = (
  { emergency }: Pick<Policy, 'emergency'>,
  { names, roles, movesMoney, amount, agent, byNature }: EmergencyAsk,
): Refusal | undefined => {
  const no = (why: string) =>
    refusal('no_emergency', `This cannot be done as an emergency: ${why}. Nobody was asked.`)
  if (emergency === null) return no('bellhop.yml has no emergency')
  const { from, commands, upTo } = emergency
  if (agent !== undefined) return no('an agent does nothing alone')
  if (!from.some((role) => roles.includes(role))) return no(`it is for ${from.join(' and ')}`)
  if (!isAnyMatch(commands, names)) return no(`it is for ${commands.join(', ')}`)
  if (byNature === 'unseen') return no('it moves money, and nobody has looked at what it is about')
  if (upTo === undefined || !movesMoney) return undefined
  if (amount === null) return no(`its amount is not known, and it is for amounts up to ${upTo}`)
  return amount <= upTo ? undefined : no(`it is for amounts up to ${upTo}, and this is ${amount}`)
}
