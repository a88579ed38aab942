import type { Passkey } from '../../src/storage/passkeys.ts'
import type { ReplicaFacts } from '../../src/storage/replicas.ts'
import type { Store } from '../../src/storage/store.ts'
import type { OwedEvent } from '../../src/storage/webhooks.ts'
import { by, removeFrom } from './model.ts'

/** The stores that `records.test.ts` compares with what is said here. */
export type ModelledRecords = Pick<
  Store,
  | 'leases'
  | 'replicas'
  | 'cards'
  | 'freezes'
  | 'emergencies'
  | 'installations'
  | 'passkeys'
  | 'policies'
  | 'streamCursors'
  | 'webhooks'
  | 'anchors'
>

/** What these stores promise, in memory, without SQL. */
export const createRecordModel = (now: () => number): ModelledRecords => ({
  ...createReplicaModel(now),
  cards: createCardModel(now),
  freezes: createFreezeModel(),
  emergencies: createEmergencyModel(),
  installations: createInstallationModel(),
  passkeys: createPasskeyModel(now),
  policies: createPolicyModel(),
  streamCursors: createCursorModel(),
  webhooks: createWebhookModel(),
  anchors: createAnchorModel(),
})

export const weekMs = 604_800_000

const createLeaseModel = (now: () => number): ModelledRecords['leases'] => {
  const held: { name: string; owner: string; endsAt: number }[] = []
  const of = (name: string) => held.find((each) => each.name === name)
  const set = (name: string, owner: string, ttlMs: number) => {
    removeFrom(held, (each) => each.name === name)
    held.push({ name, owner, endsAt: now() + ttlMs })
  }
  return {
    acquire: async (name, owner, ttlMs) => {
      const present = of(name)
      if (present && present.owner !== owner && present.endsAt > now()) return false
      set(name, owner, ttlMs)
      return true
    },
    give: async (name, owner, ttlMs) => set(name, owner, ttlMs),
    renew: async (name, owner, ttlMs) => {
      if (of(name)?.owner !== owner) return false
      set(name, owner, ttlMs)
      return true
    },
    end: async (name) => {
      removeFrom(held, (each) => each.name === name && each.endsAt <= now())
      return of(name) === undefined
    },
    release: async (name, owner) => {
      removeFrom(held, (each) => each.name === name && each.owner === owner)
    },
    holder: async (name) => {
      const present = of(name)
      return present && present.endsAt > now() ? present.owner : null
    },
    prune: async (before) => removeFrom(held, ({ endsAt }) => endsAt < before),
  }
}

/** What a bot says of itself is pruned with the leases, and counts for as long as the lease of its process lasts. */
const createReplicaModel = (now: () => number): Pick<ModelledRecords, 'leases' | 'replicas'> => {
  const leases = createLeaseModel(now)
  const told = new Map<string, { about: ReplicaFacts; endsAt: number }>()
  return {
    leases: {
      ...leases,
      prune: async (before) => {
        const old = [...told].filter(([, { endsAt }]) => endsAt < before)
        for (const [process] of old) told.delete(process)
        return (await leases.prune(before)) + old.length
      },
    },
    replicas: {
      tell: async (process, about) => {
        told.set(process, { about, endsAt: now() + weekMs })
      },
      leave: async (process) => {
        told.delete(process)
      },
      running: async () => {
        const found: ReplicaFacts[] = []
        for (const [process, { about }] of told)
          if ((await leases.holder(`process:${process}`)) === process) found.push(about)
        return found
      },
    },
  }
}

const createCardModel = (now: () => number): ModelledRecords['cards'] => {
  type Card = Awaited<ReturnType<ModelledRecords['cards']['of']>>[0]
  const all: (Card & { at: number })[] = []
  const refusals: { changeId: string; platform: string; place: string }[] = []
  const of = (changeId: string, platform: string, address: string) =>
    all.find((each) => each.changeId === changeId && each.platform === platform && each.address === address)
  return {
    add: async ({ version = 0, ...card }) => {
      if (!of(card.changeId, card.platform, card.address)) all.push({ ...card, version, at: now() })
    },
    of: async (changeId) =>
      all
        .filter((each) => each.changeId === changeId)
        .sort(
          by(
            ({ at }) => at,
            ({ platform }) => platform,
            ({ address }) => address,
          ),
        )
        .map(({ at: _, ...card }) => ({ ...card })),
    at: async (platform, address) =>
      all.find((each) => each.platform === platform && each.address === address)?.changeId,
    shown: async (changeId, platform, address, version) => {
      const card = of(changeId, platform, address)
      if (!card || card.version > version) return false
      card.version = version
      return true
    },
    remove: async (changeId, platform, address) => {
      const card = of(changeId, platform, address)
      removeFrom(all, (each) => each === card)
    },
    refuse: async (changeId, platform, place) => {
      const isSame = (each: (typeof refusals)[0]) =>
        each.changeId === changeId && each.platform === platform && each.place === place
      if (!refusals.some(isSame)) refusals.push({ changeId, platform, place })
    },
    refusedBy: async (changeId) =>
      refusals
        .filter((each) => each.changeId === changeId)
        .map(({ platform, place }) => ({ platform, place })),
  }
}

