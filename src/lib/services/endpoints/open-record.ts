export type OpenRecord = Record<string, unknown>

/** What a row is called with; its schemas say what is in it. */
export type CallInput = { params?: unknown; query?: unknown; body?: unknown }
