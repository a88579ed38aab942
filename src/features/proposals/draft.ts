import type { Core } from '../../kernel/core.ts'
import { differencesOf } from '../../kernel/policy/file/differences.ts'
import { following, sealIn } from '../../kernel/policy/file/seal.ts'
import type { PolicyReading, PolicySource } from '../../kernel/policy/in-force/policy-source.ts'
import { msBetween, type Tick } from '../../lib/clock.ts'
import { textDigestOf } from '../../lib/codecs/canonical-json.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { compareWithPast } from '../replay/draft.ts'
import { editedText, readEdits } from './edit.ts'

/** What a proposal would make of the file: a draft that names the version it follows. */
export type PolicyProposal = {
  edits: string
  /** The digest of the version that it changes. */
  follows: string
  /** Of the text that it would be. */
  digest: string
  changes: string[]
  warnings: string[]
  /** What would have been decided otherwise in the last month. */
  past: string[]
  /** Whose signatures the file needs before it comes into force; none, and it does at once. */
  signatures: string[]
}

const monthMs = 30 * 86_400_000

/** The text that edits make of another; a sealed one says which version it follows, as those who sign it want it. */
const proposedText = (before: string, written: string): Result<string> => {
  const edits = readEdits(written)
  const edited = edits.ok ? editedText(before, edits.value) : edits
  if (!edited.ok)
    return no(
      refusal('bad_value', `This cannot be proposed: ${edited.why}.`, {
        next: 'Write the place, =, + or -, and a value, such as roles.support.run + "audit verify".',
      }),
    )
  return ok(sealIn(before) === null ? edited.value : following(edited.value, textDigestOf(before)))
}

export const draftProposal = async (
  core: Core,
  person: string,
  edits: string,
): Promise<Result<PolicyProposal>> => {
  const { policy, policySource, store } = core
  if (policySource === undefined)
    return no(
      refusal('not_allowed_now', 'This bot was started without a policy file.', {
        next: 'Start it with one.',
      }),
    )
  const before = (await store.policies.text(policy.digest)) ?? policySource.text
  const text = proposedText(before, edits)
  if (!text.ok) return text
  const reading = readAsFile(policySource, text.value)
  if (!reading.ok)
    return no(
      refusal('bad_policy', 'The proposed file is refused:', { lines: reading.problems.slice(0, 20) }),
    )
  const seal = sealIn(before)
  return ok({
    edits,
    follows: textDigestOf(before),
    digest: textDigestOf(text.value),
    changes: differencesOf(before, text.value).filter((words) => !words.startsWith('Follows ')),
    warnings: reading.warnings(),
    past: await pastWords(core, person, text.value),
    signatures:
      seal === null
        ? []
        : [`${plural(seal.count, 'signature')} of ${seal.keys.map(({ name }) => name).join(', ')}`],
  })
}

/** What was compared a moment ago: a request is prepared once more when it is approved. */
const compared = new WeakMap<Core['store'], { key: string; at: Tick; words: string[] }>()
const freshMs = 10 * 60_000

const pastWords = async (core: Core, person: string, text: string): Promise<string[]> => {
  const { policy, store, ticks } = core
  const key = `${policy.digest} ${textDigestOf(text)}`
  const known = compared.get(store)
  if (known?.key === key && msBetween(known.at, ticks()) < freshMs) return known.words
  const found = await compareWithPast(core, person, { text, sinceMs: monthMs })
  if (!found.ok) return [`It could not be compared: ${found.refusal.message}`]
  compared.set(store, { key, at: ticks(), words: found.value.words })
  return found.value.words
}

/** The two texts of a proposal; nothing where the version that it follows is not kept. */
export const textsOf = async (
  { store }: Pick<Core, 'store'>,
  { follows, edits }: Pick<PolicyProposal, 'follows' | 'edits'>,
): Promise<{ before: string; after: string } | undefined> => {
  const before = await store.policies.text(follows)
  const after = before === undefined ? undefined : proposedText(before, edits)
  return before === undefined || after?.ok !== true ? undefined : { before, after: after.value }
}

/** With all that a start would look at. */
export const readAsFile = (source: PolicySource, text: string): PolicyReading =>
  (source.accept ?? source.load)(text)
