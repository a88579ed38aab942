import type { Checkpoint } from '../../kernel/model/checkpoint.ts'

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
