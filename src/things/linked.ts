import type { Asker, ReadContext } from '../command/context.ts'
import type { Parsed } from '../command/line/parse.ts'
import type { Param } from '../command/params.ts'
import { readContext } from '../core/command-context.ts'
import type { Core } from '../core/core.ts'
import { endsOfKind } from '../model/known-person.ts'
import { type LinkEnd, type LinkKind, linkEnd } from '../model/link.ts'
import { no, ok, type Result } from '../model/result.ts'
import { ifReadable, recordsIn } from '../services/read-answer.ts'
import { refusal } from '../view/refusals.ts'

/** The input with ids in the place of addresses and numbers, or the parameter that several ids could be meant by. */
export type Linked = { input: Parsed['input'] } | { param: Param; ids: string[] }

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
    if (typeof value !== 'string' || more.length > 0 || !isLinked(kind)) continue
    const context = readContext(core, asker)
    const start = await startOf(kind, value, context)
    if (start === undefined) continue
    const ids = await leadsTo(kind, start, context)
    if (ids.length > 1) return ok({ param, ids })
    if (ids[0] !== undefined) resolved[param.name] = ids[0]
    else if (kind === 'customer') {
      return no(
        refusal('not_found', `No customer is linked to ${value}.`, {
          field: param.name,
          next: `Give the customer id, or set the link: person link ${value} --customer and the id.`,
        }),
      )
    }
  }
  return ok({ input: resolved })
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
  const person = await links.personOf(start)
  const found = endsOfKind(person, kind).map(({ id }) => id)
  if (found.length > 0) return found
  const others = await Promise.all(
    endsOfKind(person, 'email')
      .filter(({ id }) => id !== start.id)
      .slice(0, mostPeople)
      .map((end) => links.personOf(end)),
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
