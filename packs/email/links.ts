import type { CallInput } from '../../src/lib/services/client/request.ts'
import type { SaidLinks, ServiceLinks } from '../../src/lib/services/endpoints/service-links.ts'
import { leavesOf, recordsWithin } from '../../src/lib/services/links-in.ts'
import { isRecord, type OpenRecord } from '../../src/lib/services/read-answer.ts'
import { isSameEnd, type LinkEnd, linkEnd } from '../../src/lib/things/link.ts'

/** A subscriber has an address, perhaps a number, and in a custom field that bellhop.yml names, perhaps a customer. */
export const links: ServiceLinks = {
  trust: 'unless written',
  fields: ['customer'],
  seen: ({ record, fields: { customer } }, add) => {
    const email = linkEnd('email', record.email)
    const subscriber = linkEnd('subscriber', record._id ?? record.id ?? record.subscriberId)
    if (email === undefined || subscriber === undefined) return
    add(email, subscriber)
    add(email, linkEnd('phone', record.mobile))
    if (customer !== undefined && isRecord(record.customFields)) {
      add(email, linkEnd('customer', record.customFields[customer]))
    }
  },
  said: ({ params, body }: CallInput): SaidLinks[] => {
    const asked = isRecord(params) ? params : {}
    const own = subjectIn(asked)
    return recordsWithin(body).flatMap(({ key, record }) => {
      const named = subjectIn(record)
      const isRoot = key === ''
      const subject = isRoot ? (own ?? named) : named
      if (subject === undefined) return []
      const email = isRoot ? linkEnd('email', record.email) : undefined
      const renamedTo = email && own && !isSameEnd(email, own) ? email : undefined
      const kept = Object.entries(record).flatMap(([name, value]) =>
        isRecord(value) && subjectIn(value) === undefined
          ? leavesOf(value).flatMap((leaf) => linkEnd('customer', leaf) ?? [])
          : /mobile|phone/i.test(name)
            ? (linkEnd('phone', value) ?? [])
            : [],
      )
      return [{ subject, values: kept.slice(0, maxValues), renamedTo }]
    })
  },
  teaches: ({ kind, id }) => {
    if (kind === 'email') return { row: 'getSubscriber', input: { params: { email: id } } }
    return kind === 'subscriber' ? { row: 'getSubscriberById', input: { params: { id } } } : undefined
  },
}

const maxValues = 200

const subjectIn = (record: OpenRecord): LinkEnd | undefined =>
  linkEnd('email', record.email) ??
  linkEnd('email', record.id) ??
  linkEnd('subscriber', record.id ?? record._id ?? record.subscriberId)
