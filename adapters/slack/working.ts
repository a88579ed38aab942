import type { View } from '../../src/view/view.ts'
import type { Asked } from './asked.ts'
import type { Desk } from './desk.ts'
import { faultOf } from './errors.ts'
import { type Posted, postMessage, postPrivate, respond } from './post.ts'
import type { Line } from './respond.ts'

/** After so long people wonder whether anything happens. */
const patienceMs = 700

const view: View = { title: 'Working on it…', tone: 'plain', blocks: [] }

/** What stands where the answer will: nothing, a message to edit, or something that a response_url replaces. */
export type Sign = Posted | 'line' | undefined

/** Shows that work is going on if it takes a while. `settle` ends it and says what is shown by then. */
export const startSign = (desk: Desk, asked: Asked): { settle(): Promise<Sign> } => {
  let showing: Promise<Sign> | undefined
  const timer = setTimeout(() => {
    showing = show(desk, asked).catch((error: unknown) => {
      desk.log.debug(faultOf(error), 'a sign of work could not be shown')
      return undefined
    })
  }, patienceMs)
  return {
    settle: async () => {
      clearTimeout(timer)
      return showing
    },
  }
}

/** Whether a sign stands there that the caller, and nobody else, may replace. */
export const takeSign = async ({ signs }: Pick<Desk, 'signs'>, { url }: Line): Promise<boolean> => {
  const standing = signs.get(url)
  signs.delete(url)
  return (await standing) ?? false
}

const show = async (desk: Desk, { line, channel, account, thread }: Asked): Promise<Sign> => {
  if (line !== undefined && desk.responder.isAlive(line)) {
    const shown = respond(desk, line, view, { isPrivate: true, replaces: false })
    desk.signs.set(
      line.url,
      shown.then(
        () => true,
        () => false,
      ),
    )
    await shown
    return 'line'
  }
  if (channel?.startsWith('D')) return postMessage(desk, channel, view, thread)
  if (channel !== null) await postPrivate(desk, { channel, user: account, thread }, view)
  return undefined
}
