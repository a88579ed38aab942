import type { LinkEnd } from '../../things/link.ts'
import type { LinkTrust } from '../../things/link-rows.ts'
import type { CallInput, OpenRecord } from './open-record.ts'

/** The fields that bellhop.yml names under `links`, by the kind of thing whose id they hold. */
export type LinkFields = Readonly<Record<string, string | undefined>>

/** A record somewhere in an answer. */
export type SeenRecord = {
  /** The row that was called. */
  row: string
  /** The name that the record stands under. */
  key: string
  record: OpenRecord
  /** The values in the path of the request. */
  asked: OpenRecord
  fields: LinkFields
}

export type AddLink = (one: LinkEnd | undefined, other: LinkEnd | undefined) => void

/** What a request says of somebody if the service keeps what it is told. */
export type SaidLinks = {
  subject: LinkEnd
  values: LinkEnd[]
  /** The address that the record has from now on. */
  renamedTo: LinkEnd | undefined
}

/** Which ids belong together, as this service knows it. */
export type ServiceLinks = {
  /** How far what its answers show may lead. */
  readonly trust: LinkTrust
  /** Adds the ids that a record names together. Records are recognised by the fields that they have. */
  readonly seen: (seen: SeenRecord, add: AddLink) => void
  /** The links that a request would make: whoever sends it says them. */
  readonly said?: (input: CallInput) => SaidLinks[]
  /** The kinds of thing whose ids a field can hold that bellhop.yml names under `links`. */
  readonly fields?: readonly string[]
  /** A read that may teach more about an id; undefined where there is none. */
  readonly teaches?: (end: LinkEnd) => { row: string; input: CallInput } | undefined
}
