import { keyNamed } from '../../../verify.mjs'
import {
  isKey,
  type KeySource,
  keepKeys,
  keysAt,
  nameOfSource,
  newKey,
  publicBytesOf,
  signerOf,
  signHandover,
} from '../../kernel/log/signer.ts'
import type { AuditTree } from '../../kernel/store/audit-tree.ts'

type Rotation = {
  by: { who: string; name: string; account: string }
  reason: string
  /** The old key is lost: it signs nothing about the new one. */
  withoutOldKey: boolean
}

/**
 * Gives the log another key, on record: who did it and why, the public half of the new key, and what the old one has signed
 * about it. Bots that run meanwhile find the new key where they found the old one. The answer is the new key, or what stands
 * in the way.
 */
export const rotateKey = async (
  source: KeySource,
  auditTree: AuditTree,
  { by, reason, withoutOldKey }: Rotation,
): Promise<{ key: string } | { problem: string }> => {
  const { key: from, origin } = await auditTree.state()
  if (from === '') return { problem: 'This log has no key yet: its first start gives it one.' }
  const held = keysAt(source)
  const old = held.find((one) => isKey(one, from))
  const place = nameOfSource(source)
  if (old === undefined && !withoutOldKey) {
    return {
      problem: `The key of the log, ${from}, is not in ${place}. Put it there, before the new one. If it is lost, say --without-old-key: that is on record too, and whoever checks receipts must take your word for it.`,
    }
  }
  if (old !== undefined && withoutOldKey) {
    return {
      problem: `The old key is in ${place}, so leave out --without-old-key: it can sign for the new one.`,
    }
  }
  const isOwn = source.given === undefined && source.file === undefined
  const past = await auditTree.keyEntries(Number.MAX_SAFE_INTEGER)
  const others = held.filter((one) => !past.some(({ doc }) => isKey(one, String(doc.key))))
  const next = others.at(-1) ?? (isOwn ? newKey() : undefined)
  if (next === undefined) {
    return {
      problem: `There is no new key in ${place}: put one behind the old one (openssl genpkey -algorithm ed25519 makes it), ${source.given === undefined ? '' : 'restart every replica with both, '}and say this again.`,
    }
  }
  const key = keyNamed(origin, publicBytesOf(next))
  const signature = old && signHandover(old, origin, { from, key })
  const { account, ...person } = by
  const doc = { key, from, ...(signature === undefined ? {} : { signature }), reason, account }
  // Both, until the new one is on record: whatever happens in between, a start finds the one that it needs.
  const keepBoth = (): void => {
    if (isOwn) keepKeys(source, [...(old === undefined ? [] : [old]), next])
  }
  const entry = { ...person, platform: 'terminal', doc }
  if (!(await auditTree.changeKey(from, key, entry, keepBoth))) {
    return { problem: 'Somebody else has changed the key in the same moment. Look at audit verify.' }
  }
  await auditTree.sequence(signerOf(() => [next]))
  if (isOwn)
    keepKeys(
      source,
      keysAt(source).filter((one) => !isKey(one, from)),
    )
  return { key }
}
