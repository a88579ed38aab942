/** `down`: no database answers, or it cannot be written now. `failed`: it answered, and the statement is wrong. */
type DatabaseErrorKind = 'down' | 'failed'

export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind

  constructor(kind: DatabaseErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'DatabaseError'
    this.kind = kind
  }
}
