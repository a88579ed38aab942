import { z } from 'zod'
import { withoutAtEnd } from '../../lib/view/end.ts'
import { unseenIn } from '../../lib/view/visible.ts'

/**
 * An id of a service's record. Most become part of a URL path: what the HTTP client would refuse is refused here, before
 * anybody is asked to approve. Ids that mean the same are one, however they were copied.
 */
export const idOf = (what: string, most = 200) =>
  z
    .string(`${what} is needed`)
    .trim()
    .min(1, `${what} must not be empty`)
    .max(most, `${what} has at most ${most} characters`)
    .transform(plainId)
    .refine(
      (id) => unseenIn(id) === undefined,
      `${what} has a character in it that nobody sees: type it anew`,
    )
    .refine(
      (id) => !/[\s\p{Cc}]/u.test(id),
      `${what} has no spaces in it, and nobody and nothing that is known here is called so`,
    )
    .refine(isPathPiece, `${what} is not made of dots alone`)
    .meta({ isId: true })

/** License codes are made by other systems, so spaces inside one are allowed. */
export const codeOf = (what: string) =>
  z
    .string(`${what} is needed`)
    .min(1, `${what} must not be empty`)
    .max(200, `${what} has at most 200 characters`)
    .refine(
      (code) => unseenIn(code) === undefined,
      `${what} has a character in it that nobody sees: type it anew`,
    )
    .refine((text) => isPathPiece(text.replaceAll(' ', '')), `${what} has no line breaks or dots alone in it`)

/** Where people may type a name, which may hold anything that can be seen, in place of the id. */
export const idOrNameOf = (what: string) =>
  z
    .string(`${what} is needed`)
    .trim()
    .min(1, `${what} is needed`)
    .max(200, `${what} has at most 200 characters`)
    .transform((typed) => (/^[\w.~%-]+\/*$/.test(typed) ? plainId(typed) : typed))
    .refine(
      (typed) => unseenIn(typed) === undefined,
      `${what} has a character in it that nobody sees: type it anew`,
    )

/** Copied out of an address, an id may have a slash behind it or be encoded; it is the same id. */
const plainId = (typed: string): string => {
  const id = withoutAtEnd(typed, '/') || typed
  // In an email address a percent sign is a letter like others.
  if (id.includes('@') || !/%[\da-f]{2}/i.test(id)) return id
  try {
    const decoded = decodeURIComponent(id)
    return /^[^\s\p{Cc}/\\%]+$/u.test(decoded) ? decoded : id
  } catch {
    return id
  }
}

const isPathPiece = (text: string): boolean =>
  text.isWellFormed() &&
  !/[\s\p{Cc}]/u.test(text) &&
  text.split(/[/\\]/).every((piece) => piece !== '.' && piece !== '..')
