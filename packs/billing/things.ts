import { candidate, candidatesIn } from '../../src/kernel/command/candidate.ts'
import type { Candidate, Pack, SourceContext } from '../../src/kernel/command/pack.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { ifReadable, isRecord, type OpenRecord, recordsIn } from '../../src/lib/services/read-answer.ts'
import { linkEnd } from '../../src/lib/things/link.ts'
import { dateIn, hasNothingLeft, paymentLabel, paymentOf } from './transaction.ts'

export const things: NonNullable<Pack['things']> = {
  // No endpoint lists customers or subscriptions, but those of earlier requests are known.
  customer: {
    shownBy: ['transaction find'],
    read: async (context) => Promise.all((await context.inRequests('customer')).map(byAddress(context))),
  },
  subscription: {
    shownBy: [],
    read: ({ inRequests }) => inRequests('subscription'),
    owned: {
      by: 'customer',
      // Those that payments name, and those that links know.
      list: async (customer, { billing, links }) => {
        const read = await ifReadable(billing.findTransactions({ params: { customer_id: customer } }))
        const paid = newestFirst(recordsIn(read?.data, 'transactions')).map((one) => one.subscription_id)
        const linked = endsOfKind(await links.payerOf({ kind: 'customer', id: customer }), 'subscription')
        const ids = [...paid, ...linked.map(({ id }) => id)].flatMap(
          (id) => linkEnd('subscription', id)?.id ?? [],
        )
        return [...new Set(ids)].map((id) => ({ id }))
      },
      none: (customer) => `The billing service shows no subscription of customer ${customer}.`,
    },
  },
  payment: {
    shownBy: ['transaction find'],
    read: async (context) => {
      const customers = context.within.filter(({ kind }) => kind === 'customer')
      const known = await context.inRequests('payment')
      const payers = customers.length > 0 ? [] : await payersOf(context, known)
      const paid = await Promise.all([...customers, ...payers].map(({ id }) => paymentsOf(context, id)))
      // Of whoever was chosen, theirs alone; otherwise they name the ones that were looked up or asked for earlier.
      const named = new Map(paid.flat().map((one) => [one.id, one]))
      return customers.length > 0 ? [...named.values()] : known.map((one) => named.get(one.id) ?? one)
    },
    owned: {
      by: 'customer',
      list: async (customer, { billing, zone }) => {
        const read = await ifReadable(billing.findTransactions({ params: { customer_id: customer } }))
        return newestFirst(recordsIn(read?.data, 'transactions')).flatMap((one) => {
          const id = linkEnd('payment', one.id ?? one._id ?? one.transaction_id)?.id
          const words = paymentLabel(one, zone)
          const closedTo = hasNothingLeft(one) ? ['refund'] : []
          return id === undefined ? [] : [{ id, closedTo, ...(words === undefined ? {} : { words }) }]
        })
      },
      none: (customer) => `The billing service shows no payments of customer ${customer}.`,
    },
  },
  // No endpoint lists plans and products either, but checkout pages contain those that are sold.
  plan: {
    shownBy: ['multiplan find', 'upgrade', 'downgrade'],
    read: async (context) => {
      const plans = plansIn(await pagesIn(context))
      const products = context.within.filter(({ kind }) => kind === 'product').map(({ id }) => id)
      const sold = plans.filter(({ product_id: of }) => products.includes(String(of)))
      return candidatesIn('plan', products.length === 0 ? plans : sold, {
        ids: ['id', '_id', 'plan_id'],
        names: ['plan_name', 'name'],
        beside: ['product_id'],
      })
    },
  },
  product: {
    shownBy: ['multiplan find'],
    read: async (context) => {
      const pages = await pagesIn(context)
      return candidatesIn('product', [...pages, ...plansIn(pages)], {
        ids: ['product_id'],
        names: ['product_name'],
      })
    },
  },
  multiplan: {
    shownBy: ['multiplan find'],
    read: async (context) =>
      candidatesIn('multiplan', await pagesIn(context), {
        ids: ['id', '_id'],
        names: ['page_title', 'title'],
      }),
  },
  'add-on': {
    shownBy: ['addon find'],
    read: (context) =>
      ofProducts(context, 'add-on', async (product_id) =>
        recordsIn((await context.billing.findAddons({ params: { product_id } })).data, 'addons'),
      ),
  },
  license: {
    shownBy: ['license find'],
    read: (context) =>
      ofProducts(context, 'license', async (product_id) => {
        const { data } = await context.billing.findLicenses({
          params: { product_id },
          query: { limit: 100 },
        })
        return (data ?? []).filter(isRecord)
      }),
  },
}

/** A customer whom a link knows by an address goes by it. */
const byAddress =
  ({ links }: SourceContext) =>
  async (one: Candidate): Promise<Candidate> => {
    if (one.name !== undefined) return one
    const [address] = endsOfKind(await links.payerOf({ kind: 'customer', id: one.id }), 'email')
    return address === undefined ? one : { ...one, name: address.id }
  }

const maxPayers = 5

const payersOf = async (
  { links }: SourceContext,
  payments: readonly Candidate[],
): Promise<{ id: string }[]> => {
  const known = await Promise.all(
    payments.map(async ({ id, of }) =>
      of === undefined ? endsOfKind(await links.payerOf({ kind: 'payment', id }), 'customer') : [of],
    ),
  )
  return [...new Set(known.flat().map(({ id }) => id))].slice(0, maxPayers).map((id) => ({ id }))
}

const pagesIn = ({ billing, kept }: SourceContext): Promise<OpenRecord[]> =>
  kept('multiplan', async () => recordsIn((await billing.findMultiplans()).data, 'multiplans'))

/** Those that do not say their product are of that of their page. */
const plansIn = (pages: readonly OpenRecord[]): OpenRecord[] =>
  pages.flatMap(({ plans, product_id }) =>
    Array.isArray(plans) ? plans.filter(isRecord).map((one) => ({ product_id, ...one })) : [],
  )

const paymentsOf = ({ billing, kept, zone }: SourceContext, customer: string): Promise<Candidate[]> =>
  kept(`payment ${customer}`, async () => {
    const { data } = await billing.findTransactions({ params: { customer_id: customer } })
    return newestFirst(recordsIn(data, 'transactions')).flatMap((one) =>
      candidate(paymentOf(customer, zone)(one)),
    )
  })

const maxProducts = 5

/** What belongs to a product: to the one that was chosen, or else to those that are known. */
const ofProducts = async (
  { within, ofKind, kept }: SourceContext,
  kind: 'add-on' | 'license',
  read: (product: string) => Promise<OpenRecord[]>,
): Promise<Candidate[]> => {
  const chosen = within.filter((one) => one.kind === 'product')
  const products = chosen.length > 0 ? chosen : await ofKind('product')
  const found = await Promise.all(
    products.slice(0, maxProducts).map(({ id }) =>
      kept(`${kind} ${id}`, async () =>
        candidatesIn(kind, await read(id), {
          ids: ['id', '_id'],
          names: ['name'],
          beside: ['code', 'status'],
        }).map((one) => ({ ...one, of: { kind: 'product' as const, id } })),
      ),
    ),
  )
  return found.flat()
}

const newestFirst = (records: readonly OpenRecord[]): OpenRecord[] =>
  records.toSorted((one, other) => ((dateIn(one) ?? '') < (dateIn(other) ?? '') ? 1 : -1))
