import { createRandom, pick } from '../../prove/random.ts'
import type { Change, Judged } from '../../src/kernel/model/change.ts'
import { evaluate } from '../../src/kernel/policy/evaluate.ts'
import { changeOf } from '../pipeline/harness.ts'
import { policyOf, type TestApp } from './app.ts'

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

/** So many requests of made-up sums, each judged by the file as it would have been, a second apart. */
export const fillWithGenerated = async (
  { app, say, store, registry }: Pick<TestApp, 'app' | 'say' | 'store' | 'registry'>,
  count: number,
): Promise<number> => {
  const policy = policyOf(file, registry)
  const some = [
    changeOf(await say('refund pay_1001 20 --customer cus_1001', 'sam')),
    changeOf(await say('list create Autumn', 'sam')),
  ]
  const random = createRandom(1)
  const below = (most: number) => Math.floor(random() * most)
  const until = app.core.now()
  await store.tx(async (inner) => {
    for (let n = 0; n < count; n++) {
      const like = some[below(8) === 0 ? 1 : 0] as Change
      const person = pick(random, policy.people)
      const amount = like === some[0] && below(10) > 0 ? below(90_000) / 100 : null
      const spent =
        like.judged?.spent.map((one) => ({ ...one, sums: [{ currency: 'EUR', sum: below(300) }] })) ?? []
      const same = { windowMs: policy.duplicates?.windowMs ?? 0, count: below(8) === 0 ? 1 : 0 }
      const decision = evaluate(policy, {
        names: like.names,
        area: like.area,
        movesMoney: like.area === 'billing',
        amount,
        currency: 'EUR',
        spent: ({ name }) => spent.find((one) => one.name === name)?.sums ?? [],
        duplicates: same.count,
      })
      const at = until - n * 1000
      await inner.changes.insert({
        ...like,
        id: `c${n}`,
        intent: `i${n}`,
        amount,
        currency: 'EUR',
        requester: {
          ...like.requester,
          person: person.id,
          account: person.id,
          name: person.name,
          roles: [...person.roles],
        },
        rule: decision.rule,
        clauses: decision.clauses,
        judged: {
          ...(like.judged as Judged),
          rule: decision.rule,
          amount,
          clauses: decision.clauses,
          expiresInMs: decision.expiresInMs,
          spent,
          same,
        },
        createdAt: at,
        updatedAt: at,
        state: 'applied',
        steps: [{ at, state: 'applied' }],
      })
    }
  })
  return count + some.length
}
