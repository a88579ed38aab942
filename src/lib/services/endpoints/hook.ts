import type { LaterForm } from './later.ts'

/** How a service signs what it tells by itself. */
export type HookSignature = {
  /** The header that holds the signature. */
  readonly header: string
  /** The name of the part that holds it where the header has several, as in `t=1700000000,v1=5257a8`. */
  readonly part?: string
  /** What stands before the signature itself, as `sha256=`. */
  readonly prefix?: string
  readonly algorithm?: 'sha256' | 'sha512'
  readonly encoding: 'hex' | 'base64'
  /** What is signed, in order: `{time}` and `{body}` as they came, `{url}` as the address that was told to the service. */
  readonly over: string
  /** Where the time of sending stands, in seconds: a header of its own, or a part of the one above. */
  readonly time?: { readonly header: string } | { readonly part: string }
}

/** What a service tells by itself at POST /hooks/<name>, and what it means for what it settles later. */
export type ServiceHook = {
  /** The variable with its secret; with commas between them, several while one takes the place of another. */
  readonly secret: string
  /** `standard` is Standard Webhooks; otherwise an HMAC. */
  readonly signs: 'standard' | HookSignature
  /** How old an event may be: five minutes by the time that is signed with it, three days by its own, if not given. */
  readonly toleranceMs?: number
  /** Where the id of an event stands; that of its header if it is a Standard Webhook and none is given. */
  readonly id?: string
  /** Where its type stands. */
  readonly type: string
  /** Where the time of an event stands, which has to be there where no time is signed with it. */
  readonly at?: string
  /** What the events of a type say of something that it settles later. */
  readonly events: Readonly<Record<string, readonly LaterForm[]>>
  /** Where a record stands in every event that a row would answer with: links are learned from it as from that answer. */
  readonly teaches?: { readonly row: string; readonly at: string }
}
