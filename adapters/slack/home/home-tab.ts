import { msBetween, type Tick } from '../../../src/lib/clock.ts'
import { slackErrorFields } from '../api/errors.ts'
import { isHomeKnown, slackSenderOf } from '../context/request.ts'
import type { HomeTab, HomeViewer, SlackContext } from '../context/slack-context.ts'
import { homeView } from './home-view.ts'

const redrawDelayMs = 1_500
const recentMs = 60 * 60_000
/** Slack takes about a hundred of them a minute. */
const maxRedrawn = 25

export const createHomeTab = (slack: Omit<SlackContext, 'home'>): HomeTab => {
  const viewers = new Map<string, HomeViewer & { at: Tick }>()
  const drawing = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  const publish = async (viewer: HomeViewer): Promise<void> => {
    try {
      // The Home tab of a stranger is not shown to one of ours: it is drawn when it is opened again.
      if (!(await isHomeKnown(slack))) return
      const view = await homeView(slack.bot.readsOf(await slackSenderOf(slack, viewer)))
      await slack.web.views.publish({ user_id: viewer.account, view })
    } catch (error) {
      slack.log.warn(slackErrorFields(error), 'a Home tab could not be drawn')
    }
  }
  /** One at a time for each of them, so that nothing older is published over what is newer. */
  const draw = async (viewer: HomeViewer): Promise<void> => {
    const drawn = (drawing.get(viewer.account) ?? Promise.resolve()).then(() => publish(viewer))
    drawing.set(viewer.account, drawn)
    await drawn
    if (drawing.get(viewer.account) === drawn) drawing.delete(viewer.account)
  }
  const redraw = async (): Promise<void> => {
    timer = undefined
    for (const [account, { at }] of viewers)
      if (msBetween(at, slack.bot.ticks()) > recentMs) viewers.delete(account)
    const newest = [...viewers.values()]
      .toSorted((one, other) => msBetween(one.at, other.at))
      .slice(0, maxRedrawn)
    for (const viewer of newest) await draw(viewer)
  }
  return {
    opened: async (viewer) => {
      viewers.set(viewer.account, { ...viewer, at: slack.bot.ticks() })
      await draw(viewer)
    },
    redrawSoon: () => {
      if (viewers.size > 0) timer ??= setTimeout(() => void redraw(), redrawDelayMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}
