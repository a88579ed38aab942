import pino, { type Logger } from 'pino'

/** What parts of the bot write to; pino's loggers fit. */
export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
}

/** Errors are logged by name, kind and stack. Their other properties may hold bodies, addresses or tokens. */
export const createLog = (level: string, destination?: pino.DestinationStream): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: toLogged } },
    destination ?? pino.destination(2),
  )

const toLogged = (error: unknown): unknown => {
  if (!(error instanceof Error)) return { type: typeof error }
  const { kind, code, status } = error as { kind?: unknown; code?: unknown; status?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(isPlain(kind) ? { kind } : {}),
    ...(isPlain(code) ? { code } : {}),
    ...(isPlain(status) ? { status } : {}),
    ...(error.cause === undefined ? {} : { cause: toLogged(error.cause) }),
  }
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
