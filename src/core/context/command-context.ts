import { createHash } from 'node:crypto'
import { exportLines } from '../../audit/export.ts'
import { changesIn, namedAsFarAs } from '../../audit/figures.ts'
import { packOf } from '../../audit/pack.ts'
import { proveChange } from '../../audit/receipt.ts'
import { verify } from '../../audit/verify.ts'
import { jobView } from '../../bulk/job-view.ts'
import type { ApplyContext, Asker, Freeze, ReadContext } from '../../command/context.ts'
import type { Registry } from '../../command/registry.ts'
import type { AuditEntry } from '../../model/audit-entry.ts'
import type { Change, Party } from '../../model/change.ts'
import type { Checkpoint } from '../../model/checkpoint.ts'
import { endsOfKind, followLinks, type KnownPerson } from '../../model/known-person.ts'
import { addressKind, type LinkEnd, numberKind, pairOf } from '../../model/link.ts'
import { type LinkTrust, type LinkUse, linksFrom } from '../../model/link-rows.ts'
import { hookIdOf, webhookTask } from '../../model/webhook-events.ts'
import { qualified, type Space, spaceOfId, workspaceIn } from '../../model/workspace.ts'
import { peopleBehind } from '../../policy/behind-request.ts'
import { isConfirmOnly, openClausesOf } from '../../policy/clauses.ts'
import { decidersOf } from '../../policy/deciders.ts'
import { agentsWithOwners, delegatedRoles, mayApprove, mayRun, personNamed } from '../../policy/people.ts'
import { allAccountsOf, homeOf, isListedIn, isOfWorkspace } from '../../policy/workspaces.ts'
import { type Fence, passFence } from '../../services/client/fence.ts'
import type { CallInput } from '../../services/client/request.ts'
import {
  allServices,
  type NamedRow,
  type RowId,
  rowById,
  serviceNamed,
} from '../../services/endpoints/tables.ts'
import { ServiceError } from '../../services/errors.ts'
import { linksSaidBy } from '../../services/links-in.ts'
import type { Store } from '../../storage/store.ts'
import type { Core } from '../core.ts'
import { mayDecide, mayReadLog, whyNotForAgents, whyNotWhole } from '../people/authorization.ts'
import { delegatedVotes, sightOf } from '../people/delegates.ts'
import { offerPasskeyLink } from '../people/passkeys.ts'
import { offerLink, sessionsOf } from '../people/sign-ins.ts'
import { peopleWhoseTurn } from '../people/turn.ts'
import { policyRecords, takeInFile } from '../policy/policy-records.ts'
import { readPast } from '../times/read-past.ts'
import { readTime } from '../times/read-time.ts'
import { firstAfter, readRecurrence } from '../times/recurrence.ts'
import { zoneOf } from '../times/zone.ts'
import { witnessesOf } from '../witnesses.ts'
import { checkSchedule } from './look-ups.ts'

/**
 * The context of a query, or of a change while it prepares: endpoints that read, and the bot's own records.
 */
