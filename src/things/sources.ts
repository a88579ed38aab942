import type { Asker } from '../command/context.ts'
import { readContext } from '../core/context/command-context.ts'
import type { Core } from '../core/core.ts'
import { sightOf } from '../core/people/delegates.ts'
import type { Change } from '../model/change.ts'
import { mayRun } from '../policy/people.ts'
import { isRecord, type OpenRecord, recordsIn } from '../services/read-answer.ts'
import { type Thing, type ThingKind, type ThingReference, thing } from '../view/thing.ts'
import { kept } from './cache.ts'

/** A thing that could be meant, with what helps to tell it from others. */
export type Candidate = Thing & { beside?: string }

/** What to look for: `typed` is what somebody wrote so far, `within` are the things that were chosen beside it. */
export type Wanted = { typed: string; within: readonly ThingReference[] }

type Source = {
  /** The commands that show the same: people who may run none of them are offered nothing from here. */
  shownBy: readonly string[]
  read(core: Core, asker: Asker, wanted: Wanted): Promise<Candidate[]>
}

/** The things of a kind that this person may know of, as the services and the bot's own records have them now. */
export const thingsOfKind = async (
  core: Core,
  asker: Asker,
  kind: ThingKind,
  wanted: Wanted,
): Promise<Candidate[]> => {
  const { shownBy, read } = sources[kind]
  const isShown = shownBy.length === 0 || shownBy.some((name) => mayRun(core.policy, asker, [name]))
  return isShown ? read(core, asker, wanted) : []
}

const sources: Record<ThingKind, Source> = {
  subscriber: {
    shownBy: ['subscriber find'],
    read: (core, _asker, { typed }) => {
      // The service looks into first names and last names, but not into both together.
      const [search = ''] = typed
        .toLowerCase()
        .split(/\s+/)
        .toSorted((one, other) => other.length - one.length)
      return kept(core, `subscriber ${search}`, async () => {
        const query = { ...(search === '' ? {} : { search }), limit: 25 }
        const { data } = await core.services.readers.email.findSubscribers({ query })
        return (data?.subscribers ?? []).flatMap((one) => {
          const name = [one.firstName, one.lastName].filter(Boolean).join(' ')
          return candidate(thing('subscriber', one.email || one._id, { name }), one.status)
        })
      })
    },
  },
  contact: {
    shownBy: ['contact find'],
    read: (core) =>
      kept(core, 'contact', async () =>
        named(
          'contact',
          recordsIn((await core.services.readers.chat.findContacts()).data, 'contacts'),
          ['_id', 'id'],
          ['name'],
          ['mobile'],
        ),
      ),
  },
  list: {
    shownBy: ['list find'],
    read: (core) =>
      kept(core, 'list', async () =>
        named(
          'list',
          recordsIn((await core.services.readers.email.findLists()).data, 'lists'),
          ['id', '_id'],
          ['name', 'listName'],
        ),
      ),
  },
  campaign: {
    shownBy: ['campaign find'],
    read: (core) =>
      kept(core, 'campaign', async () => {
        const { data } = await core.services.readers.email.findCampaigns({ query: { limit: 100 } })
        const found = recordsIn(data, 'campaigns').map((one) => ({
          ...(isRecord(one.campaignDetails) ? one.campaignDetails : {}),
          ...one,
        }))
        return named('campaign', found, ['_id', 'id'], ['campaignName', 'name'], ['status'])
      }),
  },
  // No endpoint lists customers or subscriptions, but those of earlier requests are known.
  customer: { shownBy: ['transaction find'], read: (core, asker) => inRequests(core, asker, 'customer') },
  subscription: { shownBy: [], read: (core, asker) => inRequests(core, asker, 'subscription') },
  payment: {
    shownBy: ['transaction find'],
    read: async (core, asker, { within }) => {
      const customers = within.filter(({ kind }) => kind === 'customer')
      const paid = await Promise.all(customers.map(({ id }) => paymentsOf(core, id)))
      return [...paid.flat(), ...(await inRequests(core, asker, 'payment'))]
    },
  },
  // No endpoint lists plans and products either, but checkout pages contain those that are sold.
  plan: {
    shownBy: ['multiplan find', 'upgrade', 'downgrade'],
    read: async (core) =>
      named(
        'plan',
        plansIn(await pagesIn(core)),
        ['id', '_id', 'plan_id'],
        ['plan_name', 'name'],
        ['product_id'],
      ),
  },
  product: {
    shownBy: ['multiplan find'],
    read: async (core) => {
      const pages = await pagesIn(core)
      return named('product', [...pages, ...plansIn(pages)], ['product_id'], ['product_name'])
    },
  },
  multiplan: {
    shownBy: ['multiplan find'],
    read: async (core) => named('multiplan', await pagesIn(core), ['id', '_id'], ['page_title', 'title']),
  },
  'add-on': {
    shownBy: ['addon find'],
    read: (core, asker, wanted) =>
      ofProducts(core, asker, wanted, 'add-on', async (product_id) =>
        recordsIn(
          (await core.services.readers.billing.findAddons({ params: { product_id } })).data,
          'addons',
        ),
      ),
  },
  license: {
    shownBy: ['license find'],
    read: (core, asker, wanted) =>
      ofProducts(core, asker, wanted, 'license', async (product_id) => {
        const { data } = await core.services.readers.billing.findLicenses({
          params: { product_id },
          query: { limit: 100 },
        })
        return (data ?? []).filter(isRecord)
      }),
  },
  change: {
    shownBy: [],
    read: async (core, asker) =>
      (await changesFor(core, asker, ['pending', 'unknown'])).flatMap(({ id, preview, requester }) =>
        candidate(thing('change', id, { name: preview.title }), `asked by ${requester.name}`),
      ),
  },
  job: {
    shownBy: ['job list'],
    read: async (core, asker) =>
      (await readContext(core, asker).records.jobs()).flatMap(({ id, title, state }) =>
        candidate(thing('job', id, { name: title }), state),
      ),
  },
}

