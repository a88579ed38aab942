import { linkEnd } from '../../src/model/link.ts'
import type { ServiceLinks } from '../../src/services/endpoints/service-links.ts'

/** A contact has a number, which anybody may have typed. */
export const links: ServiceLinks = {
  trust: 'view',
  seen: ({ record }, add) => {
    const id = linkEnd('contact', record._id ?? record.id)
    if (id !== undefined && /^[\da-f]{24}$/i.test(id.id)) add(id, linkEnd('phone', record.mobile))
  },
  teaches: ({ kind }) => (kind === 'phone' ? { row: 'findContacts', input: {} } : undefined),
}
