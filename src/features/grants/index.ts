import { z } from 'zod'
import type { Actor } from '../../kernel/command/context.ts'
import type { Core } from '../../kernel/core.ts'
import { type ChangeStep, defineFeature, taskOf } from '../../kernel/feature.ts'
import { needsApproval } from '../../kernel/law/clauses.ts'
import { type Change, type ChangeState, effectiveStates } from '../../kernel/model/change.ts'
import { editionOf } from '../../kernel/model/shown.ts'
import type { Demanded, Policy } from '../../kernel/policy/policy.ts'
import { isOfWorkspace } from '../../kernel/policy/workspaces.ts'
import type { Store } from '../../kernel/store/store.ts'
import { printDuration } from '../../lib/codecs/duration.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { grantTermsOf, usualMs, type WantedGrant, withGrant } from './ask.ts'
import { giversOf, grantedOf, ruleOfGrant, whyOver } from './in-force.ts'
import { leftWords } from './left.ts'
import { endGrant, endThoseOver, grantsTask, lookedMs } from './over.ts'
import { grantRulesOf, grantsSection } from './section.ts'
import { createGrants, type Grant, type GrantTerms, grantTables } from './store.ts'
import { voteInAdvance, voteLater } from './vote.ts'

export { grantWords } from './left.ts'
export type { Grant, GrantTerms } from './store.ts'
export { termsSchema } from './store.ts'

declare module '../../lib/view/button-labels.ts' {
  interface FeatureVerbs {
    end_grant: true
    ask_grant: true
  }
}

const keptMs = 90 * 24 * 3_600_000

/** Those in force, of all people. */
export const grantsInForce = async ({
  policy,
  store,
  now,
}: Pick<Core, 'policy' | 'now'> & { store: Pick<Store, 'of'> }): Promise<Grant[]> =>
  grantRulesOf(policy).length === 0
    ? []
    : (await store.of(createGrants).open()).filter((grant) => whyOver(policy, grant, now()) === undefined)

/** What a grant needs besides what the policies ask: the approvals that its rule says. */
export const demandedBy = (terms: Pick<GrantTerms, 'rule' | 'digest'>, policy: Policy): Demanded => {
  const rule = ruleOfGrant(policy, terms)
  return {
    because: `grants "${terms.rule}"`,
    needs: [rule?.require ?? { kind: 'approvals', count: 1, from: [] }],
  }
}

/** Whom it concerns: its holder, its givers, and everybody of the workspace that it was asked for in. */
const seenBy = ({ policy }: Core, actor: Actor, grant: Grant): boolean =>
  (actor.agent ?? actor.person) === grant.holder.id ||
  giversOf(grant).some(({ person }) => person === actor.person) ||
  isOfWorkspace(policy, actor, { requester: grant.by })

/** A use counts as long as its change may have run or may still run; of one that ended with nothing done, it comes back. */
const isUsed = (state: ChangeState): boolean => uses.has(state)
const uses: ReadonlySet<ChangeState> = new Set(['pending', 'approved', ...effectiveStates])

const followUses = async (tx: Store, { before, after, policy }: ChangeStep): Promise<void> => {
  const used = after.votes.flatMap(({ inAdvance }) => inAdvance?.grant ?? [])
  const hadUsed = before?.votes.some(({ inAdvance }) => inAdvance !== undefined) === true
  const kept = tx.of(createGrants)
  if (hadUsed && (used.length === 0 || !isUsed(after.state))) await kept.unuse(after.id)
  if (used.length > 0 && isUsed(after.state))
    for (const id of used)
      await kept.use(id, { changeId: after.id, amount: after.amount ?? 0, at: after.updatedAt })
  const isAnew = before === undefined || editionOf(before) !== editionOf(after)
  const isWanted = policy.granted?.some(({ advance }) => advance !== undefined) === true
  if (isWanted && isAnew && after.state === 'pending' && needsApproval(after.clauses))
    await tx.tasks.put({
      kind: 'grant_votes',
      key: `grant_votes:${after.id}`,
      doc: { id: after.id },
      dueAt: after.updatedAt,
    })
}

const buttonsOn = ({ votes, state }: Change) =>
  !isUsed(state)
    ? []
    : votes.flatMap(({ inAdvance }) =>
        inAdvance === undefined ? [] : { verb: 'end_grant' as const, id: inAdvance.grant },
      )

/** Rights with an end: commands that somebody may run for a while, and requests that somebody has approved in advance. */
export const grants = defineFeature({
  name: 'grants',
  policy: grantsSection,
  tables: grantTables,
  verbs: {
    end_grant: { label: 'End the grant', does: 'request', runs: { command: 'grant end', param: 'id' } },
    ask_grant: { label: 'Ask for it', does: 'request', runs: { command: 'grant create', param: 'run' } },
  },
  grants: async (store, policy, now) =>
    (await grantsInForce({ store, policy, now: () => now })).map((grant) => grantedOf(policy, grant)),
  vote: voteInAdvance,
  onRefused: withGrant,
  onCard: buttonsOn,
  onStep: followUses,
  onPolicy: async (core) => {
    await endThoseOver(core)
  },
  tasks: {
    grants: taskOf(z.object({}), endThoseOver),
    grant_votes: taskOf(z.object({ id: z.string() }), (core, { id }) => voteLater(core, id)),
  },
  prune: (store, now) => store.of(createGrants).prune(now - keptMs),
  returns: {
    grants: {
      sql: 'DELETE FROM grants',
      said: (n) =>
        `${plural(n, 'grant')} may have been ended or used up since: none is in force now. Give again what is still wanted`,
    },
    grant_uses: { sql: 'DELETE FROM grant_uses', said: () => undefined },
  },
  records: (core, actor) => {
    const kept = core.store.of(createGrants)
    return {
      /** What would be given, and by which rule. */
      check: (person: { id: string; name: string } | undefined, wanted: WantedGrant) =>
        grantTermsOf(core, actor, person, wanted),
      /** Until when, as it is written, where nobody says. */
      usualTime: (wanted: Pick<WantedGrant, 'run' | 'approve'>) =>
        `in ${printDuration(usualMs(core.policy, wanted))}`,
      /** One that the actor may see, whether it is over or not. */
      get: async (id: string) => {
        const grant = await kept.get(id)
        return grant !== undefined && seenBy(core, actor, grant) ? grant : undefined
      },
      /** Those in force that the actor may see, the next to end first, each with what is left of it. */
      list: async () =>
        Promise.all(
          (await grantsInForce(core))
            .filter((grant) => seenBy(core, actor, grant))
            .map(async (grant) => ({
              ...grant,
              givers: giversOf(grant).map(({ name }) => name),
              left: grant.does === 'run' ? undefined : leftWords(grant, await kept.uses(grant.id)),
            })),
        ),
    }
  },
  acts: (core, { id, requester, votes }) => ({
    give: async (terms: GrantTerms) => {
      const { store, now } = core
      const approvers = votes
        .map(({ by, for: away }) => away ?? by)
        .filter(({ person }) => person !== requester.person)
      await store.tx(async (tx) => {
        await tx.lock({ alone: ['grants'] })
        await tx.of(createGrants).add({ id, at: now(), doc: { ...terms, by: requester, approvers } })
        await tx.tasks.put(grantsTask(Math.min(now() + lookedMs, terms.endsAt)))
      })
      core.wake()
    },
    end: async (grant: string, why: string) => {
      const found = await core.store.of(createGrants).get(grant)
      return found !== undefined && (await endGrant(core, found, why, requester))
    },
  }),
})
