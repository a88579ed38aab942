import type { Asker, ReadContext } from '../command/context.ts'
import type { Parsed } from '../command/line/parse.ts'
import type { Param } from '../command/params.ts'
import { readContext } from '../core/command-context.ts'
import type { Core } from '../core/core.ts'
import { endsOfKind } from '../model/known-person.ts'
import { type LinkEnd, type LinkKind, linkEnd } from '../model/link.ts'
import { no, ok, type Result } from '../model/result.ts'
import { ifReadable, type OpenRecord, recordsIn } from '../services/read-answer.ts'
import { absolute, exactly, money } from '../view/format.ts'
import { refusal } from '../view/refusals.ts'

/** The input with ids in the place of addresses and numbers, or the parameter that several ids could be meant by. */
export type Linked =
  | { input: Parsed['input'] }
  | { choices: { values: Record<string, string>; words?: string }[] }

type Reads = Pick<ReadContext, 'links' | 'email' | 'chat'>

/** Whatever takes a customer, a contact or a subscriber takes an address or a number that leads to exactly one. */
export const withLinkedIds = async (
  core: Core,
  asker: Asker,
  { command, input }: Pick<Parsed, 'command' | 'input'>,
): Promise<Result<Linked>> => {
  const resolved = { ...input }
  for (const param of command.params) {
    const value = input[param.name]
    const [kind, ...more] = param.kinds
    // What takes several kinds finds out itself which one is meant.
    if (typeof value !== 'string' || more.length > 0) continue
    const context = readContext(core, asker)
    if (kind === 'payment' && linkEnd('email', value) !== undefined) {
      const owner = command.params.find(({ kinds }) => kinds.length === 1 && kinds[0] === 'customer')
      const paid = await paymentsBy(value, context)
      if (!paid.ok) return paid
      return ok({
        choices: paid.value.map(({ id, customer, words }) => ({
          values: { [param.name]: id, ...(owner === undefined ? {} : { [owner.name]: customer }) },
          words,
        })),
      })
    }
    if (!isLinked(kind)) continue
    const start = await startOf(kind, value, context)
    // Where a number is meant, it stays the one that was typed, whoever has it.
    if (start === undefined || (param.by === 'number' && start.kind === 'phone')) continue
    const ids = await leadsTo(kind, start, context)
    if (ids.length > 1) return ok({ choices: ids.map((id) => ({ values: { [param.name]: id } })) })
    if (ids[0] !== undefined) resolved[param.name] = ids[0]
    else if (kind === 'customer') return no(await noCustomer(start, value, context, param.name))
    else if (param.by === 'number') return no(unlinked(kind, value, param.name))
  }
  return ok({ input: resolved })
}

const unlinked = (kind: LinkedKind, value: string, field?: string) =>
  refusal('not_found', `No ${kind} is linked to ${value}.`, {
    ...(field === undefined ? {} : { field }),
    next: `Give the ${kind} id, or set the link: person link ${value} --${kind} and the id.`,
  })

/** Somebody may have said which customer it is; that alone leads to no money, and who said so is named. */
const noCustomer = async (start: LinkEnd | undefined, value: string, { links }: Reads, field?: string) => {
  const said = start === undefined ? [] : endsOfKind(await links.personOf(start), 'customer')
  const [word] = said.flatMap(({ id, link }) =>
    link?.provenance.kind === 'said' ? [{ id, ...link.provenance }] : [],
  )
  if (word === undefined) return unlinked('customer', value, field)
  return refusal(
    'not_found',
    `That ${value} is customer ${word.id} is the word of ${word.by} alone, of ${absolute(word.at)}: nothing in billing goes by it.`,
    {
      ...(field === undefined ? {} : { field }),
      next: `Give the customer id, or have the link approved: person link ${value} --customer ${word.id}.`,
    },
  )
}

const mostPayments = 5

