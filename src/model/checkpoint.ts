/** The state of the log at one moment, signed: how many entries, and the root of the tree over them. */
export type Checkpoint = {
  size: number
  at: number
  root: Buffer
  /** The signed note, as other tools read it. */
  note: string
}

/** Who signs the log. The log says which key is its own; a signer has it or has not. */
export type LogSigner = {
  /** The public half as others check with it, under the name of the log: `origin+id+key`. Undefined without a key. */
  key(origin: string): string | undefined
  /** Signs with this key from now on, if it is at hand. */
  follow(key: string): boolean
  checkpoint(tree: { origin: string; size: number; root: Buffer }): string
  /** Signs any text, in base64. */
  seal(text: string): string
}

/** The log is signed by a key that this process does not have. */
export class LogKeyError extends Error {
  override name = 'LogKeyError'
  /** The key on record. */
  readonly key: string
  constructor(key: string, words = 'This process does not have the key that signs the audit log.') {
    super(words)
    this.key = key
  }
}

/** What the log writes about itself. */
export const entryKinds = {
  takenOver: 'log taken over',
  key: 'log signed by',
  restored: 'log restored',
  drilled: 'restore drilled',
} as const
