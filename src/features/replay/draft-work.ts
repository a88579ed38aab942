import type { ThreadDeps } from '../../kernel/load/in-thread.ts'
import type { PastRequest } from '../../kernel/model/change.ts'
import { differencesOf } from '../../kernel/policy/file/differences.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { list, note, type View } from '../../lib/view/view.ts'
import { replayRequests } from './replay.ts'
import { replayView, replayWords } from './view.ts'

/** In words for a card, and as a page. */
export type ComparedDraft = { words: string[]; view: View }

export type CompareInput = { text: string; before: string; since: number }

/** In the thread: asks for the next page of what was asked since a time, and for the text of a version. */
export const work = async (
  { text, before, since }: CompareInput,
  { registry, load, ask }: ThreadDeps,
): Promise<Result<ComparedDraft>> => {
  const reading = load(text)
  if (!reading.ok) {
    return no(refusal('bad_policy', 'The draft is refused:', { lines: reading.problems.slice(0, 20) }))
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
  const found = await replayRequests({ store, registry, load }, reading.policy, { since })
  const view = replayView(found)
  const changes = differencesOf(before, text)
  const blocks = [
    list(changes.length === 0 ? ['It says the same as the policy in force.'] : changes),
    ...reading.warnings().map((words) => note('warn', words)),
    ...view.blocks,
  ]
  return ok({ words: replayWords(found), view: { ...view, blocks } })
}
