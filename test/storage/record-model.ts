import type { Passkey } from '../../src/kernel/store/passkeys.ts'
import type { ReplicaFacts } from '../../src/kernel/store/replicas.ts'
import type { Store } from '../../src/kernel/store/store.ts'
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
  | 'gaps'
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
  gaps: createGapModel(),
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
    under: async (prefix) =>
      held
        .filter(({ name }) => name.startsWith(prefix))
        .map(({ name, owner, endsAt }) => ({ name, owner, endsAt }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
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
      if (of(made.id)) return false
      keys.push({ ...made, changeId: null, approvedBy: null, enrolledAt: null })
      return true
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
    spend: async (digest, endsAt) => {
      if (challenges.some((each) => each.digest === digest)) return false
      challenges.push({ digest, purpose: 'spent', person: null, doc: '{}', endsAt })
      return true
    },
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
    add: async (version) => {
      if (versions.some(({ n }) => n === version.n)) throw new Error('taken')
      versions.push(version)
    },
    list: async ({ skip, limit }) => newestFirst().slice(skip, skip + limit),
  }
}

const createGapModel = (): ModelledRecords['gaps'] => {
  const gaps: Parameters<ModelledRecords['gaps']['open']>[0][] = []
  return {
    all: async () => gaps.map((each) => ({ ...each })).sort(by(({ name }) => name)),
    open: async (gap) => {
      const known = gaps.find(({ name }) => name === gap.name)
      if (known) known.error = gap.error
      else gaps.push({ ...gap })
      return known === undefined
    },
    close: async (wanted) => removeFrom(gaps, ({ name }) => name === wanted) === 1,
  }
}