/** The newest payments of whom an address leads to: which one is meant is always asked. */
const paymentsBy = async (
  address: string,
  context: Reads & Pick<ReadContext, 'billing'>,
): Promise<Result<{ id: string; customer: string; words: string }[]>> => {
  const start = linkEnd('email', address)
  const [customer, ...others] = start === undefined ? [] : await leadsTo('customer', start, context)
  if (customer === undefined) return no(await noCustomer(start, address, context))
  if (others.length > 0) {
    const message = `More than one customer is linked to ${address}: ${[customer, ...others].join(', ')}.`
    return no(refusal('bad_value', message, { next: 'Give the id of the payment, with --customer.' }))
  }
  const read = await ifReadable(context.billing.findTransactions({ params: { customer_id: customer } }))
  const paid = recordsIn(read?.data, 'transactions')
    .flatMap((one) => {
      const id = linkEnd('payment', one.id ?? one._id ?? one.transaction_id)?.id
      const at = String(one.createdAt ?? one.created_at ?? one.date ?? '')
      return id === undefined ? [] : [{ id, at, customer, words: paidWords(one, at) }]
    })
    .sort((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, mostPayments)
  return paid.length > 0
    ? ok(paid)
    : no(refusal('not_found', `The billing service shows no payments of customer ${customer}.`))
}

const paidWords = (one: OpenRecord, at: string): string => {
  const code = String(one.currency_code ?? one.currency ?? one.currency_symbol ?? '')
  const much = typeof one.amount === 'number' ? money(one.amount, { code }) : ''
  return [much, at === '' ? '' : exactly(at), String(one.status ?? '').replaceAll('_', ' ')]
    .filter(Boolean)
    .join(', ')
}

type LinkedKind = 'customer' | 'contact' | 'subscriber'
const isLinked = (kind: Param['kinds'][number] | undefined): kind is LinkedKind =>
  kind === 'customer' || kind === 'contact' || kind === 'subscriber'

/** The address or number that was written; undefined for an id, and for an address where that is the id. */
const startOf = async (kind: LinkedKind, value: string, { links }: Reads): Promise<LinkEnd | undefined> => {
  const email = linkEnd('email', value)
  if (email !== undefined) return kind === 'subscriber' ? undefined : email
  const phone = linkEnd('phone', value)
  if (phone === undefined) return undefined
  // Digits alone may be an id; with a plus in front they are a number.
  const isSure = value.trim().startsWith('+') || kind === 'contact'
  return isSure || !(await links.kindsOf(value)).includes(kind) ? phone : undefined
}

/** The ids of this kind that links and look-ups lead to. */
const leadsTo = async (kind: LinkedKind, start: LinkEnd, context: Reads): Promise<string[]> => {
  const wanted: LinkKind = kind === 'subscriber' ? 'email' : kind
  const known = await byLinks(wanted, start, context)
  if (known.length > 0) return known
  // A subscriber's record may teach a number or, in a configured field, the customer.
  if (start.kind === 'email') {
    await ifReadable(context.email.getSubscriber({ params: { email: start.id } }))
    const learned = await byLinks(wanted, start, context)
    if (learned.length > 0) return learned
  }
  return kind === 'contact' ? contactsByNumber(start, context) : []
}

/** Where several people could be meant, what each of them leads to. */
const byLinks = async (kind: LinkKind, start: LinkEnd, { links }: Reads): Promise<string[]> => {
  const known = kind === 'customer' ? links.payerOf : links.personOf
  const person = await known(start)
  const found = endsOfKind(person, kind).map(({ id }) => id)
  if (found.length > 0) return found
  const others = await Promise.all(
    endsOfKind(person, 'email')
      .filter(({ id }) => id !== start.id)
      .slice(0, mostPeople)
      .map((end) => known(end)),
  )
  return [...new Set(others.flatMap((one) => endsOfKind(one, kind).map(({ id }) => id)))]
}

const mostPeople = 5

const contactsByNumber = async (start: LinkEnd, { links, chat }: Reads): Promise<string[]> => {
  const numbers = new Set(endsOfKind(await links.personOf(start), 'phone').map(({ id }) => id))
  if (numbers.size === 0) return []
  const read = await ifReadable(chat.findContacts())
  return recordsIn(read?.data, 'contacts').flatMap((one) => {
    const id = linkEnd('contact', one._id ?? one.id)?.id
    return id !== undefined && numbers.has(linkEnd('phone', one.mobile)?.id ?? '') ? [id] : []
  })
}
