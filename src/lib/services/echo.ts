import { parseBounded } from '../codecs/bounded-json.ts'
import { fieldLabelOf } from '../view/record-facts.ts'
import type { CallInput } from './client/request.ts'
import type { Row } from './endpoints/row.ts'
import { isRecord, type OpenRecord } from './read-answer.ts'

/** Fields that came back other than they were asked for, in sentences. A field that the answer does not hold says nothing. */
export const echoWarnings = (row: Row, { body }: CallInput, data: unknown): string[] => {
  if (!isRecord(body) || !isRecord(data)) return []
  const shown = row.echo === undefined ? recordOf(data, body) : row.echo(data as never, body)
  if (!isRecord(shown)) return []
  return Object.entries(body).flatMap(([key, asked]) => {
    const { list, way } = targetOf(key)
    if (asked === undefined || shown[list] === undefined) return []
    const difference =
      way === undefined
        ? differenceOf(asked, shown[list])
        : partialDifference(listOf(asked), listOf(shown[list]), way === 'Add')
    if (difference === undefined) return []
    const label = fieldLabelOf(list).toLowerCase()
    return [`Asked for ${label} ${difference.asked}; the service shows ${difference.shown}.`]
  })
}

type Difference = { asked: string; shown: string } | undefined

const differenceOf = (asked: unknown, shown: unknown): Difference => {
  const wanted = parsed(asked)
  // Whatever form a list of records was asked for in, it is shown as one.
  if (Array.isArray(shown) && shown.some(isRecord) && !Array.isArray(wanted)) {
    return partialDifference(membersOf(wanted, shown.some(isPair)), listOf(shown), true)
  }
  if (isRecord(wanted)) {
    const other = isRecord(shown) ? shown : {}
    const [first] = Object.entries(wanted).flatMap(([key, value]) => {
      const difference = differenceOf(value, other[key])
      return difference === undefined
        ? []
        : [{ asked: `${key} ${difference.asked}`, shown: difference.shown }]
    })
    return first
  }
  if (Array.isArray(wanted) || Array.isArray(shown)) {
    const [left, right] = [listOf(wanted), listOf(shown)]
    // Pairs and choices are added to those that are there; of names, the list is the whole.
    if (Array.isArray(wanted) && wanted.some(isRecord)) return partialDifference(left, right, true)
    const isSame = left.length === right.length && left.every((one) => right.includes(one))
    return isSame ? undefined : { asked: words(left), shown: words(right) }
  }
  const [left, right] = [textOf(wanted), textOf(shown)]
  return isSameText(left, right) ? undefined : { asked: left || 'none', shown: right || 'none' }
}

const partialDifference = (asked: string[], shown: string[], isThere: boolean): Difference => {
  const off = asked.filter((one) => !one.endsWith('=') && shown.includes(one) !== isThere)
  if (off.length === 0) return undefined
  return { asked: isThere ? words(off) : `without ${words(off)}`, shown: words(shown) }
}

const listOf = (value: unknown): string[] => {
  const list = parsed(value)
  if (Array.isArray(list)) return list.map(memberText)
  return textOf(list) === ''
    ? []
    : textOf(list)
        .split(',')
        .map((one) => one.trim())
}

const isPair = (member: unknown): boolean => isRecord(member) && 'value' in member

/** The members of an object by name or id, or of `id:quantity` joined by commas. */
const membersOf = (wanted: unknown, arePairs: boolean): string[] =>
  isRecord(wanted)
    ? Object.entries(wanted).map(([key, one]) => `${key}${arePairs ? '=' : ' × '}${textOf(one)}`)
    : listOf(wanted).map((one) => one.replace(/^([^:]+):(\d+)$/, '$1 × $2'))

/** A member of a list by what it is told by: a pair, an id with its quantity, or the word itself. */
const memberText = (member: unknown): string => {
  if (!isRecord(member)) return textOf(member)
  if ('value' in member) return `${textOf(member.name)}=${textOf(member.value)}`
  const id = textOf(member.id ?? member._id)
  return member.quantity === undefined ? id : `${id} × ${textOf(member.quantity)}`
}

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value).trim()

/** A plus before a number, a capital letter and a zero behind the point make no difference. */
const isSameText = (one: string, other: string): boolean =>
  one.replace(/^\+/, '').toLowerCase() === other.replace(/^\+/, '').toLowerCase() ||
  (one !== '' && other !== '' && Number(one) === Number(other))

const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return parseBounded(value)
  } catch {
    return value
  }
}

const words = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '))

/** The record itself if it has any of the fields, or the only one in a wrapper. */
const recordOf = (data: OpenRecord, body: OpenRecord): unknown =>
  Object.keys(body).some((key) => Object.hasOwn(data, targetOf(key).list))
    ? data
    : Object.values(data).find(isRecord)

/** `tagsToAdd` and `tagsToRemove` are about `tags`. */
const targetOf = (key: string) => {
  const [, list = key, way] = /^(.+)To(Add|Remove)$/.exec(key) ?? []
  return { list, way }
}
