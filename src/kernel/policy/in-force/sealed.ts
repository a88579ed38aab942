import { textDigestOf } from '../../../lib/codecs/canonical-json.ts'
import { note } from '../../../lib/view/view.ts'
import type { Core } from '../../core.ts'
import type { Store } from '../../store/store.ts'
import { tellAdministrators } from '../../telling/administrators.ts'
import { sealIn, signersOf, whyNotNext, whyUnsealed } from '../file/seal.ts'

/** Who signed it, where that is asked; or why it stays out, and the text that is in force and stays, if there is one. */
type Sealing = { ok: true; sealedBy: string[] | null } | { ok: false; why: string; stays: string | undefined }

export type SealedStore = { policies: Pick<Store['policies'], 'newest' | 'text'> }

/**
 * The one place that says whether a policy file may come into force. The newest version in the store names the keys for
 * the next one; the first file that has a seal is signed by its own.
 */
export const sealingOf = async (
  { policies }: SealedStore,
  file: { text: string; signatures: string; from: string },
): Promise<Sealing> => {
  const newest = await policies.newest()
  const before = newest === undefined ? undefined : await policies.text(newest.digest)
  if (before === file.text) return { ok: true, sealedBy: null }
  const asked = before === undefined ? null : sealIn(before)
  const seal = asked ?? sealIn(file.text)
  if (seal === null) return { ok: true, sealedBy: null }
  const why =
    whyUnsealed(seal, file) ??
    (asked === null || newest === undefined ? undefined : whyNotNext(file.text, file.from, newest.digest))
  return why === undefined
    ? { ok: true, sealedBy: signersOf(seal, file.text, file.signatures) }
    : { ok: false, why, stays: before }
}

/** The text of the policy in force if it is sealed: what a start uses whose file cannot be read. */
export const sealedText = async ({ policies }: SealedStore): Promise<string | undefined> => {
  const newest = await policies.newest()
  const text = newest === undefined ? undefined : await policies.text(newest.digest)
  return text !== undefined && sealIn(text) !== null ? text : undefined
}

/** Once for each reason: a file that nobody mends is not told again at every start. */
export const tellUnsealed = async (
  core: Pick<Core, 'store' | 'policy' | 'now' | 'wake' | 'log'>,
  why: string,
): Promise<void> => {
  core.log.error({}, why)
  await tellAdministrators(core, `unsealed:${textDigestOf(why).slice(0, 16)}`, {
    title: 'The policy file is not in force',
    tone: 'bad',
    blocks: [note('bad', why), note('plain', 'The policy in force stays as it is.')],
  })
}
