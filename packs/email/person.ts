import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { PersonPart } from '../../src/kernel/command/pack.ts'
import { found } from '../../src/kernel/context/person-part.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { likeliest } from '../../src/kernel/things/candidates.ts'
import { recordIn } from '../../src/lib/services/read-answer.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { note, table } from '../../src/lib/view/view.ts'
import { subscriber } from './records.ts'
import { nameOf, type Subscriber, standingOf, subscriberFacts, subscriberLine, workOf } from './subscriber.ts'

const maxRows = 20

export const person: PersonPart = {
  uses: ['email.getSubscriber', 'email.getSubscriberById'],
  look: ({ start, person: known }, context, within) => {
    const [address, ...addresses] = endsOfKind(known, 'email')
    const [id, ...ids] = endsOfKind(known, 'subscriber')
    // Whoever was asked about is meant, also where a link names another.
    const asked = start.kind === 'email' ? start : addresses.length === 0 ? address : undefined
    const read =
      asked !== undefined
        ? async () => (await context.email.getSubscriber({ params: { email: asked.id } }, within())).data
        : id !== undefined && ids.length === 0
          ? () => subscriberById(id.id, context, within())
          : undefined
    if (read === undefined) return undefined
    return async () => {
      const { value, why, isAsked } = await found(read, 'subscriber')
      return {
        isFound: value !== undefined,
        isAsked,
        name: value && nameOf(value),
        tone: value && standingOf(value) !== undefined ? 'warn' : undefined,
        ...(value === undefined
          ? { blocks: [note('plain', why ?? '')] }
          : {
              line: {
                words: subscriberLine(value),
                thing: thing('subscriber', value.email, { name: nameOf(value) }),
              },
              about: workOf(value),
              details: [subscriberFacts(value)],
            }),
      }
    }
  },
  absent: () => [note('plain', 'No address or subscriber id is known, so it was not asked.')],
  name: async (address, { email }, options) => {
    const { data } = await email.getSubscriber({ params: { email: address } }, options)
    return [data?.firstName, data?.lastName].filter(Boolean).join(' ') || undefined
  },
  find: {
    uses: ['email.findSubscribers'],
    heading: 'Subscribers (email service)',
    read: async (words, { email }, options) => {
      const { data } = await email.findSubscribers({ query: { search: words, limit: maxRows } }, options)
      const found = data?.subscribers ?? []
      const likely = likeliest(found, words, (one) => [nameOf(one), one.email ?? '', one.mobile ?? ''])
      // The service may know a reason of its own.
      const people = likely.length === 0 ? found : likely
      return people.length === 0
        ? note('plain', 'No subscribers fit.')
        : table(
            ['Email', 'Name', 'Status', 'Mobile'],
            people.map((one) => [
              one.email ?? one._id ?? '',
              nameOf(one),
              one.status ?? '',
              one.mobile ?? '',
            ]),
            people.map((one) => thing('subscriber', one.email ?? one._id, { name: nameOf(one) })),
          )
    },
  },
}

const subscriberById = async (
  id: string,
  { email }: ReadContext,
  options: { deadlineMs: number },
): Promise<Subscriber | undefined> => {
  const { data } = await email.getSubscriberById({ params: { id } }, options)
  const record = recordIn(data, 'subscriber')
  const isOne = record?.email !== undefined || record?._id !== undefined
  return isOne ? subscriber.safeParse(record).data : undefined
}
