import { administratorsOf } from '../../policy/people.ts'
import type { TaskInput } from '../../storage/tasks.ts'
import type { View } from '../../view/view.ts'
import type { Core } from '../core.ts'

type NoticeCore = Pick<Core, 'store' | 'policy' | 'now' | 'wake'>

/** Tells every administrator, once for a key: until it is forgotten, or for as long as deliveries are remembered. */
export const tellAdministrators = async (core: NoticeCore, key: string, view: View): Promise<void> => {
  const task = noticeOf(key)
  const dueAt = core.now()
  if (await core.store.deliveries.take(task, { kind: 'notice', key: task, doc: { key, view }, dueAt }))
    core.wake()
}

/** What was told is over: if it happens again, they hear of it again. */
export const forgetNotice = ({ store }: Pick<Core, 'store'>, key: string): Promise<void> =>
  store.deliveries.forget(noticeOf(key), noticeOf(key))

/** A message for each of them, so that one who cannot be reached delays no other. */
export const noticeTasks = (
  { policy, now }: Pick<NoticeCore, 'policy' | 'now'>,
  doc: unknown,
): TaskInput[] => {
  const { key, view } = doc as { key: string; view: View }
  return administratorsOf(policy).map(({ id }) => ({
    kind: 'tell_administrator',
    key: `${noticeOf(key)}:${id}`,
    doc: { person: id, view },
    dueAt: now(),
  }))
}

const noticeOf = (key: string): string => `notice:${key}`
