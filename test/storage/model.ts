import type { Chunk, Job } from '../../src/kernel/store/bulk.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import type { Task, TaskInput } from '../../src/kernel/store/tasks.ts'
import type { LinkRow } from '../../src/lib/things/link-rows.ts'

/** The stores that `contract.test.ts` compares with what is said here. */
export type Modelled = Pick<
  Store,
  'tasks' | 'deliveries' | 'sessions' | 'absences' | 'links' | 'changes' | 'bulk' | 'answers'
>

/** What the stores promise, in memory, without SQL. */
export const createModel = (now: () => number): Modelled => {
  const tasks = createTaskModel(now)
  return {
    tasks: tasks.store,
    deliveries: createDeliveryModel(now, tasks),
    sessions: createSessionModel(now),
    absences: createAbsenceModel(now),
    links: createLinkModel(now),
    ...createChangeModel(now),
    answers: createAnswerModel(),
  }
}

/** Takes out of a list what fits, and says how many that were. */
export const removeFrom = <T>(list: T[], fits: (each: T) => boolean): number => {
  const before = list.length
  list.splice(0, before, ...list.filter((each) => !fits(each)))
  return before - list.length
}

/** By these values, the first that differ decide. */
export const by =
  <T>(...valuesOf: ((each: T) => string | number)[]) =>
  (one: T, other: T): number => {
    for (const read of valuesOf) {
      const [mine, theirs] = [read(one), read(other)]
      if (mine !== theirs) return mine < theirs ? -1 : 1
    }
    return 0
  }

type StoredTask = Omit<Task, 'owner'> & { owner: string | null; leaseUntil: number }

const createTaskModel = (now: () => number) => {
  const all: StoredTask[] = []
  const put = ({ kind, key, doc, dueAt }: TaskInput): StoredTask => {
    const known = all.find((each) => each.key === key)
    if (known) {
      const { revision } = known
      return Object.assign(known, { kind, doc, dueAt: Math.min(known.dueAt, dueAt), revision: revision + 1 })
    }
    const task = { kind, key, doc, dueAt, attempts: 0, error: null, revision: 1, owner: null, leaseUntil: 0 }
    all.push(task)
    return task
  }
  const free = { owner: null, leaseUntil: 0 }
  const shownOf = ({ leaseUntil: _, ...task }: StoredTask) => ({ ...task }) as Task
  const isHeldBy = (owner: string | null, key: string) => (each: StoredTask) =>
    each.key === key && each.owner === owner
  const back = (task: Task, dueAt: number, over: (each: StoredTask) => Partial<StoredTask>) => {
    for (const each of all.filter(isHeldBy(task.owner, task.key)))
      Object.assign(each, over(each), free, each.revision === task.revision ? { dueAt } : {})
  }
  const store: Modelled['tasks'] = {
    put: async (...tasks) => {
      for (const task of tasks) put(task)
    },
    putHeld: async ({ leaseMs, owner }, ...tasks) => {
      const at = now()
      const held = tasks.map((task) => {
        const stored = put(task)
        const isFree = stored.leaseUntil <= at
        if (task.dueAt <= at && isFree) Object.assign(stored, { owner, leaseUntil: at + leaseMs })
        return stored.owner === owner && stored.leaseUntil === at + leaseMs ? [stored] : []
      })
      return held.flat().map(shownOf)
    },
    take: async ({ limit, leaseMs, owner }) => {
      const due = all.filter(({ dueAt, leaseUntil }) => dueAt <= now() && leaseUntil <= now())
      const taken = due.sort(by(({ dueAt }) => dueAt)).slice(0, limit)
      for (const each of taken) Object.assign(each, { owner, leaseUntil: now() + leaseMs })
      return taken.map(shownOf)
    },
    done: async ({ key, revision, owner }) => {
      if (removeFrom(all, (each) => each.key === key && each.revision === revision) === 1) return true
      for (const each of all.filter(isHeldBy(owner, key))) Object.assign(each, free)
      return false
    },
    drop: async (keys) => {
      removeFrom(all, ({ key }) => keys.includes(key))
    },
    postpone: async (task, dueAt, error) =>
      back(task, dueAt, ({ attempts }) => ({ attempts: attempts + 1, error })),
    again: async (task, dueAt) => back(task, dueAt, () => ({ attempts: 0, error: null })),
    pending: async () => {
      const counts: Record<string, number> = {}
      for (const { kind } of all) counts[kind] = (counts[kind] ?? 0) + 1
      return counts
    },
    owners: async () => [
      ...new Set(all.flatMap(({ owner, leaseUntil }) => (owner !== null && leaseUntil > now() ? owner : []))),
    ],
    release: async (owner) => {
      const held = all.filter((each) => each.owner === owner && each.leaseUntil > 0)
      for (const each of held) Object.assign(each, free)
      return held.length
    },
  }
  return { store, put }
}

