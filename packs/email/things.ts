import { candidate, candidatesIn } from '../../src/kernel/command/candidate.ts'
import type { Pack } from '../../src/kernel/command/pack.ts'
import { isRecord, recordsIn } from '../../src/lib/services/read-answer.ts'
import { thing } from '../../src/lib/view/thing.ts'

export const things: NonNullable<Pack['things']> = {
  subscriber: {
    shownBy: ['subscriber find'],
    read: ({ email, typed, kept }) => {
      // The service looks into first names and last names, but not into both together.
      const [search = ''] = typed
        .toLowerCase()
        .split(/\s+/)
        .toSorted((one, other) => other.length - one.length)
      return kept(`subscriber ${search}`, async () => {
        const query = { ...(search === '' ? {} : { search }), limit: 25 }
        const { data } = await email.findSubscribers({ query })
        return (data?.subscribers ?? []).flatMap((one) => {
          const name = [one.firstName, one.lastName].filter(Boolean).join(' ')
          const known = candidate(thing('subscriber', one.email || one._id, { name }), one.status)
          return one.mobile ? known.map((each) => ({ ...each, keys: [String(one.mobile)] })) : known
        })
      })
    },
  },
  list: {
    shownBy: ['list find'],
    read: ({ email, kept }) =>
      kept('list', async () =>
        candidatesIn('list', recordsIn((await email.findLists()).data, 'lists'), {
          ids: ['id', '_id'],
          names: ['name', 'listName'],
        }),
      ),
  },
  campaign: {
    shownBy: ['campaign find'],
    read: ({ email, kept }) =>
      kept('campaign', async () => {
        const { data } = await email.findCampaigns({ query: { limit: 100 } })
        const found = recordsIn(data, 'campaigns').map((one) => ({
          ...(isRecord(one.campaignDetails) ? one.campaignDetails : {}),
          ...one,
        }))
        return candidatesIn('campaign', found, {
          ids: ['_id', 'id'],
          names: ['campaignName', 'name'],
          beside: ['status'],
        })
      }),
  },
}