const createFreezeModel = (): ModelledRecords['freezes'] => {
  const all: Parameters<ModelledRecords['freezes']['set']>[0][] = []
  return {
    all: async () => all.toSorted(by(({ area }) => area)),
    set: async (freeze) => {
      removeFrom(all, ({ area }) => area === freeze.area)
      all.push(freeze)
    },
    clear: async (area) => removeFrom(all, (each) => each.area === area) === 1,
  }
}

const createEmergencyModel = (): ModelledRecords['emergencies'] => {
  const all: Parameters<ModelledRecords['emergencies']['use']>[0][] = []
  return {
    open: async () => all.toSorted(by(({ at }) => at)),
    use: async (emergency) => {
      if (!all.some(({ changeId }) => changeId === emergency.changeId)) all.push(emergency)
    },
    reviewed: async (changeId) => {
      removeFrom(all, (each) => each.changeId === changeId)
    },
  }
}

const createInstallationModel = (): ModelledRecords['installations'] => {
  const all: { platform: string; id: string; sealed: string }[] = []
  const remove = (platform: string, id: string) =>
    removeFrom(all, (each) => each.platform === platform && each.id === id) === 1
  return {
    all: async (platform) =>
      all
        .filter((each) => each.platform === platform)
        .sort(by(({ id }) => id))
        .map(({ id, sealed }) => ({ id, sealed })),
    put: async (platform, installation) => {
      remove(platform, installation.id)
      all.push({ platform, ...installation })
    },
    remove: async (platform, id) => remove(platform, id),
  }
}

const createPasskeyModel = (now: () => number): ModelledRecords['passkeys'] => {
  const keys: Passkey[] = []
  const challenges: Parameters<ModelledRecords['passkeys']['offer']>[0][] = []
  const of = (wanted: string) => keys.find(({ id }) => id === wanted)
  const lasting = (digest: string, purpose: string) =>
    challenges.find((each) => each.digest === digest && each.purpose === purpose && each.endsAt > now())
  type Enrolled = Awaited<ReturnType<ModelledRecords['passkeys']['enrolled']>>[0]
  const enrolled = () => keys.filter(({ changeId }) => changeId !== null) as Enrolled[]
  return {
    add: async (made) => {
      if (of(made.id)) throw new Error('taken')
      keys.push({ ...made, changeId: null, approvedBy: null, enrolledAt: null })
    },
    get: async (id) => {
      const key = of(id)
      return key && { ...key }
    },
    enrolled: async (person) =>
      enrolled()
        .filter((each) => person === undefined || each.person === person)
        .sort(
          by(
            (each) => each.person,
            ({ enrolledAt }) => enrolledAt,
            ({ id }) => id,
          ),
        )
        .map((each) => ({ ...each })),
    ownersOf: async (ids) =>
      new Map(enrolled().flatMap(({ id, person }) => (ids.includes(id) ? [[id, person]] : []))),
    enrol: async (id, { changeId, approvedBy, at }) => {
      const key = of(id)
      if (!key || key.changeId !== null) return false
      Object.assign(key, { changeId, approvedBy, enrolledAt: at })
      return true
    },
    remove: async (id) => removeFrom(keys, (each) => each.id === id && each.changeId !== null) === 1,
    count: async (id, counter) => {
      Object.assign(of(id) ?? {}, { counter })
    },
    offer: async (challenge) => {
      if (challenges.some(({ digest }) => digest === challenge.digest)) throw new Error('taken')
      challenges.push(challenge)
    },
    find: async (digest, purpose) => lasting(digest, purpose),
    use: async (digest, purpose) => {
      const found = lasting(digest, purpose)
      return removeFrom(challenges, (each) => each === found) === 1
    },
    prune: async (before, madeBefore) =>
      removeFrom(challenges, ({ endsAt }) => endsAt < before) +
      removeFrom(keys, ({ changeId, madeAt }) => changeId === null && madeAt < madeBefore),
  }
}

