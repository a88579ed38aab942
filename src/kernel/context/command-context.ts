import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AfterWrite } from '../../lib/services/client/client.ts'
import { type Fence, passFence } from '../../lib/services/client/fence.ts'
import type { CallInput } from '../../lib/services/client/request.ts'
import {
  allServices,
  type NamedRow,
  type RowId,
  rowById,
  serviceNamed,
} from '../../lib/services/endpoints/tables.ts'
import { ServiceError } from '../../lib/services/errors.ts'
import { linksSaidBy } from '../../lib/services/links-in.ts'
import { firstOf } from '../../lib/some.ts'
import { addressKind, type LinkEnd, type LinkPair, numberKind, pairOf } from '../../lib/things/link.ts'
import { type LinkTrust, type LinkUse, linksFrom } from '../../lib/things/link-rows.ts'
import { absencesOf, standingTask } from '../actors/absence.ts'
import { mayDecide, mayReadLog, refusePartial, refuseToAgent } from '../actors/authorization.ts'
import { changesSeen, delegatedVotes, sightOf } from '../actors/delegates.ts'
import { offerPasskeyLink } from '../actors/passkeys.ts'
import { offerLink, sessionsOf } from '../actors/sign-ins.ts'
import { peopleWhoseTurn } from '../actors/turn.ts'
import type { Actor, ApplyContext, ReadContext } from '../command/context.ts'
import type { Registry } from '../command/registry.ts'
import type { Core } from '../core.ts'
import { toldByFeatures } from '../feature.ts'
import { isConfirmOnly, openClausesOf } from '../law/clauses.ts'
import { verify } from '../log/verify.ts'
import type { AuditEntry } from '../model/audit-entry.ts'
import type { SentRequest } from '../model/bound.ts'
import { type Change, isAtService, type Party } from '../model/change.ts'
import type { Checkpoint } from '../model/checkpoint.ts'
import { endsOfKind, followLinks, type KnownPerson } from '../model/known-person.ts'
import { qualified, type Space, spaceOfId, workspaceIn } from '../model/workspace.ts'
import { requestAuthors } from '../policy/behind-request.ts'
import { decidersOf } from '../policy/deciders.ts'
import { policyRecords, takeInFile } from '../policy/in-force/policy-records.ts'
import { agentsWithOwners, delegatedRoles, mayApprove, mayRun, personNamed } from '../policy/people.ts'
import type { Policy } from '../policy/policy.ts'
import { allAccountsOf, homeOf, isListedIn, isOfWorkspace } from '../policy/workspaces.ts'
import type { Store } from '../store/store.ts'
import { readPast } from '../times/read-past.ts'
import { readTime } from '../times/read-time.ts'
import { zoneOf } from '../times/zone.ts'
import { sentBy, withoutIds } from './bound.ts'

/**
 * The context of a query, or of a change while it prepares: endpoints that read, and the bot's own records.
 */
