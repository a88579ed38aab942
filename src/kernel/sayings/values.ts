import { serviceKinds, traitsOf } from '../../lib/things/kinds.ts'
import type { Refusal } from '../../lib/view/refusals.ts'
import type { Command } from '../command/define.ts'
import { coerce, type Raw } from '../command/line/coerce.ts'
import { atParam, type Param } from '../command/params.ts'
import type { Item, Saying } from './items.ts'
import type { SpokenSpan } from './times.ts'

/** `isAnchored`: at least one value is more than words that were left over. */
type Filled = {
  values: Record<string, Raw>
  explained: ReadonlySet<number>
  /** What a parameter does not take, with why. */
  refused: ReadonlyMap<number, Refusal>
  isAnchored: boolean
  /** Of whom the newest is meant: the parameter holds the owner. */
  newest: readonly string[]
  /** Words that could be a name of what the parameter takes. */
  named: readonly string[]
  /** How many values are found only by whom they belong to. */
  linked: number
}

const maxFreeWords = 3

/** The values of a command in what was said: things by their kinds, amounts, times, choices, names and words that are left. */
export const fillFor = (
  command: Command,
  { items, reason, name }: Saying,
  used: ReadonlySet<number>,
  {
    set,
    free,
    isPlain,
  }: { set: Readonly<Record<string, string>>; free?: string | undefined; isPlain: boolean },
  paramCalled: (word: string) => string | undefined,
): Filled => {
  const values: Record<string, Raw> = { ...set }
  const explained = new Set<number>()
  const refused = new Map<number, Refusal>()
  const isOpen = (param: Param) => param.type === 'list' || values[param.name] === undefined
  /** "from Beta to VIP": the second is another place than the first. */
  const isElsewhere = (param: Param, at: number): boolean => {
    if (values[param.name] === undefined) return false
    const last = Math.max(...[...explained].filter((one) => one < at))
    return items
      .slice(last + 1, at)
      .some(({ role, text }) => role === 'filler' && turning.has(text.toLowerCase()))
  }
  const take = (param: Param | undefined, at: number, value: string): void => {
    if (param === undefined || !isOpen(param)) return
    const before = values[param.name]
    values[param.name] = param.type === 'list' ? [...(Array.isArray(before) ? before : []), value] : value
    explained.add(at)
  }

  const takeTime = (at: number, { ahead, since, until, every }: SpokenSpan): void => {
    const timed = (time: Param['time']) => command.params.filter((one) => one.time === time && isOpen(one))
    if (every !== undefined) {
      take(timed('every')[0], at, every)
      return
    }
    const [from, to] = timed('past')
    if (since !== undefined && from !== undefined) {
      take(from, at, since)
      if (until !== undefined && to !== undefined) values[to.name] = until
      return
    }
    if (until !== undefined && ahead === undefined) take(to, at, until)
    if (ahead !== undefined) take(timed('ahead')[0], at, ahead)
  }

  const freeParam = paramOf(command, free)
  // "tag the bounced ones as lost": what stands behind it is the value, and nothing before it is one.
  const label = freeParam?.type === 'list' && command.kind !== 'query' ? labelIn(items) : []
  if (freeParam !== undefined && label.length > 0) {
    values[freeParam.name] = label.map((at) => (items[at] as Item).text)
    for (const at of label) explained.add(at)
  }

  for (const [at, item] of items.entries()) {
    if (explained.has(at)) continue
    if (item.role === 'thing') {
      const param = command.params.find(
        (one) =>
          isOpen(one) &&
          !isElsewhere(one, at) &&
          (takesThing(one, items, at) || takesOwnId(command, one, items, at)),
      )
      take(param, at, saidValue(param, item))
    } else if (item.role === 'number' && set.line !== undefined) {
      // Who decides on it is told for every sum.
      explained.add(at)
    } else if (item.role === 'number' || item.role === 'doubt') {
      const param = numberParam(command, items, at, isOpen, paramCalled)
      const isSum = param?.type === 'amount' || param?.takes === 'sums'
      const given = [isSum ? item.bound : undefined, item.value ?? item.text].filter(Boolean).join(' ')
      const read = param === undefined ? undefined : coerce(param, given)
      if (read?.ok === false) refused.set(at, read.refusal)
      else {
        take(param, at, given)
        for (const name of namesOf(param, items)) explained.add(name)
        for (const [place, one] of items.entries())
          if (
            param !== undefined &&
            Math.abs(place - at) < 3 &&
            paramCalled(one.text.toLowerCase()) === param.flag
          )
            explained.add(place)
      }
    } else if (item.role === 'unknown' && codeParam(command, items, at) !== undefined) {
      const param = codeParam(command, items, at)
      take(param, at, item.text)
      for (const name of namesOf(param, items)) explained.add(name)
    } else if (item.role === 'percent') {
      // Of how much is known once it is known of what.
      const param = command.params.find(
        (one) => one.type === 'amount' && one.takes === undefined && isOpen(one),
      )
      take(param, at, `${item.value}%`)
    } else if (item.role === 'time') {
      if (!isInName(items, at, free)) takeTime(at, item.span ?? {})
    } else if (!used.has(at) && label.length === 0) {
      for (const choice of item.choices) {
        const [param, value = ''] = choice.split('=')
        if (
          value === 'all' &&
          (command.kind === 'query' || items.some((one) => one.choices.length > 0 && one !== item))
        )
          continue
        const taker = paramOf(command, param)
        if (taker?.type === 'text' || taker?.choices.includes(value)) take(taker, at, value)
      }
    }
  }
  const newest: string[] = []
  for (const [at, item] of items.entries()) {
    if (item.role === 'newest') {
      const param = command.params.find(
        (one) => isOpen(one) && one.kinds.some((kind) => item.kinds.some((other) => other === kind)),
      )
      const owner = items.findIndex((one, index) => isSomebodys(one) && !explained.has(index))
      if (param === undefined) continue
      if (owner !== -1) {
        take(param, at, saidValue(undefined, items[owner] as Item))
        explained.add(owner)
        newest.push(param.name)
      } else if (item.meant !== undefined) take(param, at, item.meant.id)
    }
  }
  let linked = 0
  const isChange = command.kind !== 'query'
  // What belongs to somebody is found by whoever it belongs to, and a change by what it is about.
  for (const [at, item] of items.entries()) {
    if (item.role !== 'thing' || explained.has(at)) continue
    const param = command.params.find((one) => isOpen(one) && leadsTo(one, item, { isPlain, isChange }))
    take(param, at, saidValue(param, item))
    if (param !== undefined) linked++
  }
  const why = paramOf(command, 'reason') ?? paramOf(command, 'description')
  if (reason !== undefined && why !== undefined) values[why.name] = reason
  const naming = paramOf(command, 'name') ?? paramOf(command, 'pageTitle') ?? freeParam
  if (name !== undefined && naming !== undefined) values[naming.name] = name
  let isAnchored = Object.keys(values).some(
    (key) => set[key] === undefined && key !== why?.name && key !== atParam.name,
  )
  if (freeParam !== undefined && values[freeParam.name] === undefined) {
    const unknown = freeWords(items, explained)
    const isLabel = freeParam.type === 'list' || command.kind === 'query'
    const left = unknown.length > 0 || !isLabel ? unknown : namedLeft(items, explained)
    if (left.length > 0) {
      const texts = left.map((at) => (items[at] as Item).text)
      values[freeParam.name] = freeParam.type === 'list' ? texts : texts.join(' ')
      for (const at of left) explained.add(at)
      isAnchored ||= texts.every((text) => /^\p{Lu}/u.test(text))
    }
  }
  const named: string[] = []
  const [wanted, ...others] = command.params.filter(
    (one) => one.required && isOpen(one) && values[one.name] === undefined && one.kinds.some(isNamed),
  )
  if (wanted !== undefined && others.length === 0 && isAnchored) {
    const left = freeWords(items, explained)
    if (left.length > 0) {
      const words = left.map((at) => (items[at] as Item).text).join(' ')
      values[wanted.name] = wanted.type === 'list' ? [words] : words
      named.push(wanted.name)
      for (const at of left) explained.add(at)
    }
  }
  return { values, explained, refused, isAnchored, newest, named, linked }
}

