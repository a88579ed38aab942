import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import type { ReadContext } from '../../src/command/context.ts'
import { defineQuery } from '../../src/command/define.ts'
import type { Change } from '../../src/model/change.ts'
import type { KnownPerson } from '../../src/model/known-person.ts'
import type { LinkEnd } from '../../src/model/link.ts'
import { no } from '../../src/model/result.ts'
import { refusal } from '../../src/view/refusals.ts'
import { type Looked, lookAt } from './look.ts'
import { personView } from './view.ts'
import { endsNamed, whoParam } from './who.ts'

export const personGet = defineQuery({
  name: 'person get',
  summary: 'Show what all three services know about one person',
  area: 'bellhop',
  input: z.object({ who: whoParam }),
  positional: ['who'],
  examples: ['person get ada@example.com', 'person get +15550110000', 'person get cus_1001'],
  uses: [
    'email.getSubscriber',
    'email.getSubscriberById',
    'chat.getContact',
    'chat.findContacts',
    'billing.findTransactions',
    'billing.findRefunds',
  ],
  async run({ who }, context) {
    const { ends, isKnown } = await endsNamed(who, context.links)
    const all = await Promise.all(ends.map((end) => lookAt(end, context)))
    // Nobody knows what kind of id it is until some service knows it.
    const looked = isKnown ? all[0] : (all.find(isFound) ?? all.find(isUnsure))
    if (looked === undefined) {
      return no(
        refusal('not_found', `Nobody is known by "${who}".`, {
          next: 'Try an email address or a phone number, or look for a name with person find.',
        }),
      )
    }
    return answer(personView(who, looked, await planChangesOf(looked.person, context)))
  },
})

const isFound = ({ email, chat, billing }: Looked): boolean =>
  email?.value !== undefined || chat?.value !== undefined || (billing?.payments.value?.length ?? 0) > 0

/** A service that could not be asked might know it. */
const isUnsure = ({ email, chat, billing }: Looked): boolean =>
  [email, chat, billing?.payments].some((part) => part?.isAsked === false)

/** Plan changes stand in no documented read; those that were asked for here are in our own records. */
const planChangesOf = async (
  { ends }: KnownPerson,
  { records }: Pick<ReadContext, 'records'>,
): Promise<Change[]> => {
  const ids = (kind: LinkEnd['kind']) => ends.flatMap((one) => (one.kind === kind ? one.id : []))
  const [customers, subscriptions] = [ids('customer'), ids('subscription')]
  if (customers.length + subscriptions.length === 0) return []
  const recent = await records.changes({ limit: 200, page: 1 }).catch(() => [])
  return recent
    .filter(
      ({ names, input }) =>
        names.includes('upgrade') &&
        (customers.includes(String(input.customerId)) ||
          subscriptions.includes(String(input.subscriptionId))),
    )
    .slice(0, 5)
}