const createDeliveryModel = (
  now: () => number,
  { store, put }: ReturnType<typeof createTaskModel>,
): Modelled['deliveries'] => {
  const seen: { id: string; at: number }[] = []
  const first = (id: string): boolean => {
    if (seen.some((each) => each.id === id)) return false
    seen.push({ id, at: now() })
    return true
  }
  return {
    first: async (id) => first(id),
    take: async (id, task) => {
      const isFirst = first(id)
      if (isFirst) put(task)
      return isFirst
    },
    forget: async (id, taskKey) => {
      removeFrom(seen, (each) => each.id === id)
      await store.drop([taskKey])
    },
    prune: async (before) => removeFrom(seen, ({ at }) => at < before),
  }
}

const createSessionModel = (now: () => number): Modelled['sessions'] => {
  type Stored = Parameters<Modelled['sessions']['offer']>[0] & { kind: 'link' | 'session' }
  const all: Stored[] = []
  const lasting = () => all.filter(({ kind, endsAt }) => kind === 'session' && endsAt > now())
  const shownOf = ({ kind: _, digest: __, ...session }: Stored) => ({ ...session })
  return {
    offer: async (link) => {
      if (all.some(({ id, digest }) => id === link.id || digest === link.digest)) throw new Error('taken')
      all.push({ ...link, kind: 'link' })
    },
    use: async (link, { digest, endsAt }) => {
      const found = all.find((each) => each.digest === link && each.kind === 'link' && each.endsAt > now())
      if (!found) return false
      if (all.some((each) => each !== found && each.digest === digest)) throw new Error('taken')
      Object.assign(found, { kind: 'session', digest, endsAt, at: now() })
      return true
    },
    find: async (digest) =>
      lasting()
        .filter((each) => each.digest === digest)
        .map(shownOf)[0],
    of: async (person) =>
      lasting()
        .filter((each) => each.person === person)
        .sort(
          by(
            ({ at }) => at,
            ({ id }) => id,
          ),
        )
        .map(shownOf),
    end: async (person, id) =>
      removeFrom(
        all,
        (each) => each.person === person && (id === 'all' || (each.id === id && each.kind === 'session')),
      ),
    people: async () => [...new Set(all.map(({ person }) => person))].sort(),
    prune: async (before) => removeFrom(all, ({ endsAt }) => endsAt < before),
  }
}

const createAbsenceModel = (now: () => number): Modelled['absences'] => {
  const all: Parameters<Modelled['absences']['set']>[0][] = []
  return {
    set: async (absence) => {
      removeFrom(all, (each) => each.by.person === absence.by.person)
      all.push(absence)
    },
    end: async (person) => removeFrom(all, (each) => each.by.person === person && each.endsAt > now()) === 1,
    active: async () =>
      all
        .filter(({ endsAt }) => endsAt > now())
        .sort(
          by(
            ({ endsAt }) => endsAt,
            (each) => each.by.person,
          ),
        ),
    prune: async (before) => removeFrom(all, ({ endsAt }) => endsAt < before),
  }
}

