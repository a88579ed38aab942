import type { z } from 'zod'

export type ServiceName = 'email' | 'chat' | 'billing'

/**
 * `read` changes nothing; `idempotent` may be repeated; `once` is never sent again after any part of it may
 * have been sent.
 */
export type Effect = 'read' | 'idempotent' | 'once'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Row = {
  readonly method: Method
  /** A template: `/subscribers/{email}`. */
  readonly path: string
  /** Whose endpoint it is: a policy for `campaign *` holds for every row of that noun. */
  readonly noun: string
  readonly effect: Effect
  /** The row of the same service that does to one what this one does to many at once. */
  readonly widens?: string
  /** Whether the request and the answer are documented. If not, both may be anything. */
  readonly shown: boolean
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The schema of the payload inside the envelope. */
  readonly answer: z.ZodType
  /** The fields of the answer that repeat the request, under the names of the request; the record in the answer if not given. */
  readonly echo?: (data: never, body: Readonly<Record<string, unknown>>) => unknown
}

export type Rows = Readonly<Record<string, Row>>

export type Service = {
  readonly name: ServiceName
  readonly auth: 'bearer' | 'basic'
  readonly rows: Rows
}

export const defineRow = <const R extends Row>(row: R): R => row

export const defineService = <const S extends Service>(service: S): S => service
