/** A CSV of addresses. */
export const csvOf = (emails: readonly string[]): string => `email\n${emails.join('\n')}\n`
