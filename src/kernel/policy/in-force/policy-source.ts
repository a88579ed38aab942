import type { Policy } from '../policy.ts'

/**
 * A policy file as it was read: the policy, the text that it was made of and the signatures beside it; or all that is
 * wrong with it.
 */
export type PolicyReading =
  | { ok: true; policy: Policy; text: string; signatures: string; warnings(): string[] }
  | { ok: false; problems: string[] }

/** Where the policy comes from, and how to read it again. */
export type PolicySource = {
  /** The name of the file. */
  from: string
  /** The text that the policy of the start was made of. */
  text: string
  /** What stood beside it, in the file of its signatures. */
  signatures: string
  /** The file as it is now. */
  read(): PolicyReading
  /** Any text, as if it stood in the file. */
  load(text: string): PolicyReading
  /** The same, with all that a start would look at besides. */
  accept?(text: string): PolicyReading
}
