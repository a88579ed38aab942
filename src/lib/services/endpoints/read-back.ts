import type { CallInput, OpenRecord } from './open-record.ts'

/** How a documented read tells whether a write happened: its values are there, its record is there, or it is gone. */
export type ReadBack = {
  /** The reading row of the same service. */
  readonly read: string
  /** What to read, from what was sent; undefined where that does not say. Without it, the same path values. */
  readonly input?: (sent: Sent) => CallInput | undefined
  readonly tells: 'values' | 'gone' | ((records: OpenRecord[], sent: Sent) => boolean)
}

export type Sent = { params: OpenRecord; body: OpenRecord }

/** Whether a record has the text that was sent as `name` under one of the keys. */
export const hasText =
  (name: string, keys: readonly string[]) =>
  (records: OpenRecord[], { body }: Sent): boolean =>
    records.some((record) => keys.some((key) => isSameText(record[key], body[name])))

const isSameText = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' &&
  typeof other === 'string' &&
  one.trim().toLowerCase() === other.trim().toLowerCase()