const candidate = (of: Thing | undefined, beside: string | null | undefined): Candidate[] =>
  of === undefined ? [] : [beside ? { ...of, beside } : of]

const pagesIn = (core: Core): Promise<OpenRecord[]> =>
  kept(core, 'multiplan', async () =>
    recordsIn((await core.services.readers.billing.findMultiplans()).data, 'multiplans'),
  )

const plansIn = (pages: readonly OpenRecord[]): OpenRecord[] =>
  pages.flatMap(({ plans }) => (Array.isArray(plans) ? plans.filter(isRecord) : []))

const paymentsOf = (core: Core, customer: string): Promise<Candidate[]> =>
  kept(core, `payment ${customer}`, async () => {
    const params = { customer_id: customer }
    const { data } = await core.services.readers.billing.findTransactions({ params })
    const ids = ['id', '_id', 'transaction_id', 'payment_id']
    const found = named('payment', recordsIn(data, 'transactions'), ids, [], ['amount'])
    return found.map((one) => ({ ...one, of: { kind: 'customer' as const, id: customer } }))
  })

const mostProducts = 5

/** What belongs to a product: to the one that was chosen, or else to those that are known. */
const ofProducts = async (
  core: Core,
  asker: Asker,
  wanted: Wanted,
  kind: 'add-on' | 'license',
  read: (product: string) => Promise<OpenRecord[]>,
): Promise<Candidate[]> => {
  const chosen = wanted.within.filter((one) => one.kind === 'product')
  const products = chosen.length > 0 ? chosen : await thingsOfKind(core, asker, 'product', wanted)
  const found = await Promise.all(
    products.slice(0, mostProducts).map(({ id }) =>
      kept(core, `${kind} ${id}`, async () =>
        named(kind, await read(id), ['id', '_id'], ['name'], ['code', 'status']).map((one) => ({
          ...one,
          of: { kind: 'product' as const, id },
        })),
      ),
    ),
  )
  return found.flat()
}

/** Things that earlier requests named, of those that the asker may see. */
const inRequests = async (core: Core, asker: Asker, kind: ThingKind): Promise<Candidate[]> => {
  const ids = new Set<string>()
  for (const { command, input } of await changesFor(core, asker)) {
    for (const { name, kinds } of core.registry.get(command)?.params ?? []) {
      const value = input[name]
      if (kinds.includes(kind) && typeof value === 'string') ids.add(value)
    }
  }
  return [...ids].flatMap((id) => thing(kind, id) ?? [])
}

/** The newest that the asker may see, and the newest of their own, whatever others asked for since. */
const changesFor = async (
  core: Core,
  asker: Asker,
  states?: readonly Change['state'][],
): Promise<Change[]> => {
  const [sees, ...found] = await Promise.all([
    sightOf(core, asker),
    ...[undefined, asker.person].map((requester) =>
      core.store.changes.list({ limit: 100, states, requester }),
    ),
  ])
  return [...new Map(found.flat().map((change) => [change.id, change])).values()].filter(sees)
}

const named = (
  kind: ThingKind,
  records: readonly OpenRecord[],
  ids: string[],
  names: string[],
  beside: string[] = [],
): Candidate[] => {
  const found = new Map<string, Candidate>()
  for (const record of records) {
    const id = textIn(record, ids)
    if (found.has(id)) continue
    for (const one of candidate(thing(kind, id, { name: textIn(record, names) }), textIn(record, beside))) {
      found.set(id, one)
    }
  }
  return [...found.values()]
}

const textIn = (record: OpenRecord, keys: string[]): string => {
  const found = keys
    .map((key) => record[key])
    .find((value) => typeof value === 'string' || typeof value === 'number')
  return found === undefined ? '' : String(found)
}