export const readContext = (core: Core, actor: Actor, askedAt = core.now()): ReadContext => {
  const { services, store, registry, policy } = core
  const whoIn = ({ who }: { who?: string }) => (who === undefined ? {} : { who: personNamed(policy, who) })
  const readsLog = mayReadLog(policy, actor)
  const partial = refusePartial(policy, actor)
  const isOfIt = (space: Space) => isOfWorkspace(policy, actor, { requester: { space } })
  /** Of what is on record, what is of the actor's workspaces: that of their changes, and what people did there. */
  const ofTheirs = async (entries: readonly AuditEntry[]): Promise<AuditEntry[]> => {
    const ids = [...new Set(entries.flatMap(({ changeId }) => changeId ?? []))]
    const seen = new Set((await seenById(ids)).map(({ id }) => id))
    return entries.filter(({ changeId, platform, who, doc }) =>
      changeId !== null
        ? seen.has(changeId)
        : isOfIt(spaceOfId(platform, String(doc.account ?? '')) ?? homeOf(policy, who)),
    )
  }
  const seenById = (ids: readonly string[]): Promise<Change[]> => changesSeen(core, actor, ids)
  return {
    ...services.readers,
    read: (id, input, options) => {
      if (rowById(id).row.effect !== 'read') throw new Error(`${id} is not a reading endpoint`)
      return services.call(id, input, options)
    },
    now: core.now(),
    patienceMs: core.timings.patienceMs.view,
    zone: policy.zone,
    guesses: policy.guesses,
    actor,
    time: async (written) => readTime(written, { now: askedAt, ...(await zoneOf(core, actor)) }),
    past: async (written) => readPast(written, { now: askedAt, ...(await zoneOf(core, actor)) }),
    links: {
      personOf: (start) => knownFrom(core, start, 'view'),
      payerOf: (start) => knownFrom(core, start, 'money'),
      kindsOf: async (id) => {
        await core.learner.flush()
        return store.links.kindsOf(id)
      },
      known: async (kind, limit) => {
        await core.learner.flush()
        return store.links.known(kind, limit)
      },
    },
    button: async (label, command, values = {}) => {
      const id = core.newId()
      await store.drafts.put({ id, at: core.now(), person: actor.person, doc: { command, values } })
      return { verb: 'run_it', id, label }
    },
    of: (feature) => (feature.records as unknown as Maker<never>)(core, actor),
    records: {
      commands: registry,
      mayRun: (name) =>
        (actor.agent === undefined && registry.get(name)?.amends !== undefined) ||
        (refuseToAgent(actor, registry.get(name)) === undefined &&
          (mayRun(policy, actor, [name, ...otherNamesOf(registry, name)]) ||
            (actor.roles.length > 0 && registry.get(name)?.kind === 'decision'))),
      agents: () => agentsWithOwners(policy),
      mayDecide: async (change) =>
        !requestAuthors(change).includes(actor.person) &&
        (mayDecide(policy, actor, change) || (await delegatedVotes(core, actor))(change)),
      turns: async () => {
        const mayVoteFor = await delegatedVotes(core, actor)
        return (change) => {
          const isOwn = requestAuthors(change).includes(actor.person)
          if (isConfirmOnly(change.clauses) && change.state === 'pending') return isOwn
          const hasVoted = change.votes.some(({ by }) => by.person === actor.person)
          const isOpen = isTurnToSettle(change, core.now()) || (change.state === 'pending' && !hasVoted)
          const asked = change.state === 'pending' ? { ...change, clauses: openClausesOf(change) } : change
          return isOpen && !isOwn && (mayDecide(policy, actor, asked) || mayVoteFor(change))
        }
      },
      deciders: async () => {
        const absences = await store.absences.active()
        return (change) => {
          const people =
            change.state === 'pending'
              ? peopleWhoseTurn(policy, change, absences)
              : decidersOf(policy, change)
          return people.map(({ name }) => name)
        }
      },
      change: async (id) => {
        const [change] = await seenById([id])
        return change
      },
      changesById: seenById,
      budgets: () => policy.budgets,
      changes: async ({ page, limit, ...filter }) => {
        const sees = await sightOf(core, actor)
        const { skip: first, limit: wanted } = pageOf(page, limit)
        const seen: Change[] = []
        let batch = first + wanted
        let isEnd = false
        for (let skip = 0; !isEnd && seen.length < first + wanted && skip < maxLooked; skip += batch) {
          batch = Math.max(batch, skip)
          const some = await store.changes.list({ ...filter, skip, limit: batch })
          seen.push(...some.filter(sees))
          isEnd = some.length < batch
        }
        return firstOf(seen.slice(first), limit, !isEnd && seen.length < first + wanted)
      },
      audit: {
        find: async ({ page, limit, ...filter }) => {
          if (!readsLog && actor.agent !== undefined) return []
          const whose = readsLog ? whoIn(filter) : { who: actor.person }
          const { skip, limit: wanted } = pageOf(page, limit)
          if (partial === undefined) return store.audit.find({ ...filter, ...whose, skip, limit: wanted })
          const found: AuditEntry[] = []
          for (let at = 0; found.length < skip + wanted && at < maxLooked; at += auditBatch) {
            const some = await store.audit.find({ ...filter, ...whose, skip: at, limit: auditBatch })
            found.push(...(await ofTheirs(some)))
            if (some.length < auditBatch) break
          }
          return found.slice(skip, skip + wanted)
        },
        refusePartial: () => partial,
        verify: async (since) => {
          const { origin, key } = await store.auditTree.state()
          // A key that was changed a moment ago may be at hand and not in use yet.
          core.signer.follow(key)
          const verdict = await verify(store, {
            key: core.signer.key(origin),
            remembered: core.recallLog(),
            now: core.now(),
            from: await startOf(store, since),
            compare: (keys) => toldByFeatures(({ compareLog }) => compareLog?.(core, keys)),
            progress: (entries, total) => core.progress('Entries', entries, total),
          })
          if (verdict.ok && verdict.size > 0) await store.auditTree.setVerified(verdict.size)
          return verdict
        },
      },
      policy: policyRecords(core, actor),
      freezes: () => store.freezes.all(),
      granted: () => (policy.granted ?? []).filter(({ holder }) => holder === (actor.agent ?? actor.person)),
      absences: async () => (await store.absences.active()).filter(({ by }) => isOfIt(by.space)),
      person: (written) => {
        const here = policy.people.filter((one) => isListedIn(policy, one.id, { requester: actor }))
        const named = mentionedIn(written)
        // In a further workspace, an account is one of that workspace before it is anything else.
        const workspace = workspaceIn(actor.account)
        const isTheirs = ({ account }: { account: string }) => account === qualified(workspace, named)
        const own = workspace && here.find((one) => allAccountsOf(one).some(isTheirs))
        if (own) return own
        const id = personNamed(policy, named)
        const isShared = here.some(
          (one) => one.id !== id && one.name.toLowerCase() === named.trim().toLowerCase(),
        )
        return isShared && id !== named ? undefined : here.find((one) => one.id === id)
      },
      delegatedTo: (person) => {
        const own = policy.people.find(({ id }) => id === person)?.roles ?? []
        const [theirs = [], roles = []] = [true, false].map((isTheirs) =>
          delegatedRoles(policy, actor.roles).filter((role) => own.includes(role) === isTheirs),
        )
        return { roles, theirs }
      },
      status: core.status,
      signInLink: () => offerLink(core, actor),
      sessions: (of) => sessionsOf(core, actor, of),
      passkeys: {
        link: () => offerPasskeyLink(core, actor),
        get: store.passkeys.get,
        list: async () => {
          const isTold = readsLog || mayApprove(policy, actor, ['bellhop passkeys'])
          const keys = await store.passkeys.enrolled(isTold ? undefined : actor.person)
          return keys.map(({ id, person, name, enrolledAt, approvedBy }) => ({
            id,
            number: createHash('sha256').update(id).digest('hex').slice(0, 8),
            person,
            owner: policy.people.find((one) => one.id === person)?.name ?? person,
            name,
            enrolledAt,
            approvedBy,
          }))
        },
      },
    },
  }
}