const createPolicyModel = (): ModelledRecords['policies'] => {
  const texts = new Map<string, string>()
  const versions: Parameters<ModelledRecords['policies']['add']>[0][] = []
  const newestFirst = () => versions.toSorted(by(({ n }) => -n))
  return {
    keep: async (digest, text) => {
      if (!texts.has(digest)) texts.set(digest, text)
    },
    text: async (digest) => texts.get(digest),
    newest: async () => newestFirst()[0],
    wasInForce: async (wanted) => versions.some(({ digest }) => digest === wanted),
    add: async (version) => {
      if (versions.some(({ n }) => n === version.n)) throw new Error('taken')
      versions.push(version)
    },
    list: async ({ skip, limit }) => newestFirst().slice(skip, skip + limit),
  }
}

const createCursorModel = (): ModelledRecords['streamCursors'] => {
  const all = new Map<string, number>()
  return {
    at: async (receiver) => all.get(receiver) ?? 0,
    move: async (receiver, from, to) => {
      if (all.has(receiver) && all.get(receiver) !== from) return false
      all.set(receiver, to)
      return true
    },
  }
}

const createWebhookModel = (): ModelledRecords['webhooks'] => {
  const all: OwedEvent[] = []
  type Key = Pick<OwedEvent, 'hook' | 'changeId' | 'n'>
  const isSame = (one: Key) => (other: Key) =>
    one.hook === other.hook && one.changeId === other.changeId && one.n === other.n
  const waiting = (hook: string) =>
    all.filter(
      (each) =>
        each.hook === hook &&
        !each.isDead &&
        !all.some((other) => other.hook === hook && other.changeId === each.changeId && other.n < each.n),
    )
  const inOrder = by<OwedEvent>(
    ({ at }) => at,
    ({ changeId }) => changeId,
    ({ n }) => n,
  )
  return {
    owe: async (events) => {
      if (events.some((event) => all.some(isSame(event)))) throw new Error('taken')
      all.push(
        ...events.map((event) => ({ ...event, attempts: 0, dueAt: event.at, error: null, isDead: false })),
      )
    },
    due: async (hook, at, limit) =>
      waiting(hook)
        .filter(({ dueAt }) => dueAt <= at)
        .sort(
          by(
            ({ dueAt }) => dueAt,
            (each) => each.at,
          ),
        )
        .slice(0, limit)
        .map((each) => ({ ...each })),
    nextDue: async (hook) => {
      const times = waiting(hook).map(({ dueAt }) => dueAt)
      return times.length === 0 ? undefined : Math.min(...times)
    },
    told: async (event) => {
      removeFrom(all, isSame(event))
    },
    failed: async (event, next) => {
      for (const each of all.filter(isSame(event)))
        Object.assign(each, { ...next, attempts: each.attempts + 1 })
    },
    owed: async () =>
      [...Map.groupBy(all, ({ hook }) => hook)].map(([hook, events]) => ({
        hook,
        owed: events.length,
        dead: events.filter(({ isDead }) => isDead).length,
        since: Math.min(...events.map(({ at }) => at)),
      })),
    dead: async (limit) =>
      all
        .filter(({ isDead }) => isDead)
        .sort(inOrder)
        .slice(0, limit)
        .map((each) => ({ ...each })),
    revive: async (at, changeId) => {
      const revived = all.filter(
        (each) => each.isDead && (changeId === undefined || each.changeId === changeId),
      )
      for (const each of revived) Object.assign(each, { isDead: false, attempts: 0, dueAt: at })
      return [...new Set(revived.map(({ hook }) => hook))]
    },
    prune: async (before) => removeFrom(all, ({ at }) => at < before),
  }
}

const createAnchorModel = (): ModelledRecords['anchors'] => {
  const all: Parameters<ModelledRecords['anchors']['add']>[0][] = []
  const gaps: Parameters<ModelledRecords['anchors']['openGap']>[0][] = []
  return {
    add: async (anchor) => {
      if (!all.some(({ witness, size }) => witness === anchor.witness && size === anchor.size))
        all.push(anchor)
    },
    after: async (witness, size, limit) =>
      all
        .filter((each) => each.witness === witness && each.size > size)
        .sort(by((each) => each.size))
        .slice(0, limit),
    latest: async () =>
      [...Map.groupBy(all, ({ witness }) => witness)]
        .map(([witness, its]) => {
          const { size, at } = its.toSorted(by((each) => -each.size))[0] as (typeof its)[0]
          return { witness, size, at }
        })
        .sort(by(({ witness }) => witness)),
    gaps: async () => gaps.map((each) => ({ ...each })).sort(by(({ witness }) => witness)),
    openGap: async (gap) => {
      const known = gaps.find(({ witness }) => witness === gap.witness)
      if (known) known.error = gap.error
      else gaps.push({ ...gap })
      return known === undefined
    },
    closeGap: async (wanted) => removeFrom(gaps, ({ witness }) => witness === wanted) === 1,
  }
}
