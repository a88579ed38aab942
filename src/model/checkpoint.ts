/** The state of the log at one moment, signed: how many entries, and the root of the tree over them. */
export type Checkpoint = {
  size: number
  at: number
  root: Buffer
  /** The signed note, as other tools read it. */
  note: string
}

/** Who signs the log. */
export type LogSigner = {
  /** The public half, as others check with it: `name+id+key`. */
  key: string
  checkpoint(tree: { origin: string; size: number; root: Buffer }): string
  /** Signs any text, in base64. */
  seal(text: string): string
}

/** What the log writes about itself. */
export const entryKinds = { takenOver: 'log taken over', key: 'log signed by' } as const
