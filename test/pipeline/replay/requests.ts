import type { Change } from '../../../src/model/change.ts'
import { replay } from '../../../src/pipeline/replay/replay.ts'
import { policyOf, sourceOf, type TestApp } from '../../harness/app.ts'
import { changeOf } from '../harness.ts'

export const file = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
  - { id: finn, name: Finn, roles: [finance] }
  - { id: ona, name: Ona, roles: [owner] }
roles:
  support: { run: [refund, "list *", upgrade, "campaign *"] }
  finance: { run: ["*"], approve: ["*"] }
  owner: { run: ["*"], approve: ["*"] }
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: refund, commands: [refund], amount: { upTo: 500 }, require: { approvals: 1, from: [finance] } }
  - { name: large refund, commands: [refund], require: [{ approvals: 2, from: [finance] }, { approvals: 1, from: [owner] }] }
  - { name: lists, commands: ["list *"], require: none }
budgets:
  - { name: refunds a day, commands: [refund], per: requester, window: 24h, limit: 200, then: { approvals: 2, from: [finance] } }
duplicates: { window: 30m }
`

/** No request was judged by this budget, so a replay adds up what it held at each of them. */
export const withBudgetOfAll = file.replace(
  'budgets:\n',
  'budgets:\n  - { name: all, commands: ["*"], per: everyone, window: 7d, limit: 130, then: { approvals: 1, from: [owner] } }\n',
)

/** The requests of ninety days, judged by another text of the file. */
export const replayBy = ({ store, registry }: Pick<TestApp, 'store' | 'registry'>, text: string) => {
  const { load } = sourceOf(file, () => file, registry)
  return replay({ store, registry, load }, policyOf(text, registry), {
    since: Date.now() - 90 * 86_400_000,
  })
}

/** Five requests, and so many copies of them that were applied, a second apart. The number of all of them. */
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
