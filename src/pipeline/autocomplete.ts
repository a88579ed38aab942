import type { Asker } from '../command/context.ts'
import type { Suggested, Suggestion } from '../command/params.ts'
import type { Core } from '../core/core.ts'
import type { Change } from '../model/change.ts'
import { mayRun } from '../policy/people.ts'
import { endpointsByPath } from '../services/endpoints/shapes.ts'
import { isRecord, type OpenRecord, recordsIn } from '../services/read-answer.ts'

type Source = {
  /** The command that shows the same data: people who may not run it get no suggestions from it. */
  shownBy: string
  read(core: Core): Promise<Suggested[]>
}

const freshMs = 30_000
const mostShown = 25

type Kept = { until: number; items: Promise<Suggested[]> }
const keptBy = new WeakMap<Core, Map<string, Kept>>()

/**
 * Live values for a parameter, from a short-lived cache, and only those that the asker may read. Never
 * throws; on an error there are no suggestions.
 */
export const suggest = async (
  core: Core,
  asker: Asker,
  source: Suggestion,
  typed: string,
): Promise<Suggested[]> => {
  try {
    return matching(await itemsFor(core, asker, source, typed), typed)
  } catch (error) {
    core.log.debug({ err: error, source }, 'there are no suggestions')
    return []
  }
}

const itemsFor = async (
  core: Core,
  asker: Asker,
  source: Suggestion,
  typed: string,
): Promise<Suggested[]> => {
  const may = (name: string) => mayRun(core.policy, asker, [name])
  switch (source) {
    case 'commands':
      return core.registry.all
        .filter(({ name }) => may(name))
        .map(({ name, summary }) => ({ label: `${name}: ${summary}`, value: name }))
    case 'endpoints':
      return may('api call')
        ? endpointsByPath(typed).map(({ path, words }) => ({ label: words, value: path }))
        : []
    case 'approvals': {
      const found = await changesFor(core, asker, ['pending', 'unknown'])
      return found.map(({ id, preview, requester }) => ({
        label: `${preview.title}, asked by ${requester.name}`,
        value: id,
      }))
    }
    case 'subscriptions': {
      // No endpoint lists subscriptions, but those of earlier plan changes are known.
      const found = await changesFor(core, asker)
      const ids = found.flatMap(({ input, names }) =>
        names.includes('upgrade') && typeof input.subscriptionId === 'string' ? [input.subscriptionId] : [],
      )
      return [...new Set(ids)].map((id) => ({ label: id, value: id }))
    }
    default: {
      const { shownBy, read } = sources[source]
      return may(shownBy) ? kept(core, source, () => read(core)) : []
    }
  }
}

const sources: Record<
  Exclude<Suggestion, 'commands' | 'endpoints' | 'approvals' | 'subscriptions'>,
  Source
> = {
  campaigns: {
    shownBy: 'campaign find',
    read: async ({ services }) => {
      const { data } = await services.readers.email.findCampaigns({ query: { limit: 100 } })
      const found = recordsIn(data, 'campaigns').map((one) => ({
        ...(isRecord(one.campaignDetails) ? one.campaignDetails : {}),
        ...one,
      }))
      return named(found, ['_id', 'id'], ['campaignName', 'name'], ['status'])
    },
  },
  lists: {
    shownBy: 'list find',
    read: async ({ services }) =>
      named(
        recordsIn((await services.readers.email.findLists()).data, 'lists'),
        ['id', '_id'],
        ['name', 'listName'],
      ),
  },
  contacts: {
    shownBy: 'contact find',
    read: async ({ services }) =>
      named(
        recordsIn((await services.readers.chat.findContacts()).data, 'contacts'),
        ['_id', 'id'],
        ['name'],
        ['mobile'],
      ),
  },
  // No endpoint lists plans and products either, but checkout pages contain those that are sold.
  plans: {
    shownBy: 'multiplan find',
    read: async (core) =>
      named(await plansIn(core), ['id', '_id', 'plan_id'], ['plan_name', 'name'], ['product_id']),
  },
  products: {
    shownBy: 'multiplan find',
    read: async (core) =>
      named([...(await pagesIn(core)), ...(await plansIn(core))], ['product_id'], ['product_name']),
  },
}

const pagesIn = async ({ services }: Core): Promise<OpenRecord[]> =>
  recordsIn((await services.readers.billing.findMultiplans()).data, 'multiplans')

const plansIn = async (core: Core): Promise<OpenRecord[]> =>
  (await pagesIn(core)).flatMap(({ plans }) => (Array.isArray(plans) ? plans.filter(isRecord) : []))

/** All of them if the asker may list them, otherwise only the asker's own. */
const changesFor = (core: Core, asker: Asker, states?: readonly Change['state'][]): Promise<Change[]> =>
  core.store.changes.list({
    limit: 100,
    states,
    requester: mayRun(core.policy, asker, ['approval list']) ? undefined : asker.person,
  })

/** One shared read at a time for all who type; a failed read is not cached. */
const kept = (core: Core, key: string, read: () => Promise<Suggested[]>): Promise<Suggested[]> => {
  const all = keptBy.get(core) ?? new Map<string, Kept>()
  keptBy.set(core, all)
  const known = all.get(key)
  if (known !== undefined && core.now() < known.until) return known.items
  const items = read()
  all.set(key, { until: core.now() + freshMs, items })
  items.catch(() => all.delete(key))
  return items
}

const named = (records: OpenRecord[], ids: string[], names: string[], beside: string[] = []): Suggested[] => {
  const byId = new Map<string, Suggested>()
  for (const record of records) {
    const value = textIn(record, ids)
    if (value === '' || byId.has(value)) continue
    const rest = textIn(record, beside)
    byId.set(value, { label: `${textIn(record, names) || value}${rest === '' ? '' : ` (${rest})`}`, value })
  }
  return [...byId.values()]
}

const textIn = (record: OpenRecord, keys: string[]): string => {
  const found = keys
    .map((key) => record[key])
    .find((value) => typeof value === 'string' || typeof value === 'number')
  return found === undefined ? '' : String(found)
}

/** Values that start with the typed text come first, then values that contain it. */
const matching = (items: readonly Suggested[], typed: string): Suggested[] => {
  const wanted = typed.trim().toLowerCase()
  const rank = ({ label, value }: Suggested): number => {
    const [words, id] = [label.toLowerCase(), value.toLowerCase()]
    if (words.startsWith(wanted) || id.startsWith(wanted)) return 0
    return words.includes(wanted) || id.includes(wanted) ? 1 : 2
  }
  return items
    .map((item) => ({ item, at: rank(item) }))
    .filter(({ at }) => at < 2)
    .sort((one, other) => one.at - other.at)
    .slice(0, mostShown)
    .map(({ item }) => item)
}
