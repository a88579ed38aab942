import { mayDecide } from '../../kernel/actors/authorization.ts'
import { askGroups } from '../../kernel/actors/membership.ts'
import { executeOrLeave, mustGet } from '../../kernel/change/applying/execute.ts'
import { decideClauses, judgedAgain } from '../../kernel/change/deciding/decide-clauses.ts'
import { transition } from '../../kernel/change/transition.ts'
import type { Core } from '../../kernel/core.ts'
import { isCovered } from '../../kernel/law/advance.ts'
import { asksMore, needsApproval, partiesOf } from '../../kernel/law/clauses.ts'
import { step } from '../../kernel/law/law.ts'
import { signingKeysOf, weigh } from '../../kernel/law/weigh.ts'
import type { Change, Party } from '../../kernel/model/change.ts'
import { freezeOn } from '../../kernel/model/freeze.ts'
import { shownIn } from '../../kernel/model/shown.ts'
import { coreNow, policyNow } from '../../kernel/policy/in-force/policy-now.ts'
import { approveNamesOf, mayApprove, rolesNow } from '../../kernel/policy/people.ts'
import type { Granted } from '../../kernel/policy/policy.ts'
import type { Store } from '../../kernel/store/store.ts'
import { no, ok } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { hasRoom, leftWords } from './left.ts'
import { createGrants } from './store.ts'

const notCovered = refusal('not_pending', 'Nothing that was approved in advance covers this.')

/** Gives the votes for a request that were given in advance, each as its giver would now; nobody is asked for what they cover. */
export const voteInAdvance = async (core: Core, change: Change): Promise<Change> => {
  if (change.state !== 'pending' || !needsApproval(change.clauses)) return change
  const fresh = await coreNow(core)
  const { policy, store } = fresh
  const wanted = policy.granted?.filter(({ advance }) => advance !== undefined) ?? []
  if (wanted.length === 0) return change
  const grants = await Promise.all(wanted.map(({ id }) => store.of(createGrants).get(id)))
  const givers = grants.flatMap((grant) => grant?.by ?? [])
  const groups = await askGroups(fresh, [change.requester, ...givers, ...partiesOf(change.votes)])
  const rolesOf = (party: Party) => rolesNow(policy, party, groups(party) ?? [])
  let voted = change
  for (const granted of wanted) {
    if (voted.state !== 'pending' || !isCovered(policy, granted, voted, rolesOf(voted.requester))) continue
    const done = await transition(fresh, voted.id, (current, tx) =>
      voteOf(fresh, tx, current, granted, rolesOf),
    )
    if (done.ok) voted = done.value.change
  }
  return voted
}

/** Inside the transaction that counts it: of two requests for the last one that is left, one gets it. */
const voteOf = async (
  core: Core,
  store: Store,
  change: Change,
  { id }: Granted,
  rolesOf: (party: Party) => readonly string[],
) => {
  await store.lock({ alone: [`grant ${id}`], shared: ['grants'] })
  const kept = store.of(createGrants)
  const [policy, grant, uses, absences, freezes, owners] = await Promise.all([
    policyNow({ ...core, store }),
    kept.get(id),
    kept.uses(id),
    store.absences.active(),
    store.freezes.all(),
    store.passkeys.ownersOf(signingKeysOf(change)),
  ])
  const granted = policy.granted?.find((one) => one.id === id)
  if (grant === undefined || granted === undefined || change.state !== 'pending') return no(notCovered)
  if (!isCovered(policy, granted, change, rolesOf(change.requester))) return no(notCovered)
  if (freezeOn(freezes, change.area, change.requester) !== undefined) return no(notCovered)
  const amount = change.amount ?? 0
  if (!hasRoom(grant, uses, amount)) return no(notCovered)
  const decision = await decideClauses({ ...core, policy }, store, judgedAgain(core, change), 'claim')
  if (decision.beyond.length > 0 || asksMore(change.clauses, decision.clauses)) return no(notCovered)
  const by = { ...grant.by, roles: [...rolesOf(grant.by)] }
  if (!core.vouchesFor(by.platform) || !mayApprove(policy, by, approveNamesOf(change))) return no(notCovered)
  const at = core.now()
  const use = { changeId: change.id, amount, at }
  const event = {
    kind: 'vote' as const,
    by,
    mayVote: mayDecide(policy, { ...by, known: true }, change),
    shown: shownIn(change),
    weighed: weigh({ ...core, policy }, change, rolesOf, absences, owners),
    inAdvance: { grant: id, left: leftWords(grant, [...uses, use]) },
    at,
  }
  const voted = step(change, event)
  if (!voted.ok) return voted
  await kept.use(id, use)
  return ok(event)
}

/** The same where nobody waits for an answer: after a crash, or once what is asked for was changed. */
export const voteLater = async (core: Core, id: string): Promise<void> => {
  const voted = await voteInAdvance(core, await mustGet(core, id))
  if (voted.state === 'approved') await executeOrLeave(core, voted)
}
