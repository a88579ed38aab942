import { z } from 'zod'
import { plainWords } from '../../lib/view/words.ts'
import type { Core } from '../core.ts'
import { isSettled } from '../law/law.ts'
import type { RequestEnd } from '../messenger/messenger.ts'
import type { Change } from '../model/change.ts'
import type { TaskInput } from '../store/tasks.ts'
import { statusOf } from './card.ts'

type EndCore = Pick<Core, 'messengers' | 'now'>

/** Tells the program that waits for a change how it ended. What is open again is told when it has ended again. */
export const completeRequest = async (core: EndCore, change: Change): Promise<void> => {
  const { id, state, origin } = change
  if (!isSettled(state) || origin.handle === null) return
  await complete(core, origin.platform, origin.handle, {
    id,
    state,
    message: plainWords(statusOf(change, core.now())),
  })
}

const refused = z.object({ platform: z.string(), handle: z.string(), message: z.string() })

/** For a request of which no change came. */
export const refusedTask = (doc: z.infer<typeof refused>, dueAt: number): TaskInput => ({
  kind: 'complete_refused',
  key: `complete:${doc.platform}:${doc.handle}`,
  doc,
  dueAt,
})

export const completeRefused = async (core: EndCore, doc: unknown): Promise<void> => {
  const { platform, handle, message } = refused.parse(doc)
  await complete(core, platform, handle, { id: null, state: 'refused', message })
}

/** After a crash it may be said again, to a messenger that knows it already. */
const complete = async (
  { messengers }: EndCore,
  platform: string,
  handle: string,
  end: RequestEnd,
): Promise<void> => {
  await messengers.get(platform)?.complete?.(handle, end)
}
