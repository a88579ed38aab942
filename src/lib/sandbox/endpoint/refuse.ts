import type { z } from 'zod'

/** A refusal on its way to the caller as `{ success: false, status: 'error', message }`. */
export class RefusedError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const refuse = (message: string, status = 400): never => {
  throw new RefusedError(status, message)
}

export const notFound = (what: string): never => refuse(`${what} was not found`, 404)

/** Reads a value by a schema; the first problem becomes the refusal. */
export function parseOrRefuse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const place = issue?.path.join('.')
  return refuse(place ? `${place}: ${issue?.message}` : (issue?.message ?? 'the request is not valid'))
}