const createLinkModel = (now: () => number): Modelled['links'] => {
  const all: LinkRow[] = []
  type End = LinkRow['ends'][0]
  const isEnd = (one: End) => (other: End) => one.kind === other.kind && one.id === other.id
  const isSame = (one: LinkRow) => (other: LinkRow) =>
    one.via === other.via && one.ends.every((end, at) => isEnd(end)(other.ends[at] as End))
  const keep = (row: LinkRow) => {
    const known = all.find(isSame(row))
    if (known) Object.assign(known, { ...row, source: known.source })
    else all.push(row)
  }
  const textOf = ({ ends: [one, other], via }: LinkRow) =>
    [one.kind, one.id, other.kind, other.id, via].join('\0')
  const unapproved = { approvedBy: null, approvedAt: null }
  return {
    learn: async (taught) => {
      for (const { pair, source } of taught) {
        const via = source.split('.')[0] as LinkRow['via']
        const row = { ends: pair, via, source, at: now(), by: null, ...unapproved, isOff: false }
        if (!all.some(isSame(row))) all.push(row)
      }
    },
    say: async (pair, { by: person, isOff, approvedBy }) =>
      keep({
        ends: pair,
        via: approvedBy === null ? 'hand' : 'approved',
        source: 'hand',
        at: now(),
        by: person,
        approvedBy,
        approvedAt: approvedBy === null ? null : now(),
        isOff,
      }),
    write: async (pairs, person) => {
      for (const ends of pairs)
        keep({ ends, via: 'field', source: 'field', at: now(), by: person, ...unapproved, isOff: false })
    },
    of: async (ends) =>
      ends.flatMap((end) =>
        all
          .filter((row) => row.ends.some(isEnd(end)))
          .filter((row) => end.kind === 'payment' || !row.ends.some(({ kind }) => kind === 'payment'))
          .sort(by(({ at }) => at, textOf))
          .map((row) => ({ ...row })),
      ),
    kindsOf: async (id) => {
      const rows = all.filter(({ via }) => via !== 'hand' && via !== 'field')
      const kinds = rows.flatMap(({ ends }) => ends.flatMap((end) => (end.id === id ? end.kind : [])))
      return [...new Set(kinds)]
    },
    known: async (kind, limit) => {
      const rows = all.filter(({ via }) => via !== 'hand' && via !== 'field')
      const taught = rows
        .flatMap(({ ends, at }) => ends.flatMap((end) => (end.kind === kind ? { id: end.id, at } : [])))
        .sort(
          by(
            ({ at }) => -at,
            ({ id }) => id,
          ),
        )
      return [...new Set(taught.map(({ id }) => id))].slice(0, limit)
    },
    forget: async (ends, approved) =>
      removeFrom(
        all,
        (row) =>
          row.via !== 'field' &&
          (approved || row.via !== 'approved') &&
          row.ends.some((each) => ends.some(isEnd(each))),
      ),
  }
}

const createChangeModel = (now: () => number): Pick<Modelled, 'changes' | 'bulk'> => {
  type Stored = Parameters<Modelled['changes']['insert']>[0]
  const all: Stored[] = []
  const isUnsettled = ({ state }: Stored) => ['applying', 'unknown', 'held', 'accepted'].includes(state)
  const newest = by<Stored>(
    ({ updatedAt }) => -updatedAt,
    ({ id }) => (id ? -id.charCodeAt(1) : 0),
  )
  const get = async (id: string) => all.find((each) => each.id === id) ?? null
  const changes: Modelled['changes'] = {
    insert: async (change) => {
      if (await get(change.id)) throw new Error('taken')
      all.push(change)
    },
    get,
    take: get,
    swap: async (next) =>
      removeFrom(all, ({ id, version }) => id === next.id && version === next.version - 1) === 1 &&
      all.push(next) > 0,
    list: async ({ states, requester, ids, before, skip = 0, limit }) =>
      all
        .filter(({ state }) => states?.includes(state) ?? true)
        .filter(({ requester: { person } }) => requester === undefined || person === requester)
        .filter(({ id }) => ids?.includes(id) ?? true)
        .filter((each) => before === undefined || newest(each, before as Stored) > 0)
        .sort(newest)
        .slice(skip, skip + limit),
    countByState: async (among = ['pending', 'approved', 'applying', 'unknown', 'held', 'accepted']) => {
      const counts: Awaited<ReturnType<Modelled['changes']['countByState']>> = {}
      for (const { state } of all) if (among.includes(state)) counts[state] = (counts[state] ?? 0) + 1
      return counts
    },
    countPending: async (person) =>
      all.filter(({ state, requester }) => state === 'pending' && requester.person === person).length,
    sameIntent: async (intent, since, exceptId) =>
      all
        .filter((each) => each.intent === intent && each.id !== exceptId)
        .filter((each) => each.updatedAt >= since || isUnsettled(each))
        .filter(({ state }) =>
          ['pending', 'approved', 'applying', 'unknown', 'held', 'accepted', 'applied'].includes(state),
        )
        .sort(newest)
        .slice(0, 5),
    spent: async ({ requester, names, since, states, exceptId }) => {
      const counted = all
        .filter(({ id, state }) => id !== exceptId && states.includes(state))
        .filter((each) => requester === undefined || each.requester.person === requester)
        .filter((each) => each.names.some((name) => names.includes(name)))
        .filter((each) => each.updatedAt >= since || isUnsettled(each))
      const known = counted.filter(({ amount }) => amount !== null)
      return [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, some]) => ({
        currency,
        sum: Math.round(some.reduce((sum, { amount }) => sum + (amount ?? 0), 0) * 100) / 100,
      }))
    },
    applying: async (limit) =>
      all
        .filter(({ state }) => state === 'applying')
        .sort(by(({ updatedAt }) => updatedAt))
        .slice(0, limit),
    past: async function* (since) {
      const inOrder = all.toSorted(newest).reverse()
      const parts = [
        inOrder.filter(({ updatedAt }) => updatedAt >= since),
        inOrder.filter((each) => each.updatedAt < since && isUnsettled(each)),
      ]
      for (const part of parts) if (part.length > 0) yield part
    },
  }
  return { changes, bulk: createBulkModel(now, (id) => all.find((each) => each.id === id)?.state) }
}

