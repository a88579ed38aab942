import { ok, type Result } from '../../../lib/result.ts'
import { isAmount, readAmount } from '../../command/amount.ts'
import type { Actor } from '../../command/context.ts'
import type { Raw } from '../../command/line/coerce.ts'
import { readValues } from '../../command/line/parse.ts'
import { isThingKind } from '../../command/params.ts'
import type { Core } from '../../core.ts'
import type { Reading } from '../../sayings/understanding.ts'
import { candidatesFor } from '../../things/candidates.ts'
import { type Unclear, withIds } from '../../things/ids.ts'
import { withLinkedIds } from '../../things/linked.ts'

/** A reading with ids in the place of names and people, or what is still to be chosen. */
export type SettledReading =
  /** `about` tells the thing that is meant from others. */
  | { kind: 'settled'; reading: Reading; about?: string }
  | { kind: 'which'; values: Record<string, Raw>; unclear: Unclear }
  | { kind: 'choices'; choices: { values: Record<string, Raw>; words?: string }[] }

/** Before anything is offered: people read what would be done, and to what. */
export const settle = async (core: Core, actor: Actor, heard: Reading): Promise<Result<SettledReading>> => {
  const { command, newest = [], named = [] } = heard
  const { values, unclear } = await withIds(core, actor, command, heard.values)
  if (unclear !== undefined && unclear.candidates.length > 0) return ok({ kind: 'which', values, unclear })
  const reading = await withShare(core, actor, withoutUnknown({ ...heard, values }, heard.values, named))
  if (command.kind === 'query' && newest.length === 0) return ok({ kind: 'settled', reading })
  const parsed = readValues(command, reading.values)
  if (!parsed.ok) return ok({ kind: 'settled', reading })
  const linked = await withLinkedIds(core, actor, parsed.value)
  if (!linked.ok) return linked
  if ('choices' in linked.value) {
    const choices = linked.value.choices.map((one) => ({
      ...one,
      values: { ...reading.values, ...one.values },
    }))
    const [latest] = choices
    if (newest.length === 0 || latest === undefined) return ok({ kind: 'choices', choices })
    const { values: meant, words } = latest
    return ok({ kind: 'settled', reading: { ...reading, values: meant }, ...(words && { about: words }) })
  }
  const { input } = linked.value
  const found = command.params.flatMap(({ name }) => {
    const value = input[name]
    return typeof value === 'string' && value !== parsed.value.input[name] ? [[name, value] as const] : []
  })
  return ok({
    kind: 'settled',
    reading: { ...reading, values: { ...reading.values, ...Object.fromEntries(found) } },
  })
}

/** "half of pay_1001": how much that is, where the payment is one that was seen; otherwise it is to be said. */
const withShare = async (core: Core, actor: Actor, reading: Reading): Promise<Reading> => {
  const { command, values } = reading
  const param = command.params.find(({ type }) => type === 'amount')
  const [, share] = /^(\d+(?:\.\d+)?)%$/.exec(String(param && values[param.name])) ?? []
  if (param === undefined || share === undefined) return reading
  const of = command.params.find(({ kinds, positional }) => positional && kinds.length > 0)
  const id = of && values[of.name]
  const kinds = of?.kinds.filter(isThingKind) ?? []
  const found = typeof id === 'string' ? await candidatesFor(core, actor, kinds, id).catch(() => []) : []
  const whole = readAmount(found.find((one) => one.id === id)?.name?.split(' · ')[0] ?? '')
  const { [param.name]: said, ...others } = values
  if (!isAmount(whole)) return { ...reading, values: others, unread: [...reading.unread, String(said)] }
  const part = Math.round(whole.value * Number(share)) / 100
  return { ...reading, values: { ...values, [param.name]: [part, whole.currency].filter(Boolean).join(' ') } }
}

/** Words that could have been a name, and are the name of nothing, were not understood. */
const withoutUnknown = (reading: Reading, before: Reading['values'], named: readonly string[]): Reading => {
  const unknown = named.filter((name) => String(reading.values[name]) === String(before[name]))
  const isUnknown = (name: string) => unknown.includes(name)
  return {
    ...reading,
    values: Object.fromEntries(Object.entries(reading.values).filter(([name]) => !isUnknown(name))),
    missing: [...reading.missing, ...reading.command.params.filter(({ name }) => isUnknown(name))],
    unread: [...reading.unread, ...unknown.map((name) => String(before[name]))],
  }
}