export const readContext = (core: Core, asker: Asker, askedAt = core.now()): ReadContext => {
  const { services, store, registry, policy } = core
  const whoIn = ({ who }: { who?: string }) => (who === undefined ? {} : { who: personNamed(policy, who) })
  const readsLog = mayReadLog(policy, asker)
  const partial = whyNotWhole(policy, asker)
  const isOfIt = (space: Space) => isOfWorkspace(policy, asker, { requester: { space } })
  /** Of what is on record, what is of the asker's workspaces: that of their changes, and what people did there. */
  const ofTheirs = async (entries: readonly AuditEntry[]): Promise<AuditEntry[]> => {
    const ids = [...new Set(entries.flatMap(({ changeId }) => changeId ?? []))]
    const seen = new Set((await seenById(ids)).map(({ id }) => id))
    return entries.filter(({ changeId, platform, who, doc }) =>
      changeId !== null
        ? seen.has(changeId)
        : isOfIt(spaceOfId(platform, String(doc.account ?? '')) ?? homeOf(policy, who)),
    )
  }
  const seenById = async (ids: readonly string[]): Promise<Change[]> => {
    if (ids.length === 0) return []
    const [sees, found] = await Promise.all([
      sightOf(core, asker),
      store.changes.list({ ids, limit: ids.length }),
    ])
    return found.filter(sees)
  }
  const inTheirs = async <T extends { id: string }>(all: readonly T[]): Promise<T[]> => {
    const theirs = new Set<string>()
    for (let at = 0; at < all.length; at += auditBatch) {
      const ids = all.slice(at, at + auditBatch).map(({ id }) => id)
      for (const { id, requester } of await store.changes.list({ ids, limit: ids.length }))
        if (isOfIt(requester.space)) theirs.add(id)
    }
    return all.filter(({ id }) => theirs.has(id))
  }
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
    asker,
    time: async (written) => readTime(written, { now: askedAt, ...(await zoneOf(core, asker)) }),
    past: async (written) => readPast(written, { now: askedAt, ...(await zoneOf(core, asker)) }),
    links: {
      personOf: (start) => knownFrom(core, start, 'view'),
      payerOf: (start) => knownFrom(core, start, 'money'),
      kindsOf: async (id) => {
        await core.learner.flush()
        return store.links.kindsOf(id)
      },
    },
    records: {
      commands: registry,
      mayRun: (name) =>
        (asker.agent === undefined && registry.get(name)?.amends !== undefined) ||
        (whyNotForAgents(asker, registry.get(name)) === undefined &&
          (mayRun(policy, asker, [name, ...otherNamesOf(registry, name)]) ||
            (asker.roles.length > 0 && registry.get(name)?.kind === 'decision'))),
      agents: () => agentsWithOwners(policy),
      mayDecide: async (change) =>
        !peopleBehind(change).includes(asker.person) &&
        (mayDecide(policy, asker, change) || (await delegatedVotes(core, asker))(change)),
      turns: async () => {
        const mayVoteFor = await delegatedVotes(core, asker)
        return (change) => {
          const isOwn = peopleBehind(change).includes(asker.person)
          if (isConfirmOnly(change.clauses) && change.state === 'pending') return isOwn
          const hasVoted = change.votes.some(({ by }) => by.person === asker.person)
          const isOpen = change.state === 'unknown' || (change.state === 'pending' && !hasVoted)
          const asked = change.state === 'pending' ? { ...change, clauses: openClausesOf(change) } : change
          return isOpen && !isOwn && (mayDecide(policy, asker, asked) || mayVoteFor(change))
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
        const sees = await sightOf(core, asker)
        const { skip: first, limit: wanted } = pageOf(page, limit)
        const seen: Change[] = []
        let batch = first + wanted
        for (let skip = 0; seen.length < first + wanted && skip < mostLooked; skip += batch) {
          batch = Math.max(batch, skip)
          const some = await store.changes.list({ ...filter, skip, limit: batch })
          seen.push(...some.filter(sees))
          if (some.length < batch) break
        }
        return seen.slice(first, first + wanted)
      },
      audit: {
        find: async ({ page, limit, ...filter }) => {
          if (!readsLog && asker.agent !== undefined) return []
          const whose = readsLog ? whoIn(filter) : { who: asker.person }
          const { skip, limit: wanted } = pageOf(page, limit)
          if (partial === undefined) return store.audit.find({ ...filter, ...whose, skip, limit: wanted })
          const found: AuditEntry[] = []
          for (let at = 0; found.length < skip + wanted && at < mostLooked; at += auditBatch) {
            const some = await store.audit.find({ ...filter, ...whose, skip: at, limit: auditBatch })
            found.push(...(await ofTheirs(some)))
            if (some.length < auditBatch) break
          }
          return found.slice(skip, skip + wanted)
        },
        whyNotWhole: () => partial,
        verify: async (since) => {
          const { origin, key } = await store.auditTree.state()
          // A key that was changed a moment ago may be at hand and not in use yet.
          core.signer.follow(key)
          const verdict = await verify(store, {
            key: core.signer.key(origin),
            remembered: core.recallLog(),
            now: core.now(),
            from: await startOf(store, since),
            witnesses: witnessesOf(core),
            progress: (entries, total) => core.progress('Entries', entries, total),
          })
          if (verdict.ok && verdict.size > 0) await store.auditTree.setVerified(verdict.size)
          return verdict
        },
        prove: async (id) => {
          if ((await seenById([id])).length === 0) return undefined
          const proof = await proveChange(store, core.signer, id)
          return proof && { proof, signer: core.signer }
        },
        pack: (period, verdict) => {
          if (partial !== undefined) throw new Error(partial.message)
          return packOf(store, core.signer, { ...period, now: core.now() }, verdict)
        },
        changes: async (since) => {
          const all = await changesIn(store.audit.stream({ since, changesOnly: true }))
          const theirs = partial === undefined ? all : await inTheirs(all)
          return namedAsFarAs(theirs, readsLog ? undefined : seenById)
        },
        export: (filter) => {
          if (partial !== undefined) throw new Error(partial.message)
          return exportLines(store, { ...filter, ...whoIn(filter) })
        },
      },
      policy: policyRecords(core, asker),
      freezes: async () => (await store.freezes.all()) as Freeze[],
      schedules: {
        list: () => store.schedules.list(readsLog && partial === undefined ? undefined : asker.person),
        check: (wanted) => checkSchedule(core, asker, wanted),
      },
      webhooks: {
        list: async () => {
          const owed = await store.webhooks.owed()
          const listed = policy.webhooks.map((hook) => ({ ...hook, id: hookIdOf(hook) }))
          const gone = owed
            .filter(({ hook }) => listed.every(({ id }) => id !== hook))
            .map(({ hook }) => ({ id: hook, url: undefined, events: [] }))
          return [...listed, ...gone].map(({ id, url, events }) => {
            const found = owed.find(({ hook }) => hook === id)
            return { id, url, events, owed: found?.owed ?? 0, dead: found?.dead ?? 0, since: found?.since }
          })
        },
        dead: async () => {
          const dead = await store.webhooks.dead(mostDeadShown)
          const seen = new Set((await seenById(dead.map(({ changeId }) => changeId))).map(({ id }) => id))
          return dead.filter(({ changeId }) => seen.has(changeId))
        },
      },
      absences: async () => (await store.absences.active()).filter(({ by }) => isOfIt(by.space)),
      person: (written) => {
        const here = policy.people.filter((one) => isListedIn(policy, one.id, { requester: asker }))
        const named = mentionedIn(written)
        // In a further workspace, an account is one of that workspace before it is anything else.
        const workspace = workspaceIn(asker.account)
        const isTheirs = ({ account }: { account: string }) => account === qualified(workspace, named)
        const own = workspace && here.find((one) => allAccountsOf(one).some(isTheirs))
        if (own) return own
        const id = personNamed(policy, named)
        const isShared = here.some(
          (one) => one.id !== id && one.name.toLowerCase() === named.trim().toLowerCase(),
        )
        return isShared && id !== named ? undefined : here.find((one) => one.id === id)
      },
      delegatedRoles: () => delegatedRoles(policy, asker.roles),
      job: async (id) => {
        const found = (await store.bulk.get(id)) ?? (await store.bulk.ofChange(id))
        const change = found?.changeId ? await store.changes.get(found.changeId) : null
        if (found === null || change === null || !(await sightOf(core, asker))(change)) return undefined
        return jobView(found, change, await store.bulk.figures(found.id), core.now())
      },
      jobs: async () => {
        const open = await store.bulk.list(['running', 'paused', 'waiting'], 50)
        const changes = await store.changes.list({
          ids: open.flatMap(({ changeId }) => changeId ?? []),
          limit: 50,
        })
        const sees = await sightOf(core, asker)
        return open.flatMap(({ id, state, total, updatedAt, changeId }) => {
          const change = changes.find((one) => one.id === changeId)
          if (change === undefined || !sees(change)) return []
          return { id, state, total, updatedAt, title: change.preview.title }
        })
      },
      status: core.status,
      signInLink: () => offerLink(core, asker),
      sessions: (of) => sessionsOf(core, asker, of),
      passkeys: {
        link: () => offerPasskeyLink(core, asker),
        get: store.passkeys.get,
        list: async () => {
          const isTold = readsLog || mayApprove(policy, asker, ['bellhop passkeys'])
          const keys = await store.passkeys.enrolled(isTold ? undefined : asker.person)
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
  { learner, store }: Pick<Core, 'learner' | 'store'>,
  start: LinkEnd,
  use: LinkUse,
): Promise<KnownPerson> => {
  await learner.flush()
  return followLinks(start, async (ends) => linksFrom(await store.links.of(ends), use, trustIn))
}

/** Of a service whose pack is gone, nothing steers money. */
const trustIn = (service: string): LinkTrust =>
  allServices().find(({ name }) => name === service)?.links?.trust ?? 'view'

/** What a change is given while it is applied: nothing of it acts once the claim behind the fence is lost. */
export const applyContext = (
  core: Core,
  { id: changeId, requester, votes, recipient }: Pick<Change, 'id' | 'requester' | 'votes' | 'recipient'>,
  fence: Fence,
): ApplyContext => {
  const { services, store, learner, now } = core
  const approvedBy = votes.find(({ by }) => by.person !== requester.person)?.by.name ?? null
  return {
    ...services.under(fence, (named, input) => rememberWritten(core, requester, named, input)),
    now: now(),
    requester,
    recipient,
    newId: core.newId,
    nextTime: (every, zone) => {
      const read = readRecurrence(every)
      if (!read.ok) throw new Error(`"${every}" does not say how often`)
      return firstAfter(read.value, now(), zone)
    },
    ...behind<Acts>(fence, {
      schedules: {
        add: async (schedule) => {
          const { id, nextAt: dueAt } = schedule
          await store.tx(async (inner) => {
            await inner.schedules.add(schedule)
            await inner.tasks.put({ kind: 'schedule', key: `schedule:${id}`, doc: { id }, dueAt })
          })
        },
        remove: store.schedules.remove,
      },
      absences: { set: store.absences.set, end: store.absences.end },
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
      webhooks: {
        resend: async (of) => {
          await store.tx(async (inner) => {
            const hooks = await inner.webhooks.revive(now(), of)
            if (hooks.length > 0) await inner.tasks.put(...hooks.map((hook) => webhookTask(hook, now())))
          })
          core.wake()
        },
      },
      freezes: {
        set: (freeze) =>
          store.tx(async (inner) => {
            await inner.lock({ alone: ['freeze'] })
            await inner.freezes.set(freeze)
          }),
        clear: async (area) => {
          await store.freezes.clear(area)
        },
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

/** What a change does to the bot's own memory. */
type Acts = Pick<
  ApplyContext,
  'schedules' | 'absences' | 'passkeys' | 'webhooks' | 'freezes' | 'links' | 'policy'
>

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

const mostDeadShown = 50

/** How far back somebody's own are looked for among those of others. */
const mostLooked = 5_000
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
