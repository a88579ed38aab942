import { replayRequests } from '../../../src/features/replay/replay.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { policyOf, type TestApp } from '../../harness/app.ts'
import { file } from '../../harness/past-requests.ts'
import { sourceOf } from '../../harness/policy-source.ts'
import { changeOf } from '../../pipeline/harness.ts'

/** The requests of ninety days, judged by another text of the file. */
export const replayBy = ({ store, registry }: Pick<TestApp, 'store' | 'registry'>, text: string) => {
  const { load } = sourceOf(file, () => file, registry)
  return replayRequests({ store, registry, load }, policyOf(text, registry), {
    since: Date.now() - 90 * 86_400_000,
  })
}

/** Five requests, and so many copies of them that were applied, a second workerThread. The number of all of them. */
export const fillWithRequests = async (
  { say, store }: Pick<TestApp, 'say' | 'store'>,
  count: number,
): Promise<number> => {
  const some: Change[] = []
  for (const line of [
    'refund pay_1001 20',
    'refund pay_1002 120',
    'refund pay_1003 700',
    'refund pay_1005',
    'list create Autumn',
  ]) {
    some.push(changeOf(await say(line, 'sam')))
  }
  await store.tx(async (inner) => {
    for (let n = 0; n < count; n++) {
      const change = some[n % some.length] as Change
      await inner.changes.insert({
        ...change,
        id: `c${n}`,
        intent: `i${n}`,
        createdAt: change.createdAt - n * 1000,
        updatedAt: change.updatedAt - n * 1000,
        state: 'applied',
        steps: [{ at: change.createdAt - n * 1000, state: 'applied' }],
      })
    }
  })
  return count + some.length
}
