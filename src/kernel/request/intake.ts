import { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import { note, type View } from '../../lib/view/view.ts'
import { isAlive } from '../claims/process-name.ts'
import type { Core } from '../core.ts'
import type { Intake } from '../messenger/intake.ts'
import { personOf } from '../policy/people.ts'
import type { Task } from '../store/tasks.ts'
import { deliver, waysTo } from '../telling/deliver.ts'

const taken = z.object({
  platform: z.string(),
  account: z.string(),
  /** Who works on it. */
  process: z.string(),
  at: z.number(),
  waits: z.boolean().optional(),
  payload: z.unknown(),
})

/** After this, the platforms no longer take an answer in the place of the question. */
const answerableMs = 10 * 60_000

export const createIntake = ({ store, process, now, timings, count }: Core): Intake => ({
  take: async (platform, delivery, { account, payload, waits }) => {
    const isFirst = await store.deliveries.take(idOf(platform, delivery), {
      kind: 'intake',
      key: keyOf(platform, delivery),
      doc: { platform, account, process, at: now(), payload, ...defined({ waits }) },
      dueAt: now() + timings.lifeMs,
    })
    if (!isFirst) count({ kind: 'repeated', platform })
    return isFirst
  },
  done: async (platform, delivery) => {
    await store.tasks.drop([keyOf(platform, delivery)])
  },
  forget: (platform, delivery) =>
    store.deliveries.forget(idOf(platform, delivery), keyOf(platform, delivery)),
})

const idOf = (platform: string, delivery: string): string => `taken:${platform}:${delivery}`

const keyOf = (platform: string, delivery: string): string => `intake:${platform}:${delivery}`

/** What a dead process had acknowledged and not answered: another one answers it, or says that nobody did. */
export const deliverAgain = async (core: Core, { doc }: Task): Promise<number | undefined> => {
  const { platform, account, process, at, waits, payload } = taken.parse(doc)
  const isOver = !waits && core.now() - at > answerableMs
  if (await isAlive(core.store, process)) {
    return isOver ? undefined : core.now() + core.timings.lifeMs
  }
  const messenger = core.messengers.get(platform)
  if (messenger === undefined) return undefined
  if (!isOver && messenger.redeliver !== undefined) {
    await messenger.redeliver(payload)
    return undefined
  }
  const { person, name: to } = personOf(core.policy, { platform, account, groups: [] })
  const ways = waysTo(core, { person, platform, account }, (one, at) => one.direct(at, unanswered))
  await deliver(core, { kind: 'answer', to, about: { command: 'bellhop status' } }, ways)
  return undefined
}

const unanswered: View = {
  title: 'A command of yours was not answered',
  tone: 'warn',
  blocks: [
    note('plain', 'The bot was restarted while it worked on it, and nobody answered in time. Send it again.'),
    note('plain', 'If it asked for a change, look at approval list first: what was asked for is there.'),
  ],
}