/** Nobody knows what came of it, or its service has been silent for long. */
const isTurnToSettle = ({ state, updatedAt }: Change, now: number): boolean =>
  state === 'unknown' || (isAtService(state) && now - updatedAt >= silentMs)
const silentMs = 3 * 24 * 3_600_000

/** The checkpoint that a verification starts from: where the last one ended, or the last before a time. */
const startOf = async (
  { auditTree }: Store,
  since: 'last' | number | undefined,
): Promise<Checkpoint | undefined> => {
  if (since === undefined) return undefined
  if (since !== 'last') return auditTree.checkpoint({ before: since })
  const verified = await auditTree.verified()
  return verified && (await auditTree.checkpointsAfter(verified.size - 1, 1))[0]
}

const otherNamesOf = (registry: Registry, name: string): readonly string[] => {
  const command = registry.get(name)
  return command?.kind === 'change' ? (command.sameAs ?? []) : []
}

const knownFrom = async (
  { learner, store, policy }: Pick<Core, 'learner' | 'store' | 'policy'>,
  start: LinkEnd,
  use: LinkUse,
): Promise<KnownPerson> => {
  await learner.flush()
  return followLinks(
    start,
    async (ends) => linksFrom(await store.links.of(ends), use, trustBy(policy)),
    use === 'money',
  )
}

/**
 * How far what a service shows may lead. What stands in a field that customers can write is their word. Of a service whose pack
 * is gone, nothing steers money.
 */
const trustBy =
  ({ customersWrite }: Pick<Policy, 'customersWrite'>) =>
  (service: string, ends: LinkPair): LinkTrust => {
    const links = allServices().find(({ name }) => name === service)?.links
    const isWritten = ends.some(
      ({ kind }) =>
        links?.fields?.includes(kind) && (customersWrite === 'all' || customersWrite.includes(kind)),
    )
    return isWritten ? 'their word' : (links?.trust ?? 'view')
  }

/**
 * What a change is given while it is applied: nothing of it acts once the claim behind the fence is lost, and to services
 * nothing leaves but the requests that were decided on, where they are given.
 */
export const applyContext = (
  core: Core,
  acting: Pick<Change, 'id' | 'requester' | 'votes' | 'recipient'>,
  fence: Fence,
  decided?: readonly SentRequest[],
  afterWrite?: AfterWrite,
): ApplyContext => {
  const { id: changeId, requester, votes, recipient } = acting
  const { services, store, learner, now } = core
  const approvedBy = votes.find(({ by }) => by.person !== requester.person)?.by.name ?? null
  const made: string[] = []
  return {
    ...services.under(
      fence,
      async (named, input) => {
        if (decided !== undefined) refuseUndecided(named, withoutIds(sentBy(named, input), made), decided)
        await rememberWritten(core, requester, named, input)
      },
      afterWrite,
    ),
    now: now(),
    requester,
    recipient,
    newId: () => {
      const id = core.newId()
      made.push(id)
      return id
    },
    of: (feature) => behind(fence, (feature.acts as unknown as Maker<never>)(core, acting)),
    ...behind<Acts>(fence, {
      absences: absencesOf(core),
      passkeys: {
        enrol: async (id) =>
          approvedBy !== null && store.passkeys.enrol(id, { changeId, approvedBy, at: now() }),
        remove: (id) =>
          store.tx(async (inner) => {
            // A change that is being claimed right now looks at its keys first or afterwards, and not in between.
            await inner.lock({ alone: ['passkeys'] })
            return inner.passkeys.remove(id)
          }),
      },
      freezes: {
        set: (freeze) =>
          store.tx(async (inner) => {
            await inner.lock({ alone: ['freeze'] })
            await inner.freezes.set(freeze)
            await inner.tasks.put(standingTask(now()))
          }),
        clear: (area) =>
          store.tx(async (inner) => {
            await inner.freezes.clear(area)
            await inner.tasks.put(standingTask(now()))
          }),
      },
      links: {
        say: (pair, isOff) => store.links.say(pair, { by: requester.name, isOff, approvedBy }),
        forget: async (ends) => {
          await learner.flush()
          const gone = await store.links.forget(ends, approvedBy !== null)
          learner.forget()
          return gone
        },
        isApproved: approvedBy !== null,
      },
      policy: { takeIn: (digest) => takeInFile(core, requester, digest) },
    }),
  }
}

