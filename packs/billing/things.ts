import { candidatesIn } from '../../src/command/candidate.ts'
import type { Candidate, Pack, SourceContext } from '../../src/command/pack.ts'
import { linkEnd } from '../../src/model/link.ts'
import { ifReadable, isRecord, type OpenRecord, recordsIn } from '../../src/services/read-answer.ts'
import { exactly, money } from '../../src/view/format.ts'

export const things: NonNullable<Pack['things']> = {
  // No endpoint lists customers or subscriptions, but those of earlier requests are known.
  customer: { shownBy: ['transaction find'], read: ({ inRequests }) => inRequests('customer') },
  subscription: { shownBy: [], read: ({ inRequests }) => inRequests('subscription') },
  payment: {
    shownBy: ['transaction find'],
    read: async (context) => {
      const customers = context.within.filter(({ kind }) => kind === 'customer')
      const paid = await Promise.all(customers.map(({ id }) => paymentsOf(context, id)))
      return [...paid.flat(), ...(await context.inRequests('payment'))]
    },
    owned: {
      by: 'customer',
      list: async (customer, { billing }) => {
        const read = await ifReadable(billing.findTransactions({ params: { customer_id: customer } }))
        return recordsIn(read?.data, 'transactions')
          .flatMap((one) => {
            const id = linkEnd('payment', one.id ?? one._id ?? one.transaction_id)?.id
            const at = String(one.createdAt ?? one.created_at ?? one.date ?? '')
            return id === undefined ? [] : [{ id, at, words: paidWords(one, at) }]
          })
          .sort((one, other) => (one.at < other.at ? 1 : -1))
      },
      none: (customer) => `The billing service shows no payments of customer ${customer}.`,
    },
  },
  // No endpoint lists plans and products either, but checkout pages contain those that are sold.
  plan: {
    shownBy: ['multiplan find', 'upgrade', 'downgrade'],
    read: async (context) =>
      candidatesIn('plan', plansIn(await pagesIn(context)), {
        ids: ['id', '_id', 'plan_id'],
        names: ['plan_name', 'name'],
        beside: ['product_id'],
      }),
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

const pagesIn = ({ billing, kept }: SourceContext): Promise<OpenRecord[]> =>
  kept('multiplan', async () => recordsIn((await billing.findMultiplans()).data, 'multiplans'))

const plansIn = (pages: readonly OpenRecord[]): OpenRecord[] =>
  pages.flatMap(({ plans }) => (Array.isArray(plans) ? plans.filter(isRecord) : []))

const paymentsOf = ({ billing, kept }: SourceContext, customer: string): Promise<Candidate[]> =>
  kept(`payment ${customer}`, async () => {
    const { data } = await billing.findTransactions({ params: { customer_id: customer } })
    const ids = ['id', '_id', 'transaction_id', 'payment_id']
    const found = candidatesIn('payment', recordsIn(data, 'transactions'), { ids, beside: ['amount'] })
    return found.map((one) => ({ ...one, of: { kind: 'customer' as const, id: customer } }))
  })

const mostProducts = 5

/** What belongs to a product: to the one that was chosen, or else to those that are known. */
const ofProducts = async (
  { within, ofKind, kept }: SourceContext,
  kind: 'add-on' | 'license',
  read: (product: string) => Promise<OpenRecord[]>,
): Promise<Candidate[]> => {
  const chosen = within.filter((one) => one.kind === 'product')
  const products = chosen.length > 0 ? chosen : await ofKind('product')
  const found = await Promise.all(
    products.slice(0, mostProducts).map(({ id }) =>
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

const paidWords = (one: OpenRecord, at: string): string => {
  const code = String(one.currency_code ?? one.currency ?? one.currency_symbol ?? '')
  const much = typeof one.amount === 'number' ? money(one.amount, { code }) : ''
  return [much, at === '' ? '' : exactly(at), String(one.status ?? '').replaceAll('_', ' ')]
    .filter(Boolean)
    .join(', ')
}
