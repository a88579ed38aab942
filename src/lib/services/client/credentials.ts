import type { Service } from '../endpoints/row.ts'

/** The header that a request to a service carries, and every text in it that nobody may read. */
export const credentialsOf = (
  { auth, environment }: Pick<Service, 'auth' | 'environment'>,
  settings: Readonly<Record<string, string>>,
): { headers: Record<string, string>; secrets: string[] } => {
  const keys = Object.keys(environment.keys).map((field) => settings[field] ?? '')
  const [first = ''] = keys
  if (auth === 'none') return { headers: {}, secrets: keys }
  if (typeof auth === 'object') return { headers: { [auth.header.toLowerCase()]: first }, secrets: keys }
  if (auth === 'bearer') return { headers: { authorization: `Bearer ${first}` }, secrets: keys }
  const pair = Buffer.from(keys.slice(0, 2).join(':')).toString('base64')
  return { headers: { authorization: `Basic ${pair}` }, secrets: [...keys, pair] }
}
