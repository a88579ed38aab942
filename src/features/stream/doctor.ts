import type { Checked } from '../../kernel/feature.ts'
import { type CheckResult, checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
import { wallTime } from '../../lib/clock.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { absolute } from '../../lib/view/format.ts'
import { streamState } from './give.ts'
import { streamOf } from './section.ts'

/** A receiver that is further behind than this needs a look. */
const lateMs = 300_000

/** Whether the receiver of the audit log's stream has what it should. */
export const checkStream = async ({ policy, fromStore }: Checked): Promise<CheckResult[]> => {
  const rule = streamOf(policy)
  if (rule === undefined) return []
  return fromStore(async (store) => {
    const state = await streamState(store, rule, wallTime())
    if (state === undefined) return []
    const { to, behind, lagMs, away } = state
    const lag = behind === 0 ? 'has everything' : `is ${plural(behind, 'entry', 'entries')} behind`
    if (away !== undefined)
      return [
        checkFailed(
          'stream',
          `${to} is away since ${absolute(away.since)}: ${away.why}. It ${lag}, and gets them when it is back.`,
        ),
      ]
    return [
      lagMs > lateMs
        ? checkFailed('stream', `${to} ${lag}, for over five minutes. Is a bot running that gives them out?`)
        : checkPassed('stream', `${to} ${lag}.`),
    ]
  })
}