const createBulkModel = (
  now: () => number,
  stateOfChange: (id: string) => string | undefined,
): Modelled['bulk'] => {
  const jobs: Job[] = []
  const chunks: Chunk[] = []
  const of = (id: string) => jobs.find((each) => each.id === id)
  const found = (condition: (each: Job) => boolean) => {
    const job = jobs.find(condition)
    return job ? { ...job } : null
  }
  const chunkOf = ({ jobId, n }: Pick<Chunk, 'jobId' | 'n'>) =>
    chunks.find((each) => each.jobId === jobId && each.n === n)
  const shownOf = (each: Chunk): Chunk => ({ ...each })
  return {
    open: async (id) => {
      if (of(id)) throw new Error('taken')
      const none = { changeId: null, reason: null, progressMessage: null, summaryMessage: null }
      const zero = { total: 0, chunks: 0, digest: '', upto: 0, since: 0, sinceDone: 0, shownAt: 0 }
      jobs.push({ id, state: 'collecting', ...none, ...zero, createdAt: now(), updatedAt: now() })
    },
    addChunks: async (jobId, from, added) => {
      if (added.length === 0) return
      if (!of(jobId) || added.some((_, at) => chunkOf({ jobId, n: from + at }))) throw new Error('refused')
      const rows = added.map((items, at): Chunk => {
        const none = { done: 0, failed: 0, unknown: 0, owner: null, error: null, troubles: [] }
        return { jobId, n: from + at, state: 'pending', items: [...items], ...none, at: now() }
      })
      chunks.push(...rows)
    },
    pin: async (id, set) => {
      const job = of(id)
      if (job?.state === 'collecting')
        Object.assign(job, { state: 'pinned', ...set, upto: set.chunks, updatedAt: now() })
    },
    attach: async (id, changeId) => {
      for (const job of jobs.filter((each) => each.changeId === changeId)) job.changeId = null
      Object.assign(of(id) ?? {}, { changeId })
    },
    get: async (id) => found((each) => each.id === id),
    ofChange: async (changeId) => found((each) => each.changeId === changeId),
    list: async (among, limit) =>
      jobs
        .filter(({ state }) => among.includes(state))
        .sort(by(({ updatedAt }) => -updatedAt))
        .slice(0, limit)
        .map((each) => ({ ...each })),
    move: async (id, from, to, { reason = null, upto, sinceDone } = {}) => {
      const job = of(id)
      if (!job || !from.includes(job.state)) return false
      Object.assign(job, { state: to, reason, updatedAt: now() })
      if (upto !== undefined) job.upto = upto
      if (sinceDone !== undefined) Object.assign(job, { since: now(), sinceDone })
      return true
    },
    shown: async (id, shownAt) => {
      Object.assign(of(id) ?? {}, { shownAt })
    },
    setMessage: async (id, kind, address) => {
      Object.assign(of(id) ?? {}, { [`${kind}Message`]: address })
    },
    claim: async (id, owner) => {
      const job = of(id)
      const next = chunks
        .filter((each) => each.jobId === id && each.state === 'pending' && each.n < (job?.upto ?? 0))
        .sort(by(({ n }) => n))[0]
      if (job?.state !== 'running' || !next) return null
      Object.assign(next, { state: 'sending', owner, at: now() })
      return shownOf(next)
    },
    renew: async (key, owner) => {
      const chunk = chunkOf(key)
      if (chunk?.owner !== owner || chunk.state !== 'sending') return false
      chunk.at = now()
      return true
    },
    finish: async (key, owner, { items, ...end }) => {
      const chunk = chunkOf(key)
      const isTheirs = chunk?.owner === owner
      const isLate = chunk?.state === 'unknown' && end.state !== 'pending'
      if (!chunk || !isTheirs || !(chunk.state === 'sending' || isLate)) return false
      Object.assign(chunk, { ...end, at: now() })
      if (items) chunk.items = [...items]
      return true
    },
    figures: async (id) => {
      const mine = chunks.filter(({ jobId }) => jobId === id)
      const sum = (read: (each: Chunk) => number) => mine.reduce((total, each) => total + read(each), 0)
      const itemsIn = (state: Chunk['state']) => (each: Chunk) =>
        each.state === state ? each.items.length : 0
      return {
        done: sum(({ done }) => done),
        failed: sum(({ failed }) => failed),
        unknown: sum(({ unknown }) => unknown),
        left: sum(itemsIn('pending')),
        due: sum((each) => (each.n < (of(id)?.upto ?? 0) ? itemsIn('pending')(each) : 0)),
        sending: sum(itemsIn('sending')),
        noted: mine.filter(({ troubles }) => troubles.length > 0).length,
      }
    },
    sending: async (limit) =>
      chunks
        .filter(({ state }) => state === 'sending')
        .sort(
          by(
            ({ jobId }) => jobId,
            ({ n }) => n,
          ),
        )
        .slice(0, limit)
        .map(({ jobId, n, owner, at }) => ({ jobId, n, owner, at })),
    lose: async ({ owner, ...key }, error, since) => {
      const chunk = chunkOf(key)
      if (chunk?.owner !== owner || chunk?.state !== 'sending' || chunk.at > since) return false
      const unknown = chunk.unknown + chunk.items.length
      Object.assign(chunk, { state: 'unknown', unknown, error, at: now() })
      return true
    },
    due: async (id, among) =>
      chunks
        .filter(({ jobId, n, state }) => jobId === id && among.includes(n) && state === 'pending')
        .map(({ n, items }) => ({ n, size: items.length }))
        .sort(by(({ n }) => n)),
    loseDue: async (key, error) => {
      const chunk = chunkOf(key)
      if (chunk?.state !== 'pending') return false
      const unknown = chunk.unknown + chunk.items.length
      Object.assign(chunk, { state: 'unknown', unknown, error, at: now() })
      return true
    },
    chunks: async (id, after, limit) =>
      chunks
        .filter(({ jobId, n }) => jobId === id && n > after)
        .sort(by(({ n }) => n))
        .slice(0, limit)
        .map(shownOf),
    prune: async ({ unused, ended }) => {
      const isOld = ({ state, updatedAt, changeId }: Job) => {
        if (state === 'done' || state === 'stopped') return updatedAt < ended
        const change = changeId === null ? undefined : stateOfChange(changeId)
        const isAwaited = change !== undefined && ['pending', 'approved', 'applying'].includes(change)
        return ['collecting', 'pinned'].includes(state) && updatedAt < unused && !isAwaited
      }
      const old = new Set(jobs.filter(isOld).map(({ id }) => id))
      removeFrom(chunks, ({ jobId }) => old.has(jobId))
      return removeFrom(jobs, ({ id }) => old.has(id))
    },
  }
}

const createAnswerModel = (): Modelled['answers'] => {
  const all: Parameters<Modelled['answers']['put']>[0][] = []
  return {
    put: async (answer) => {
      removeFrom(all, ({ id }) => id === answer.id)
      all.push(answer)
    },
    get: async (id) => all.find((each) => each.id === id) ?? null,
    recent: async (person, since, limit) =>
      all
        .filter((each) => each.person === person && each.at >= since)
        .sort(by(({ at }) => -at))
        .slice(0, limit),
    prune: async (before) => removeFrom(all, ({ at }) => at < before),
  }
}
