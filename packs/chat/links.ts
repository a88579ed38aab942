import type { ServiceLinks } from '../../src/lib/services/endpoints/service-links.ts'
import { linkEnd } from '../../src/lib/things/link.ts'

/** A contact has a number, which anybody may have typed. */
export const links: ServiceLinks = {
  trust: 'view',
  seen: ({ record }, add) => {
    const id = linkEnd('contact', record._id ?? record.id)
    if (id !== undefined && /^[\da-f]{24}$/i.test(id.id)) add(id, linkEnd('phone', record.mobile))
  },
  teaches: ({ kind }) => (kind === 'phone' ? { row: 'findContacts', input: {} } : undefined),
}
