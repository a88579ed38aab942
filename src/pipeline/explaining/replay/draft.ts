import type { Asker } from '../../../command/context.ts'
import type { Registry } from '../../../command/registry.ts'
import type { Core } from '../../../core/core.ts'
import { whyNotWhole } from '../../../core/people/authorization.ts'
import type { PolicySource } from '../../../core/policy/policy-source.ts'
import type { PastRequest } from '../../../model/change.ts'
import { no, ok, type Result } from '../../../model/result.ts'
import { differencesOf } from '../../../policy/file/differences.ts'
import { whoMayRun } from '../../../policy/listed.ts'
import { mayRun } from '../../../policy/people.ts'
import { refusal } from '../../../view/refusals.ts'
import { list, note, type View } from '../../../view/view.ts'
import { replay } from './replay.ts'
import { replayView } from './view.ts'

/** It shows the policy and what everybody asked for, so it takes what these take. */
const needed = ['policy show', 'audit find']

/** Everything that reads a text of somebody's choice runs there; this side only looks up what is stored. */
const thread = new URL('../../../cli/policy/draft-thread.ts', import.meta.url)

/** A draft of the policy file beside the one in force: what differs, and what that would have meant for what was asked. */
export const replayDraft = async (
  { policy, policySource, store, now, apart }: Core,
  asker: Asker,
  text: string,
  sinceMs: number,
): Promise<Result<View>> => {
  const missing = needed.filter((name) => !mayRun(policy, asker, [name]))
  if (missing.length > 0) {
    return no(
      refusal('may_not_run', `To compare a draft one must be allowed to run ${missing.join(' and ')}.`, {
        next: asker.known ? whoMayRun(policy, asker, missing) : 'Ask whoever keeps the policy.',
      }),
    )
  }
  const partial = whyNotWhole(policy, asker)
  if (partial !== undefined) return no(partial)
  if (policySource === undefined) {
    return no(refusal('not_allowed_now', 'This bot was started without a policy file.'))
  }
  const before = (await store.policies.text(policy.digest)) ?? policySource.text
  let pages: AsyncIterator<PastRequest[]> | undefined
  const compared = await apart({
    entry: thread,
    person: asker.person,
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
  return compared.ok ? (compared.value as Result<View>) : compared
}

export type CompareInput = { text: string; before: string; since: number }

/** In the thread: `ask` has the next page of what was asked since a time, and the text of a version. */
export const compareDraft = async (
  { text, before, since }: CompareInput,
  deps: {
    registry: Registry
    load: PolicySource['load']
    ask(name: 'page' | 'text', about: unknown): Promise<unknown>
  },
): Promise<Result<View>> => {
  const { registry, load, ask } = deps
  const reading = load(text)
  if (!reading.ok) {
    return no(refusal('bad_policy', `The draft is refused:\n${reading.problems.slice(0, 20).join('\n')}`))
  }
  const store = {
    changes: {
      past: async function* (from: number) {
        for (;;) {
          const page = (await ask('page', from)) as PastRequest[] | undefined
          if (page === undefined) return
          yield page
        }
      },
    },
    policies: { text: async (digest: string) => (await ask('text', digest)) as string | undefined },
  }
  const view = replayView(await replay({ store, registry, load }, reading.policy, { since }))
  const changes = differencesOf(before, text)
  return ok({
    ...view,
    blocks: [
      list(changes.length === 0 ? ['It says the same as the policy in force.'] : changes),
      ...reading.warnings().map((words) => note('warn', words)),
      ...view.blocks,
    ],
  })
}
