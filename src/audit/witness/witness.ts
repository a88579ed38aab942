import type { Checkpoint } from '../../model/checkpoint.ts'

/** Somebody outside who keeps checkpoints of the log, so that a log that was rewritten or shortened shows. */
export type Witness = {
  /** As it stands under `anchor` in bellhop.yml. */
  name: string
  /** Gives it a checkpoint; what it answers is stored as the proof. It throws when the witness is away. */
  keep(checkpoint: Pick<Checkpoint, 'size' | 'note'>): Promise<string>
  /** What it holds itself, in any order. Without it, it cannot be asked here. It throws when the witness is away. */
  held?(): AsyncIterable<{ note: string }>
  /** Throws, with what is wrong in words, unless a stored proof is one for this note. */
  check?(note: string, proof: string): void
}

/** Why a witness does not do its part, in words for people. */
export class WitnessError extends Error {
  override name = 'WitnessError'
}

/** The same, of any error; what other libraries say may hold more than people should read. */
export const whyAway = (error: unknown): string => {
  if (error instanceof WitnessError) return error.message
  const { code, name } = error as { code?: unknown; name?: string }
  return typeof code === 'string' ? code : (name ?? 'error')
}

/** A note among other words, as it comes back from a messenger. */
export const notesIn = (text: string): string[] => {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.flatMap((root, at) => {
    const origin = lines[at - 2]?.split(/\s/).at(-1) ?? ''
    const size = lines[at - 1] ?? ''
    if (!/^[A-Za-z0-9+/]{43}=$/.test(root) || !/^\d+$/.test(size) || origin === '' || lines[at + 1] !== '')
      return []
    const signed = lines.slice(at + 1, at + 1 + mostBlank).find((line) => line !== '') ?? ''
    const [, name, signature] = /^\u2014 (\S+) ([A-Za-z0-9+/]+=*)/.exec(signed) ?? []
    return name === undefined ? [] : [`${origin}\n${size}\n${root}\n\n\u2014 ${name} ${signature}\n`]
  })
}

/** A messenger may give back more blank lines than were written. */
const mostBlank = 10
