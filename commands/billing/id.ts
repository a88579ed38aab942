import { z } from 'zod'

/** An id that will stand in a path: what the client would refuse later is refused here, before anybody is asked. */
export const idOf = (what: string) =>
  z
    .string(`${what} is needed`)
    .min(1, `${what} must not be empty`)
    .max(200, `${what} has at most 200 characters`)
    .refine(isPathPiece, `${what} has no spaces or line breaks in it, and is no dots that could climb a path`)

/** A license code is somebody else's text, so inner spaces are taken. */
export const codeOf = (what: string) =>
  z
    .string(`${what} is needed`)
    .min(1, `${what} must not be empty`)
    .max(200, `${what} has at most 200 characters`)
    .refine((text) => isPathPiece(text.replaceAll(' ', '')), `${what} has no line breaks or dots alone in it`)

const isPathPiece = (text: string): boolean =>
  text.isWellFormed() &&
  !/[\s\p{Cc}]/u.test(text) &&
  text.split(/[/\\]/).every((piece) => piece !== '.' && piece !== '..')
