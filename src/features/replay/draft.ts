import { refusePartial } from '../../kernel/actors/authorization.ts'
import type { Actor } from '../../kernel/command/context.ts'
import type { Core } from '../../kernel/core.ts'
import type { Draft } from '../../kernel/messenger/bot.ts'
import type { PastRequest } from '../../kernel/model/change.ts'
import { whoMayRun } from '../../kernel/policy/listed.ts'
import { mayRun } from '../../kernel/policy/people.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import type { View } from '../../lib/view/view.ts'
import type { ComparedDraft, CompareInput } from './draft-work.ts'

/** It shows the policy and what everybody asked for, so it takes what these take. */
const needed = ['policy show', 'audit find']

/** Everything that reads a text of somebody's choice runs in a thread; this side only looks up what is stored. */
const entry = new URL('./draft-work.ts', import.meta.url)

/** A draft of the policy file beside the one in force: what differs, and what that would have meant for what was asked. */
export const replayDraft = async (
  core: Core,
  actor: Actor,
  { text, sinceMs }: Draft,
): Promise<Result<View>> => {
  const { policy } = core
  const missing = needed.filter((name) => !mayRun(policy, actor, [name]))
  if (missing.length > 0) {
    return no(
      refusal('may_not_run', `To compare a draft one must be allowed to run ${missing.join(' and ')}.`, {
        next: actor.known ? whoMayRun(policy, actor, missing) : 'Ask whoever keeps the policy.',
      }),
    )
  }
  const partial = refusePartial(policy, actor)
  if (partial !== undefined) return no(partial)
  const compared = await compareWithPast(core, actor.person, { text, sinceMs })
  return compared.ok ? ok(compared.value.view) : compared
}

/** The same for whoever proposes the draft, whatever they may look at: what they read of it is what `words` says. */
export const compareWithPast = async (
  { policy, policySource, store, now, workerThread }: Core,
  person: string,
  { text, sinceMs }: Draft,
): Promise<Result<ComparedDraft>> => {
  if (policySource === undefined) {
    return no(refusal('not_allowed_now', 'This bot was started without a policy file.'))
  }
  const before = (await store.policies.text(policy.digest)) ?? policySource.text
  let pages: AsyncIterator<PastRequest[]> | undefined
  const compared = await workerThread({
    entry,
    person,
    input: { text, before, since: now() - sinceMs } satisfies CompareInput,
    answers: {
      page: async (since) => {
        pages ??= store.changes.past(Number(since))[Symbol.asyncIterator]()
        const { done, value } = await pages.next()
        return done ? undefined : value
      },
      text: (digest) => store.policies.text(String(digest)),
    },
  })
  return compared.ok ? (compared.value as Result<ComparedDraft>) : compared
}
