import { isSignedBy, readSshKey, signaturesIn } from '../../model/ssh-signature.ts'
import { toolLine } from '../../tool-words.ts'
import type { Seal } from '../policy.ts'
import { sealSchema } from './schema.ts'
import { readSource } from './source.ts'

/** What seals are signed for: `ssh-keygen -Y sign -n bellhop`. */
export const sealPurpose = 'bellhop'

/** The file with the signatures of a policy file. */
export const sealFileOf = (file: string): string => `${file}.sig`

/** What the text of a policy file says of its seal, whatever else stands in it. */
export const sealIn = (text: string): Seal | null => {
  const { seal } = Object(readSource(text).value) as { seal?: unknown }
  return sealSchema.safeParse(seal).data ?? null
}

/** The names of the keys that signed a text, each once. */
export const signersOf = ({ keys }: Pick<Seal, 'keys'>, text: string, signatures: string): string[] => {
  const found = signaturesIn(signatures)
  const message = Buffer.from(text)
  return keys.flatMap(({ name, key: line }) => {
    const key = readSshKey(line)
    return key !== undefined && found.some((one) => isSignedBy(key, one, message, sealPurpose)) ? [name] : []
  })
}

/** Why a text is not sealed, as a sentence; undefined if it is. */
export const whyUnsealed = (
  seal: Seal,
  { text, signatures, from }: { text: string; signatures: string; from: string },
): string | undefined => {
  const signers = signersOf(seal, text, signatures)
  if (signers.length >= seal.count) return undefined
  const there = signers.length === 0 ? 'none of them is there' : `only ${signers.join(', ')} signed it`
  return [
    `${from} is not sealed: it needs signatures by ${seal.count} of the keys ${seal.keys.map(({ name }) => name).join(', ')}, and ${there}.`,
    `Each of them signs with ${toolLine('policy', `sign ${from} --key <path>`)}, which adds to ${sealFileOf(from)}.`,
  ].join(' ')
}
