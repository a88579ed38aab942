import { askerOf } from '../../src/pipeline/asker.ts'
import { readContext } from '../../src/pipeline/context.ts'
import { fromOf } from './asked.ts'
import type { Desk, Home, Viewer } from './desk.ts'
import { faultOf } from './errors.ts'
import { homeView } from './home-view.ts'

const settleMs = 1_500
const lately = 60 * 60_000
/** Slack takes about a hundred of them a minute. */
const most = 25

export const createHome = (desk: Omit<Desk, 'home'>): Home => {
  const viewers = new Map<string, Viewer & { at: number }>()
  let timer: NodeJS.Timeout | undefined

  const draw = async (viewer: Viewer): Promise<void> => {
    try {
      const { world } = desk.app
      const asker = askerOf(world.policy, await fromOf(desk, viewer))
      const view = await homeView(readContext(world, asker))
      await desk.web.views.publish({ user_id: viewer.account, view })
    } catch (error) {
      desk.log.warn(faultOf(error), 'a Home tab could not be drawn')
    }
  }
  const redraw = async (): Promise<void> => {
    timer = undefined
    for (const [account, { at }] of viewers) if (Date.now() - at > lately) viewers.delete(account)
    const newest = [...viewers.values()].toSorted((one, other) => other.at - one.at).slice(0, most)
    for (const viewer of newest) await draw(viewer)
  }
  return {
    opened: async (viewer) => {
      viewers.set(viewer.account, { ...viewer, at: Date.now() })
      await draw(viewer)
    },
    touch: () => {
      if (viewers.size > 0) timer ??= setTimeout(() => void redraw(), settleMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}
