import type { Subscriber } from '../../packs/email/subscriber.ts'
import { type Differences, differing } from '../../src/kernel/command/differences.ts'
import { tagChange } from '../../src/kernel/command/tags.ts'
import { openText } from '../../src/lib/view/record-facts.ts'
import { toField } from './params.ts'

/** The fields of a subscriber that can be changed. */
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

/** `plan=gold`, as people write the fields that the documents do not name. */
type Others = { customFields?: readonly string[] | undefined }

/** Only what differs from the record, to be shown and to be sent. */
export const changeOf = (one: Subscriber, values: Values & Others) => {
  const own = differing({
    firstName: ['First name', one.firstName, values.firstName],
    lastName: ['Last name', one.lastName, values.lastName],
    leadScore: ['Lead score', one.leadScore, values.leadScore],
    status: ['Status', one.status, values.status],
  })
  const others = (values.customFields ?? []).map(toField).map(([name, value]) => {
    const before = one.customFields?.[name]
    return [name, [name, before === undefined ? before : openText(before), value] as const] as const
  })
  const custom = differing({
    company: ['Company', one.customFields?.company, values.company],
    position: ['Position', one.customFields?.position, values.position],
    ...Object.fromEntries(others),
  })
  const tags = tagChange(one.tags, values.tagsToAdd, values.tagsToRemove)
  const changes: Differences = [...own.changes, ...custom.changes, ...tags.changes]
  return {
    changes,
    was: {
      ...own.was,
      ...(custom.changes.length > 0 && { customFields: custom.was }),
      ...tags.was,
    },
    body: {
      ...own.sent,
      ...(custom.changes.length > 0 && { customFields: custom.sent }),
      ...(tags.added.length > 0 && { tagsToAdd: tags.added }),
      ...(tags.removed.length > 0 && { tagsToRemove: tags.removed }),
    },
  }
}
