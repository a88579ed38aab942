import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eachEngine } from '../harness/database.ts'
import { asSet, type CallsOf, eachIsAlike } from './alike.ts'
import { createRecordModel, type ModelledRecords, weekMs } from './record-model.ts'
import { useStore } from './store.ts'

const time = fc.integer({ min: 0, max: 9 })
const soon = fc.integer({ min: 1, max: 3 })
const person = fc.constantFrom('p1', 'p2')
const name = fc.constantFrom('a', 'b', 'c')
const change = fc.constantFrom('c0', 'c1', 'c2')
const none = fc.constant<unknown[]>([])

const process = fc.constantFrom('one', 'two')
/** Of a process, and of something else that a process has. */
const leaseName = fc.constantFrom('process:one', 'process:two', 'gateway')

const platform = fc.constantFrom('slack', 'discord')
const place = fc.constantFrom('origin', 'mirror')
/** A message shows one change. */
const address = fc.tuple(change, fc.constantFrom('x', 'y')).map(([id, which]) => `${id}${which}`)

const calls: CallsOf<ModelledRecords> = {
  leases: {
    acquire: fc.tuple(leaseName, process, soon),
    give: fc.tuple(leaseName, process, soon),
    renew: fc.tuple(leaseName, process, soon),
    end: fc.tuple(leaseName),
    release: fc.tuple(leaseName, process),
    holder: fc.tuple(leaseName),
    under: fc.tuple(fc.constantFrom('process:', 'gate', '%', '_')),
    prune: fc.tuple(
      fc.oneof(
        time,
        time.map((at) => at + weekMs),
      ),
    ),
  },
  replicas: {
    tell: process.map((id) => [id, { version: '1.0.0', policy: `policy of ${id}`, key: 'k' }]),
    leave: fc.tuple(process),
    running: none,
  },
  cards: {
    add: fc
      .tuple(address, platform, place, fc.option(soon, { nil: undefined }))
      .map(([at, on, where, shows]) => [
        {
          changeId: at.slice(0, 2),
          platform: on,
          address: at,
          place: where,
          ...(shows === undefined ? {} : { version: shows }),
        },
      ]),
    of: fc.tuple(change),
    at: fc.tuple(platform, address),
    shown: fc.tuple(change, platform, address, soon),
    remove: fc.tuple(change, platform, address),
    refuse: fc.tuple(change, platform, place),
    refusedBy: fc.tuple(change),
  },
  freezes: {
    all: none,
    set: fc.tuple(fc.record({ area: name, by: person, name, reason: name, at: time })),
    clear: fc.tuple(name),
  },
  emergencies: {
    open: none,
    use: fc
      .tuple(change, person, time)
      .map(([changeId, who, at]) => [{ changeId, person: who, at: at * 3 + Number(changeId[1]) }]),
    reviewed: fc.tuple(change),
  },
  installations: {
    all: fc.tuple(platform),
    put: fc.tuple(platform, fc.record({ id: name, sealed: name })),
    remove: fc.tuple(platform, name),
  },
  passkeys: {
    add: fc.tuple(
      fc.record({
        id: name,
        person,
        name,
        publicKey: name,
        counter: time,
        isCopied: fc.boolean(),
        madeAt: time,
      }),
    ),
    get: fc.tuple(name),
    enrolled: fc.oneof(none, fc.tuple(person)),
    ownersOf: fc.tuple(fc.uniqueArray(name)),
    enrol: fc.tuple(name, fc.record({ changeId: change, approvedBy: person, at: time })),
    remove: fc.tuple(name),
    count: fc.tuple(name, time),
    offer: fc.tuple(
      fc.record({
        digest: name,
        purpose: fc.constantFrom('vote', 'enrol'),
        person: fc.option(person),
        doc: name,
        endsAt: time,
      }),
    ),
    find: fc.tuple(name, fc.constantFrom('vote', 'enrol')),
    spend: fc.tuple(name, time),
    use: fc.tuple(name, fc.constantFrom('vote', 'enrol')),
    prune: fc.tuple(time, time),
  },
  policies: {
    keep: fc.tuple(name, name, time),
    text: fc.tuple(name),
    newest: none,
    add: fc.tuple(fc.record({ n: time, digest: name, at: time, who: person, name, source: name })),
    list: fc.tuple(fc.record({ skip: fc.integer({ min: 0, max: 2 }), limit: soon })),
  },
  gaps: {
    all: none,
    open: fc.tuple(fc.record({ name, since: time, error: name })),
    close: fc.tuple(name),
  },
}

eachIsAlike('a store of records does what the model of it does', {
  groups: [
    [['leases', 'replicas'], ['leases']],
    [['leases.give', 'replicas.tell', 'replicas.running'], ['leases']],
    [['cards'], ['cards', 'card_refusals']],
    [['freezes'], ['freezes']],
    [['emergencies'], ['emergencies']],
    [['installations'], ['installations']],
    [['passkeys'], ['passkeys', 'passkey_challenges']],
    [
      ['passkeys.offer', 'passkeys.find', 'passkeys.spend', 'passkeys.use', 'passkeys.prune'],
      ['passkeys', 'passkey_challenges'],
    ],
    [['policies'], ['policy_versions', 'policy_texts']],
    [['gaps'], ['witness_gaps']],
  ],
  calls,
  createModel: createRecordModel,
  shown: {
    'replicas.running': asSet,
    'cards.refusedBy': asSet,
  },
})

eachEngine('of many who ask at once', (engine) => {
  const use = useStore(engine)

  it('one has the first copy of a delivery', async () => {
    const asked = Array.from({ length: 200 }, () => use.store.deliveries.first('slack:Ev1'))
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
  })

  it('one has the lease', async () => {
    const asked = Array.from({ length: 50 }, (_, at) => use.store.leases.acquire('gateway', `o${at}`, 100))
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
  })
})
