import { z } from 'zod'
import { unseenIn } from '../../src/view/visible.ts'

/**
 * An id that becomes part of a URL path. What the HTTP client would refuse is refused here, before anybody is
 * asked to approve.
 */
export const idOf = (what: string) =>
  z
    .string(`${what} is needed`)
    .min(1, `${what} must not be empty`)
    .max(200, `${what} has at most 200 characters`)
    .transform(plainId)
    .refine(
      (id) => unseenIn(id) === undefined,
      `${what} has a character in it that nobody sees: type it anew`,
    )
    .refine(isPathPiece, `${what} has no spaces or line breaks in it, and is no dots that could climb a path`)

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

/** Copied out of an address, an id may have a slash behind it or be encoded; it is the same id. */
const plainId = (typed: string): string => {
  const id = typed.replace(/(?<=[^/])\/{1,200}$/, '')
  if (!/%[\da-f]{2}/i.test(id)) return id
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
