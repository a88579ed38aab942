import type { Config } from '../config.ts'
import { streamState } from '../core/stream.ts'
import { type CheckResult, checkFailed, checkPassed } from '../messenger/definition.ts'
import { plural } from '../view/button-labels.ts'
import { absolute } from '../view/format.ts'
import { fromStore } from './records.ts'

/** A receiver that is further behind than this needs a look. */
const lateMs = 300_000

/** Whether the receiver of the audit log's stream has what it should. */
export const checkStream = async ({
  policy,
  database,
}: Pick<Config, 'policy' | 'database'>): Promise<CheckResult[]> => {
  if (policy.stream === null) return []
  return fromStore(database, async (store) => {
    const state = await streamState(store, policy.stream, Date.now())
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
