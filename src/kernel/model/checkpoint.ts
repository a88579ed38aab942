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
  /** Under the name of the log, and under others that the same key had before. */
  checkpoint(tree: { origin: string; size: number; root: Buffer; formerly?: readonly string[] }): string
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
  storeLost: 'store lost',
} as const

/** A note among other words, as it comes back from a messenger. */
export const notesIn = (text: string): string[] => {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.flatMap((root, at) => {
    const origin = lines[at - 2]?.split(/\s/).at(-1) ?? ''
    const size = lines[at - 1] ?? ''
    if (!/^[A-Za-z0-9+/]{43}=$/.test(root) || !/^\d+$/.test(size) || origin === '' || lines[at + 1] !== '')
      return []
    const signed = lines.slice(at + 1, at + 1 + maxBlank).find((line) => line !== '') ?? ''
    const [, name, signature] = /^\u2014 (\S+) ([A-Za-z0-9+/]+=*)/.exec(signed) ?? []
    return name === undefined ? [] : [`${origin}\n${size}\n${root}\n\n\u2014 ${name} ${signature}\n`]
  })
}

/** A messenger may give back more blank lines than were written. */
const maxBlank = 10
