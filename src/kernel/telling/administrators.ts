import { defined } from '../../lib/defined.ts'
import { note, type View } from '../../lib/view/view.ts'
import type { Core } from '../core.ts'
import type { Space } from '../model/workspace.ts'
import { administratorsOf } from '../policy/people.ts'
import { isListedIn } from '../policy/workspaces.ts'
import type { TaskInput } from '../store/tasks.ts'

type NoticeCore = Pick<Core, 'store' | 'policy' | 'now' | 'wake'>

/**
 * Tells every administrator, once for a key: until it is forgotten, or for as long as deliveries are remembered. What happened
 * `within` a workspace is for those who are listed there.
 */
export const tellAdministrators = async (
  core: NoticeCore,
  key: string,
  view: View,
  within?: Within,
): Promise<void> => {
  const task = noticeOf(key)
  const dueAt = core.now()
  if (
    await core.store.deliveries.take(task, {
      kind: 'notice',
      key: task,
      doc: { key, view, ...defined({ within }) },
      dueAt,
    })
  )
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
  const { key, view, within } = doc as { key: string; view: View; within?: Within }
  const all = administratorsOf(policy)
  const there = all.filter(({ id }) => within === undefined || isListedIn(policy, id, { requester: within }))
  const { whom, told } =
    there.length > 0 ? { whom: there, told: view } : { whom: all, told: unlistedView(within ?? {}) }
  return whom.map(({ id }) => ({
    kind: 'tell_administrator',
    key: `${noticeOf(key)}:${id}`,
    doc: { person: id, view: told },
    dueAt: now(),
  }))
}

type Within = { space?: Space }

/** For those who are of another workspace: that there is something, and nothing of it. */
const unlistedView = ({ space }: Within): View => ({
  title: `The workspace ${space ?? 'of the bot’s own tokens'} needs an administrator`,
  tone: 'warn',
  blocks: [
    note(
      'plain',
      'Something there is for an administrator to know, and bellhop.yml lists none of them in it. Add an account there to one of them, and look at audit find.',
    ),
  ],
})

const noticeOf = (key: string): string => `notice:${key}`