const refuseUndecided = (
  { service, name }: NamedRow,
  sent: SentRequest,
  decided: readonly SentRequest[],
): void => {
  if (decided.some((one) => isDeepStrictEqual(one, sent))) return
  const serviceMessage = 'this is not the request that was decided on'
  throw new ServiceError({ kind: 'rejected', outcome: 'not_done', service, row: name, serviceMessage })
}

/** What a change does to the bot's own memory. */
type Acts = Pick<ApplyContext, 'absences' | 'passkeys' | 'freezes' | 'links' | 'policy'>

/** A feature is asked with what it was defined for; commands are told its result alone. */
type Maker<Made> = (core: Core, whom: unknown) => Made

/** The same, none of which is done by whoever has lost the right to it. */
const behind = <T extends object>(fence: Fence, acts: T): T => {
  const guarded = (act: unknown): unknown => {
    if (typeof act === 'object' && act !== null)
      return Object.fromEntries(Object.entries(act).map(([name, one]) => [name, guarded(one)]))
    if (typeof act !== 'function') return act
    return async (...given: unknown[]) => {
      await passFence(fence)
      return act(...given)
    }
  }
  return guarded(acts) as T
}

/** How far back somebody's own are looked for among those of others. */
const maxLooked = 5_000
const auditBatch = 200

/**
 * What a request writes into fields that name people is said by its requester, and that is stored before it is sent:
 * whatever service shows it afterwards, it was not seen there first.
 */
const rememberWritten = async (
  core: Core,
  { name }: Party,
  named: NamedRow,
  input: CallInput,
): Promise<void> => {
  for (const { subject, values, renamedTo } of linksSaidBy(named, input)) {
    if (values.length === 0 && renamedTo === undefined) continue
    const subjects = await underBothNames(core, named, subject)
    const fieldKinds = [numberKind, ...(serviceNamed(named.service).links?.fields ?? [])]
    // Under a new address, whatever the record held before is said of that address.
    const held =
      renamedTo === undefined
        ? []
        : (await core.store.links.of(subjects)).flatMap(({ ends }) =>
            ends.filter(({ kind }) => fieldKinds.some((one) => one === kind)),
          )
    const pairs = [
      ...subjects.flatMap((one) => values.map((value) => pairOf(one, value))),
      ...[...held, ...values].map((value) => pairOf(renamedTo, value)),
    ]
    await core.store.links.write(
      pairs.filter((pair) => pair !== undefined),
      name,
    )
  }
}

/**
 * Somebody by id and by address, read if links know only one of them. Where that cannot be read, nothing is sent: shown
 * under the address later, what was written would pass for seen.
 */
const underBothNames = async (
  core: Core,
  { service, name: row }: NamedRow,
  subject: LinkEnd,
): Promise<LinkEnd[]> => {
  if (subject.kind === addressKind) return [subject]
  const addresses = async () => endsOfKind(await knownFrom(core, subject, 'view'), addressKind)
  const known = await addresses()
  if (known.length > 0) return [subject, ...known]
  const read = serviceNamed(service).links?.teaches?.(subject)
  if (read !== undefined) await core.services.call(`${service}.${read.row}` as RowId, read.input)
  const learned = await addresses()
  if (learned.length > 0) return [subject, ...learned]
  throw new ServiceError({ kind: 'malformed', outcome: 'not_done', service, row: read?.row ?? row })
}

/** One row more than asked for tells whether there is a next page. */
const pageOf = (page: number, limit: number) => ({ skip: (page - 1) * limit, limit: limit + 1 })

/** An account inside a mention: people pick each other from a list. */
const mentionedIn = (written: string): string =>
  /^<?@!?([\w.-]+)(?:\|[^>]*)?>?$/.exec(written.trim())?.[1] ?? written
