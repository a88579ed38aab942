import { type Differences, differing } from '../../src/command/differences.ts'
import { tagChange } from '../../src/command/tags.ts'
import type { Subscriber } from './record.ts'

/** What may be changed about a subscriber. */
export type Values = {
  firstName?: string | undefined
  lastName?: string | undefined
  leadScore?: number | undefined
  status?: string | undefined
  tagsToAdd?: string[] | undefined
  tagsToRemove?: string[] | undefined
  company?: string | undefined
  position?: string | undefined
}

/** Only what differs from the record, to be shown and to be sent. */
export const changeOf = (one: Subscriber, values: Values) => {
  const own = differing({
    firstName: ['First name', one.firstName, values.firstName],
    lastName: ['Last name', one.lastName, values.lastName],
    leadScore: ['Lead score', one.leadScore, values.leadScore],
    status: ['Status', one.status, values.status],
  })
  const custom = differing({
    company: ['Company', one.customFields?.company, values.company],
    position: ['Position', one.customFields?.position, values.position],
  })
  const tags = tagChange(one.tags, values.tagsToAdd, values.tagsToRemove)
  const changes: Differences = [...own.changes, ...custom.changes, ...tags.changes]
  return {
    changes,
    body: {
      ...own.sent,
      ...(custom.changes.length > 0 && { customFields: custom.sent }),
      ...(tags.added.length > 0 && { tagsToAdd: tags.added }),
      ...(tags.removed.length > 0 && { tagsToRemove: tags.removed }),
    },
  }
}
