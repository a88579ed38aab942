import type { Asker, ReadContext } from '../command/context.ts'
import type { Parsed } from '../command/line/parse.ts'
import { isThingKind, type Param } from '../command/params.ts'
import { readContext } from '../core/context/command-context.ts'
import type { Core } from '../core/core.ts'
import { type IdShape, isOfPeople, shapeOfId, withArticle } from '../model/id-shape.ts'
import { traitsOf } from '../model/kinds.ts'
import { endsOfKind } from '../model/known-person.ts'
import { type LinkEnd, type LinkKind, linkEnd, linkKinds } from '../model/link.ts'
import { no, ok, type Result } from '../model/result.ts'
import { ifReadable, type OpenRecord, recordsIn } from '../services/read-answer.ts'
import { absolute, exactly, money } from '../view/format.ts'
import { type Refusal, refusal } from '../view/refusals.ts'
import type { ThingKind } from '../view/thing.ts'
import { flagOf, inFields, type Wording, type Writing, worded } from '../view/wording.ts'
import { candidatesFor } from './candidates.ts'

/** The input with ids in the place of addresses and numbers, or the parameter that several ids could be meant by. */
export type Linked =
  | { input: Parsed['input'] }
  | { choices: { values: Record<string, string>; words?: string }[] }

type Reads = Pick<ReadContext, 'links' | 'email' | 'chat'>

/**
 * Whatever takes a customer, a contact, a subscriber, a subscription or a payment takes what leads to one over links:
 * an address, a number, the id of something else. What looks like something else and leads nowhere is refused.
 */
export const withLinkedIds = async (
  core: Core,
  asker: Asker,
  { command, input }: Pick<Parsed, 'command' | 'input'>,
): Promise<Result<Linked>> => {
  const resolved = { ...input }
  const context = readContext(core, asker)
  for (const param of command.params) {
    const value = input[param.name]
    const [kind, ...more] = param.kinds
    // What takes several kinds finds out itself which one is meant.
    if (typeof value === 'string' && more.length === 0 && isLinked(kind)) {
      const start = await startOf(kind, value, context)
      const isMeant = start?.kind === 'phone' && param.by === 'number'
      const found = start === undefined || isMeant ? undefined : await idsFrom(start, kind, value, context)
      if (found?.ok === false) return found
      const [first, ...others] = found?.value ?? []
      if (first !== undefined && (others.length > 0 || isAsked(kind))) {
        const owner = command.params.find(({ kinds }) => kinds.length === 1 && kinds[0] === 'customer')
        const choices = [first, ...others].map(({ id, customer, words }) => ({
          values: {
            [param.name]: id,
            ...(owner === undefined || customer === undefined ? {} : { [owner.name]: customer }),
          },
          ...(words === undefined ? {} : { words }),
        }))
        return ok({ choices })
      }
      // Where a number is meant, it stays the one that was typed, whoever has it.
      if (isMeant) continue
      if (first !== undefined) {
        resolved[param.name] = first.id
        continue
      }
      if (start !== undefined && kind === 'customer') {
        return no(await noCustomer(start, value, context, param.name))
      }
      if (start !== undefined && param.by === 'number') return no(unlinked(kind, value, param.name))
    }
    const refused = await misfitIn(core, asker, param, value)
    if (refused !== undefined) return no(refused)
  }
  return ok({ input: resolved })
}

/** What looks like something else than the parameter takes, and is not known as what it takes. */
const misfitIn = async (
  core: Core,
  asker: Asker,
  param: Param,
  value: unknown,
): Promise<Refusal | undefined> => {
  const kinds = param.kinds.filter(isThingKind)
  // The bot knows its own changes and jobs, and a name may look like anything.
  if (param.by === 'name' || kinds.some((kind) => kind === 'change' || kind === 'job')) return undefined
  if (kinds.length === 0 && !param.isId) return undefined
  for (const item of [value].flat()) {
    const shape = typeof item === 'string' ? shapeOfId(item) : undefined
    if (typeof item !== 'string' || shape === undefined) continue
    if (kinds.some((kind) => shape.kinds.includes(kind)) || takesLooksOf(kinds, shape)) continue
    if (await isKnownAs(core, asker, kinds, item)) continue
    return misfit(param.name, item, shape, kinds)
  }
  return undefined
}

/** Some are found by an address or a number as well as by their ids. */
const takesLooksOf = (kinds: readonly ThingKind[], shape: IdShape): boolean =>
  isOfPeople(shape) && kinds.some((kind) => traitsOf(kind).knownBy !== undefined)

const isKnownAs = async (
  core: Core,
  asker: Asker,
  kinds: readonly ThingKind[],
  id: string,
): Promise<boolean> => {
  const linked = await readContext(core, asker).links.kindsOf(id)
  if (kinds.length > 1 ? linked.length > 0 : linked.some((kind) => kinds.some((one) => one === kind)))
    return true
  const found = await candidatesFor(core, asker, kinds, id).catch(() => [])
  return found.some((one) => one.id === id || one.name === id)
}

