import { z } from 'zod'
import { emailAddress } from '../../src/services/fields.ts'
import { plural } from '../../src/view/words.ts'

/** Who a campaign goes to: the exact addresses, each once. */
export const recipients = z.object({ emails: z.array(z.string()), duplicates: z.int() })
export type Recipients = z.infer<typeof recipients>

export const emailsParam = z
  .array(z.string())
  .min(1, 'at least one email address is needed')
  .refine((given) => given.every(isEmail), {
    error: ({ input }) => `not valid as email addresses: ${invalidOf(input as string[])}`,
  })

/** Mail hosts take a domain in any case; what stands before the @ is theirs to read. */
export const toRecipients = (given: readonly string[]): Recipients => {
  const byKey = new Map<string, string>()
  for (const email of given) {
    const key = keyOf(email)
    if (!byKey.has(key)) byKey.set(key, email)
  }
  return { emails: [...byKey.values()], duplicates: given.length - byKey.size }
}

/** The same people, however they were written down. */
export const recipientsKey = (given: readonly string[]): string[] => [...new Set(given.map(keyOf))].sort()

export const recipientWords = ({ emails, duplicates }: Recipients): string =>
  duplicates === 0
    ? plural(emails.length, 'address', 'addresses')
    : `${plural(emails.length, 'address', 'addresses')} (${plural(duplicates, 'duplicate')} left out)`

/** The first few, and how many more. */
export const sampleOf = ({ emails }: Recipients, size = 5): string[] => {
  const rest = emails.length - size
  return rest > 0 ? [...emails.slice(0, size), `and ${plural(rest, 'more', 'more')}`] : [...emails]
}

const keyOf = (email: string) => {
  const at = email.lastIndexOf('@')
  return email.slice(0, at) + email.slice(at).toLowerCase()
}

const isEmail = (given: string) => emailAddress.safeParse(given).success

const invalidOf = (given: readonly string[]) =>
  given
    .filter((one) => !isEmail(one))
    .slice(0, 5)
    .join(', ')
