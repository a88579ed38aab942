import { z } from 'zod'
import { refuse } from './refuse.ts'

const local = /^[^\s@"<>(),;:\\[\]]{1,64}$/u
const host =
  /^(?=.{1,255}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)+$/u

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, Math.max(at, 0))
  return local.test(name) && !/^\.|\.\.|\.$/.test(name) && host.test(text.slice(at + 1))
}

export const emailField = z
  .string()
  .refine(isEmail, { error: (issue) => `${issue.input} is not a valid email` })

export const textField = z.string().trim().min(1)

/** Values of a repeated, bracketed or comma-separated query parameter. */
export function valuesOf(query: URLSearchParams, name: string): string[] {
  return [...query.getAll(name), ...query.getAll(`${name}[]`)]
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter(Boolean)
}

export function integerOf(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name)
  if (text === null || text === '') return fallback
  if (!/^-?\d{1,9}$/.test(text)) refuse(`${name} must be an integer`)
  return Number(text)
}

export function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false
  const name = url.hostname
  if (name.startsWith('[')) return !/^\[(::|f[cd]|fe[89ab])/i.test(name)
  if (/^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(name)) return false
  return name.includes('.') && !/\.(local|localhost|internal|test|invalid)$/i.test(name)
}

/**
 * The documents declare some lists as strings without showing their form, so all plausible forms are read: an array or
 * an object, either of them as JSON text, and comma-separated words. `memberOf` makes a member of a key and its value.
 */
export function givenList(
  value: unknown,
  name: string,
  memberOf?: (key: string, value: unknown) => unknown,
): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null && memberOf) {
    const isMember = 'name' in value || 'id' in value
    return isMember ? [value] : Object.entries(value).map(([key, one]) => memberOf(key, one))
  }
  if (typeof value !== 'string') return refuse(`${name} must be a string`)
  const parsed = jsonOf(value)
  if (typeof parsed === 'object' && parsed !== null) {
    return memberOf || Array.isArray(parsed) ? givenList(parsed, name, memberOf) : [parsed]
  }
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

export function namesOf(value: unknown, name: string): string[] {
  return givenList(value, name).map((item) =>
    typeof item === 'string' ? item : refuse(`${name} must hold strings`),
  )
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