/** The refusal of a value that looks like something else. */
export const misfit = (
  field: string,
  value: string,
  { words }: IdShape,
  kinds: readonly ThingKind[],
  named: Wording = (as) => as.name(field),
): Refusal => {
  const wanted =
    kinds.length === 0
      ? `the ${flagOf(field).replace(/[-_]/g, ' ')}`
      : `the id of ${kinds.map(withArticle).join(' or ')}`
  const what = `"${value.slice(0, 80)}" looks like ${words}, not like ${wanted}.`
  return refusal('bad_value', (as) => `${worded(named, as)}: ${what}`, {
    field,
    next: `Give ${wanted} as the service writes it. Nothing was sent, and nobody was asked.`,
  })
}

type FoundId = { id: string; customer?: string; words?: string }

const idsFrom = async (
  start: LinkEnd,
  kind: LinkedKind,
  value: string,
  context: Reads & Pick<ReadContext, 'billing'>,
): Promise<Result<FoundId[]>> =>
  kind === 'payment'
    ? paymentsBy(start, value, context)
    : ok((await leadsTo(kind, start, context)).map((id) => ({ id })))

/** Somebody may have more of these than links know: which one is meant is always asked. */
const isAsked = (kind: LinkedKind): boolean => kind === 'payment' || kind === 'subscription'

/** In the middle of a line, or of what is said of a call. */
const withFlag = (as: Writing, param: string): string =>
  `${as === inFields ? ', with' : ''} ${as.flag(param)}`

const unlinked = (kind: LinkedKind, value: string, field?: string) =>
  refusal('not_found', `No ${kind} is linked to ${value}.`, {
    ...(field === undefined ? {} : { field }),
    next: (as) =>
      `Give the ${kind} id, or set the link: person link ${value}${withFlag(as, kind)} and the id.`,
  })

/** Somebody may have said which customer it is; that alone leads to no money, and who said so is named. */
const noCustomer = async (start: LinkEnd, value: string, { links }: Reads, field?: string) => {
  const said = endsOfKind(await links.personOf(start), 'customer')
  const [word] = said.flatMap(({ id, link }) =>
    link?.provenance.kind === 'said' ? [{ id, ...link.provenance }] : [],
  )
  if (word === undefined) return unlinked('customer', value, field)
  return refusal(
    'not_found',
    `That ${value} is customer ${word.id} is the word of ${word.by} alone, of ${absolute(word.at)}: nothing in billing goes by it.`,
    {
      ...(field === undefined ? {} : { field }),
      next: (as) =>
        `Give the customer id, or have the link approved: person link ${value}${withFlag(as, 'customer')} ${word.id}.`,
    },
  )
}

const mostPayments = 5

/** The newest payments of whom an address or an id leads to. */
const paymentsBy = async (
  start: LinkEnd,
  address: string,
  context: Reads & Pick<ReadContext, 'billing'>,
): Promise<Result<FoundId[]>> => {
  const [customer, ...others] =
    start.kind === 'customer' ? [start.id] : await leadsTo('customer', start, context)
  if (customer === undefined) return no(await noCustomer(start, address, context))
  if (others.length > 0) {
    const message = `More than one customer is linked to ${address}: ${[customer, ...others].join(', ')}.`
    return no(
      refusal('bad_value', message, {
        next: (as) => `Give the id of the payment, with ${as.flag('customer')}.`,
      }),
    )
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

type LinkedKind = 'customer' | 'contact' | 'subscriber' | 'subscription' | 'payment'
const isLinked = (kind: Param['kinds'][number] | undefined): kind is LinkedKind =>
  linkKinds().some((one) => one === kind)

/** The address, the number or the other thing that was written; undefined for an id, and for an address where that is the id. */
const startOf = async (kind: LinkedKind, value: string, { links }: Reads): Promise<LinkEnd | undefined> => {
  const email = linkEnd('email', value)
  if (email !== undefined) return kind === 'subscriber' ? undefined : email
  const isSure = value.trim().startsWith('+') || kind === 'contact'
  const isNumeric = kind === 'customer' || kind === 'subscriber'
  const phone = isSure || isNumeric ? linkEnd('phone', value) : undefined
  // Digits alone may be an id; with a plus in front they are a number.
  if (phone !== undefined) return isSure || !(await links.kindsOf(value)).includes(kind) ? phone : undefined
  const kinds = shapeOfId(value)?.kinds ?? []
  const other = kinds.find((one): one is ThingKind & LinkKind => isLinked(one))
  if (other === undefined || kinds.includes(kind) || (await links.kindsOf(value)).includes(kind))
    return undefined
  return linkEnd(other, value)
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
  const known = kind === 'customer' || kind === 'subscription' ? links.payerOf : links.personOf
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
