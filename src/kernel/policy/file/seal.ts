import { isSignedBy, readSshKey, signaturesIn } from '../../../lib/codecs/ssh-signature.ts'
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

/** The version that a text says it follows. */
export const followedBy = (text: string): string | undefined => {
  const { follows } = Object(readSource(text).value) as { follows?: unknown }
  return typeof follows === 'string' ? follows : undefined
}

/**
 * The same text, which says that it follows this version. What was signed is for one place in the order of versions: a draft
 * that was withdrawn does not fit any later one, nor does what was in force before.
 */
export const following = (text: string, digest: string): string => {
  const line = `follows: "${digest}"`
  if (followedBy(text) !== undefined) return text.replace(/^follows:.*$/m, line)
  return /^version:/m.test(text)
    ? text.replace(/^version:.*$/m, (first) => `${first}\n${line}`)
    : `${line}\n${text}`
}

/** Why a text is none that may come after this version, as a sentence; undefined if it is. */
export const whyNotNext = (text: string, from: string, digest: string): string | undefined => {
  const said = followedBy(text)
  if (said === digest) return undefined
  const says = said === undefined ? 'it does not say which version it follows' : `it follows ${said}`
  return `${from} is not sealed for now: ${says}, and ${digest} is in force. Write follows: "${digest}" into it and have it signed again; ${toolLine('policy', `sign ${from} --key <path>`)} does both.`
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
