import { changeFor, sightOf } from '../../kernel/actors/delegates.ts'
import type { Core } from '../../kernel/core.ts'
import { type Acting, defineFeature } from '../../kernel/feature.ts'
import { takeIn } from '../../kernel/policy/in-force/policy-versions.ts'
import { besideProposed } from '../../kernel/policy/in-force/proposed.ts'
import { isAdministrator } from '../../kernel/policy/people.ts'
import { tellAdministrators } from '../../kernel/telling/administrators.ts'
import { code, note } from '../../lib/view/view.ts'
import { replay } from '../replay/index.ts'
import { draftProposal, type PolicyProposal, readAsFile, textsOf } from './draft.ts'
import { patchOf } from './patch.ts'

declare module '../../lib/view/button-labels.ts' {
  interface FeatureVerbs {
    propose: true
  }
}

type Approved = Pick<PolicyProposal, 'edits' | 'follows' | 'digest' | 'signatures'>

/** What became of it: in force, waiting for signatures, or why nothing was changed. */
type Put = { state: 'in force' } | { state: 'unsigned' } | { state: 'refused'; why: string }

/** Puts what people approved into force, as it was shown, or keeps it for those who sign. */
const put = async (core: Core, { id, requester }: Acting, approved: Approved): Promise<Put> => {
  const { policySource } = core
  const texts = await textsOf(core, approved)
  const reading = texts && policySource && readAsFile(policySource, texts.after)
  if (texts === undefined || reading?.ok !== true || reading.policy.digest !== approved.digest)
    return { state: 'refused', why: 'It can no longer be read as it was shown.' }
  const isUnsigned = approved.signatures.length > 0
  const why = isUnsigned
    ? undefined
    : await takeIn(core, { ...reading, signatures: '' }, requester, { id, follows: approved.follows })
  if (why !== undefined) return { state: 'refused', why }
  await tellKeeper(core, id, { ...texts, signatures: approved.signatures })
  return { state: isUnsigned ? 'unsigned' : 'in force' }
}

/** The file is written by people alone: they are told once what to write. */
const tellKeeper = (
  core: Core,
  id: string,
  { before, after, signatures }: { before: string; after: string; signatures: readonly string[] },
): Promise<void> =>
  tellAdministrators(core, `proposal:${id}`, {
    title:
      signatures.length > 0 ? 'A proposal waits for its signatures' : 'Write a proposal into the policy file',
    tone: 'warn',
    blocks: [
      note(
        'plain',
        signatures.length > 0
          ? `It was approved, and needs ${signatures.join('')}. Write it into the file, sign it, and take it in with policy reload.`
          : 'It was approved and is in force from here. The file does not have it yet.',
      ),
      code(patchOf('bellhop.yml', before, after)),
      note('plain', `policy patch ${id} gives it as a file for git apply.`),
    ],
  })

/** Changes of the policy that people press for: a draft of the file, approved like one that is taken in. */
export const proposals = defineFeature({
  name: 'proposals',
  needs: [replay],
  verbs: {
    propose: { label: 'Propose it', does: 'request', runs: { command: 'policy propose', param: 'edits' } },
  },
  records: (core, actor) => ({
    draft: (edits: string) => draftProposal(core, actor.person, edits),
    /** As a patch: of one proposal that the actor may see or keeps the file for, or of all that is in force and not in the file. */
    patch: async (id: string | undefined): Promise<string | undefined> => {
      if (id === undefined) {
        const file = core.policySource?.read()
        const beside = file?.ok ? await besideProposed(core.store, file.text) : undefined
        return file?.ok && beside !== undefined ? patchOf('bellhop.yml', file.text, beside.text) : undefined
      }
      const change = await changeFor(core, actor, id)
      if (change?.command !== 'policy propose') return undefined
      if (!isAdministrator(core.policy, actor) && !(await sightOf(core, actor))(change)) return undefined
      const texts = await textsOf(core, change.plan as PolicyProposal)
      return texts && patchOf('bellhop.yml', texts.before, texts.after)
    },
  }),
  acts: (core, change) => ({ put: (approved: Approved) => put(core, change, approved) }),
})
