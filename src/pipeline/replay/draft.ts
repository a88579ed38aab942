import type { Asker } from '../../command/context.ts'
import type { Core } from '../../core/core.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { differencesOf } from '../../policy/file/differences.ts'
import { mayRun } from '../../policy/people.ts'
import { refusal } from '../../view/refusals.ts'
import { list, note, type View } from '../../view/view.ts'
import { replay } from './replay.ts'
import { replayView } from './view.ts'

/** It shows the policy and what everybody asked for, so it takes what these take. */
const needed = ['policy show', 'audit find']

/** A draft of the policy file beside the one in force: what differs, and what that would have meant for what was asked. */
export const replayDraft = async (
  { policy, policySource, store, registry, now }: Core,
  asker: Asker,
  text: string,
  sinceMs: number,
): Promise<Result<View>> => {
  const missing = needed.filter((name) => !mayRun(policy, asker, [name]))
  if (missing.length > 0) {
    return no(
      refusal('may_not_run', `To compare a draft one must be allowed to run ${missing.join(' and ')}.`, {
        next: 'Ask whoever keeps the policy.',
      }),
    )
  }
  if (policySource === undefined) {
    return no(refusal('not_allowed_now', 'This bot was started without a policy file.'))
  }
  const reading = policySource.load(text)
  if (!reading.ok) {
    const problems = reading.problems.map((problem) => problem.replace(policySource.from, 'draft'))
    return no(refusal('bad_policy', `The draft is refused:\n${problems.slice(0, 20).join('\n')}`))
  }
  const before = (await store.policies.text(policy.digest)) ?? policySource.text
  const found = await replay({ store, registry, load: policySource.load }, reading.policy, {
    since: now() - sinceMs,
  })
  const changes = differencesOf(before, text)
  const view = replayView(found)
  return ok({
    ...view,
    blocks: [
      list(changes.length === 0 ? ['It says the same as the policy in force.'] : changes),
      ...reading.warnings().map((words) => note('warn', words.replace(policySource.from, 'draft'))),
      ...view.blocks,
    ],
  })
}
