export interface WireEntry {
  service: string
  method: string
  /** As it came, encoded, with the prefix and the query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  /** Parsed if it is JSON, otherwise the text; undefined without a body. */
  body: unknown
  at: number
  row?: string
}

const most = 10_000

export function appendToWire(wire: WireEntry[], entry: WireEntry) {
  wire.push(entry)
  if (wire.length > most) wire.splice(0, wire.length - most)
}

/** For showing over HTTP: somebody may have pointed a real key at the sandbox. */
export function toRedactedEntry({ headers, ...entry }: WireEntry) {
  const { authorization, ...rest } = headers
  return { ...entry, headers: { ...rest, ...(authorization !== undefined && { authorization: 'withheld' }) } }
}