/** Before another place than the one before it. */
const turning: ReadonlySet<string> = new Set([
  'to',
  'into',
  'onto',
  'from',
  'zu',
  'nach',
  'auf',
  'vers',
  'à',
  'a',
  'hacia',
  'instead',
])

const isNamed = (kind: string): boolean => traitsOf(kind).byName === true

const saidValue = (param: Param | undefined, { meant, text }: Item): string =>
  (param?.by === 'name' ? meant?.name : meant?.id) ?? text

/** Somebody, or what leads to one person alone. What somebody has many of is meant itself. */
const isSomebodys = ({ role, kinds }: Item): boolean =>
  role === 'thing' &&
  kinds.some((kind) => traitsOf(kind).perPerson === 'one' || traitsOf(kind).perPerson === 'some')

const leadsTo = (
  { kinds, by }: Param,
  item: Item,
  { isPlain, isChange }: { isPlain: boolean; isChange: boolean },
): boolean => {
  if (kinds.length !== 1 || by === 'name') return false
  const [kind = ''] = kinds
  if (kind === 'change') return !isPlain && !item.kinds.some((one) => one === 'job')
  const { perPerson } = traitsOf(kind)
  return (perPerson === 'many' ? isChange : perPerson !== undefined) && isSomebodys(item)
}

