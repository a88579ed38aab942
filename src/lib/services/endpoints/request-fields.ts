import { z } from 'zod'

const shapeOfEmail =
  /^(?!\.)(?!.*\.\.)[^\s@"<>(),;:\\]{1,64}(?<!\.)@[^\s@"<>(),;:\\/]+\.[^\s@"<>(),;:\\/.]{2,}$/u

/** Allows more than zod's own pattern: `/`, `%` and letters beyond ASCII are valid in an address. */
export const emailAddress = z
  .string('an email address is needed')
  .max(254, 'an email address has at most 254 characters')
  .regex(shapeOfEmail, 'that is not a valid email address')

export const webUrl = z
  .string('a web address is needed')
  .refine(isWebUrl, 'a web address starts with http:// or https://')

/** Whether a machine elsewhere could fetch it: no name or number that means this machine or its own network. */
export const isPublic = (address: string): boolean => {
  if (!URL.canParse(address)) return true
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host.includes(':')) return !/^(::1?$|::ffff:|f[cde])/i.test(host)
  if (/^[\d.]+$/.test(host)) return !privateNumber.test(host)
  return host.includes('.') && !/\.(localhost|local|internal)$/i.test(host)
}

const privateNumber = /^(0|10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./

export const segment = z.string('an id is needed').min(1, 'an id is needed')

export const words = (what: string, max: number) =>
  z
    .string(`${what} is needed`)
    .min(1, `${what} must not be empty`)
    .max(max, `${what} has at most ${max} characters`)

export const filled = (what: string) => z.string(`${what} is needed`).min(1, `${what} must not be empty`)

/** A whole number in a query. In a URL a number and its text are the same, so both are accepted. */
export const queryInteger = (what: string, { min, max }: { min?: number; max?: number } = {}) =>
  z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^-?\d{1,15}$/)
          .transform(Number),
      ],
      `${what} is a whole number`,
    )
    .refine((value) => min === undefined || value >= min, `${what} is at least ${min}`)
    .refine((value) => max === undefined || value <= max, `${what} is at most ${max}`)

/** Names in a query, joined by commas, so no name may contain one. */
export const queryNames = (what: string) =>
  z.union([
    z.string(),
    z.array(filled(what).refine((name) => !name.includes(','), `${what} cannot contain a comma`)),
  ])

function isWebUrl(text: string) {
  return /^https?:\/\//i.test(text) && !/\s/.test(text) && URL.canParse(text)
}