const paramOf = (command: Command, name: string | undefined): Param | undefined =>
  name === undefined ? undefined : command.params.find((param) => param.name === name)

/** By its kind; a noun right before says which of several is meant. What is to be made new has a form only. */
const takesThing = (param: Param, items: readonly Item[], at: number): boolean => {
  const { kinds, text, meant } = items[at] as Item
  const beside = items[at - 1]?.concepts ?? []
  const said = kinds.filter((kind) => beside.includes(kind))
  const among = said.length > 0 ? said : kinds
  if (param.kinds.length === 0) {
    if (!param.required) return false
    return text.includes('@')
      ? param.takes === 'address'
      : param.takes === 'number' && kinds.every((kind) => traitsOf(kind).knownBy === 'number')
  }
  if (param.by === 'name' && meant?.name === undefined) return false
  return param.kinds.some((kind) => among.some((one) => one === kind))
}

/** The ids of the bot's own records look alike: the noun right before one says of what it is. "the grant ab23cd45ef" */
const takesOwnId = ({ name }: Command, param: Param, items: readonly Item[], at: number): boolean => {
  const [noun = ''] = name.split(' ')
  const isOwn = items[at]?.kinds.some((kind) => kind === 'change') === true
  const isOfService = serviceKinds().some((kind) => param.kinds.includes(kind))
  return param.name === 'id' && isOwn && !isOfService && items[at - 1]?.concepts.includes(noun) === true
}

/** "SPRING20", "with the coupon spring" */
const codeParam = (command: Command, items: readonly Item[], at: number): Param | undefined => {
  const param = command.params.find(({ takes }) => takes === 'code')
  const { text } = items[at] as Item
  const words = param?.flag.split('-') ?? []
  const isNamed =
    items[at - 1] !== undefined && wordsOf(items[at - 1] as Item).every((one) => words.includes(one))
  return isNamed || /^(?=.*\d)[A-Z][A-Z\d-]{3,19}$/.test(text) ? param : undefined
}

/** The parameter that is named nearest before it, else behind it, else the amount, else the first number that is required. */
const numberParam = (
  command: Command,
  items: readonly Item[],
  at: number,
  isOpen: (param: Param) => boolean,
  paramCalled: (word: string) => string | undefined,
): Param | undefined => {
  const open = command.params.filter(isOpen)
  const { bound, isCode } = items[at] as Item
  if (isCode === true) return open.find(({ takes }) => takes === 'reference')
  // "invoice number 513", "card ending in 4242"
  const said = items
    .slice(Math.max(0, at - 4), at)
    .findLast(({ role }) => role !== 'filler' && role !== 'talk')
  const isPlain = /^\d+$/.test(items[at]?.value ?? '')
  const called = open.find(
    ({ type, flag, kinds }) =>
      isPlain &&
      type === 'text' &&
      kinds.length === 0 &&
      said !== undefined &&
      wordsOf(said).some((word) => (word.length > 2 && flag.startsWith(word)) || paramCalled(word) === flag),
  )
  if (called !== undefined) return called
  const next = items[at + 1]
  const counted = next && open.find(({ flag }) => wordsOf(next).some((word) => paramCalled(word) === flag))
  if (counted !== undefined) return counted
  const numbers = open.filter(({ type }) => type === 'integer' || type === 'number')
  // "at least 80"
  const edge = { over: 'min', under: 'max' }[bound ?? '']
  const bounded = numbers.filter(({ flag }) => edge !== undefined && flag.endsWith(`-${edge}`))
  const saidWords = items.flatMap(wordsOf)
  const limit = bounded.find(({ flag }) => flag.split('-').some((word) => saidWords.includes(word)))
  if (limit !== undefined) return limit
  const words = [...items.slice(0, at).reverse(), ...items.slice(at)]
    .filter(({ role }) => role !== 'thing')
    .flatMap(wordsOf)
  const named = numbers
    .map((param) => ({ param, places: param.flag.split('-').map((word) => words.indexOf(word)) }))
    .filter(({ places }) => !places.includes(-1))
    .map(({ param, places }) => ({ param, away: Math.max(...places) }))
    .toSorted((one, other) => one.away - other.away)
  return (
    named[0]?.param ?? open.find(({ type }) => type === 'amount') ?? numbers.find(({ required }) => required)
  )
}

/** Where the words of its name stand. */
const namesOf = (param: Param | undefined, items: readonly Item[]): number[] => {
  const words = param?.flag.split('-') ?? []
  return [...items.keys()].filter((at) => wordsOf(items[at] as Item).every((word) => words.includes(word)))
}

const wordsOf = ({ text }: Item): string[] => text.toLowerCase().split(' ')

/** "Black Friday": a day that is written as a part of a name, where one is wanted. */
const isInName = (items: readonly Item[], at: number, free: string | undefined): boolean => {
  const [before, item] = [items[at - 1], items[at]]
  const isWritten = (one: Item | undefined) => one !== undefined && /^\p{Lu}/u.test(one.text)
  return (
    free === 'name' &&
    item?.role === 'time' &&
    isWritten(item) &&
    before?.role === 'unknown' &&
    isWritten(before)
  )
}

/** The one name that nothing else takes: a tag may be called as a list is. */
const namedLeft = (items: readonly Item[], explained: ReadonlySet<number>): number[] => {
  const left = [...items.keys()].filter((at) => !explained.has(at) && items[at]?.role === 'thing')
  return left.length === 1 ? left.filter((at) => items[at]?.meant?.name !== undefined) : []
}

/** The few words that stand behind "as", to the end or to who it is about. */
const labelIn = (items: readonly Item[]): number[] => {
  const from = items.findLastIndex(({ role, text }) => role === 'filler' && text.toLowerCase() === 'as') + 1
  if (from === 0) return []
  const behind = [...items.keys()].slice(from)
  const end = behind.findIndex((at) => !isWordy.has((items[at] as Item).role))
  const label = end === -1 ? behind : behind.slice(0, end)
  return label.length <= maxFreeWords ? label : []
}
const isWordy: ReadonlySet<Item['role']> = new Set(['unknown', 'quoted', 'choice', 'concept'])

/** Words that nothing else explains, if they stand together. */
const freeWords = (items: readonly Item[], explained: ReadonlySet<number>): number[] => {
  const left = [...items.keys()].filter((at) => {
    const { role } = items[at] as Item
    const isWord = role === 'unknown' || role === 'quoted' || isInName(items, at, 'name')
    return !explained.has(at) && isWord
  })
  const quoted = left.filter((at) => items[at]?.role === 'quoted')
  if (quoted.length > 0) return quoted
  const isTogether = left.every((at, index) => index === 0 || at === (left[index - 1] as number) + 1)
  return isTogether && left.length <= maxFreeWords ? left : []
}
