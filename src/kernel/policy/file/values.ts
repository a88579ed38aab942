import { z } from 'zod'
import { parseDuration } from '../../../lib/codecs/duration.ts'
import { readNumber } from '../../../lib/codecs/read-number.ts'
import { isZone } from '../../../lib/view/zones.ts'
import type { AccountKeys, PlatformKeys } from '../../messenger/definition.ts'
import { workspaceIn } from '../../model/workspace.ts'
import { toPattern } from '../pattern.ts'

// What keys of bellhop.yml are made of. The message of each schema says what was expected; `schema-findings.ts` puts what was
// found, and where, in front of it.

const zonePhrase = 'a time zone such as Europe/Berlin'
export const zone = z.string(zonePhrase).refine(isZone, zonePhrase)
const durationPhrase = 'a duration such as 10s, 30m, 24h or 7d'

export const text = z.string('a text').trim().min(1, 'a text that is not empty')
export const textList = z.array(text, 'a list such as [one, two]')
export const amount = z
  .union([z.number(), z.string()], 'a number')
  .transform((value, context) => {
    const read = typeof value === 'number' ? { ok: true as const, value, unit: null } : readNumber(value)
    if (read.ok && read.unit === null) return read.value
    const why = read.ok ? undefined : read.why
    context.issues.push({
      code: 'custom',
      message: why === undefined ? 'a number' : `one number: ${why}`,
      input: value,
    })
    return z.NEVER
  })
  .pipe(z.number().min(0, 'a number from 0 up'))
export const name = z
  .string('a name such as finance')
  .regex(/^[A-Za-z0-9][\w.@-]*$/, 'a name of letters, digits, ".", "_", "-" and "@"')

const emailPhrase = 'an email address such as ada@example.com'
export const personEmail = z
  .string(emailPhrase)
  .trim()
  .regex(/^[^\s@]{1,64}@[^\s@]{1,189}$/, emailPhrase)
  .toLowerCase()

const countPhrase = (most: number) => `a whole number from 1 to ${most}`
export const wholeNumber = (most: number) =>
  z.int(countPhrase(most)).min(1, countPhrase(most)).max(most, countPhrase(most))

export const duration = z.string(durationPhrase).transform((value, context) => {
  const ms = parseDuration(value)
  if (ms !== null) return ms
  context.issues.push({ code: 'custom', message: durationPhrase, input: value })
  return z.NEVER
})

const sharePhrase = 'a share such as 1% or 2.5%, above 0% and below 100%'
export const share = z.string(sharePhrase).transform((value, context) => {
  const percent = /^(\d{1,2}(?:\.\d{1,3})?) ?%$/.exec(value.trim())?.[1]
  if (Number(percent) > 0) return Number(percent) / 100
  context.issues.push({ code: 'custom', message: sharePhrase, input: value })
  return z.NEVER
})

export const patterns = z.array(
  z.string('a command such as "campaign send", "campaign *" or "*"').transform(toPattern),
  'a list of commands such as [refund, "campaign *"]',
)
export const commands = patterns.min(1, 'at least one command')

/** False where people go by their id in the file, as in the console. */
export const hasAccounts = (platform: PlatformKeys): platform is PlatformKeys & { accounts: AccountKeys } =>
  typeof platform.accounts === 'object'

/** An object with a key for each messenger that has something to say there. */
export const byPlatform = <S extends z.ZodType>(
  platforms: readonly PlatformKeys[],
  schemaOf: (keys: AccountKeys, title: string) => S | undefined,
): Record<string, S> =>
  Object.fromEntries(
    platforms.filter(hasAccounts).flatMap(({ name, title, accounts }) => {
      const schema = schemaOf(accounts, title)
      return schema === undefined ? [] : [[name, schema]]
    }),
  )

/** What a schema says was expected. */
export const phraseOf = ({ _zod: { def } }: z.core.$ZodType): string | undefined => {
  const said: unknown = typeof def.error === 'function' ? def.error({} as never) : def.error
  return typeof said === 'string' ? said : undefined
}

/** One id, or a list of them: at most one in each workspace. */
export const oneInEach = (id: z.ZodType<string, string>) => {
  const phrase = `${phraseOf(id)}, or a list with one for each workspace`
  return z
    .union([id, z.array(id, phrase).min(1, phrase)], phraseOf(id))
    .transform((given): string[] => [given].flat())
    .refine((ids) => new Set(ids.map(workspaceIn)).size === ids.length, phrase)
}

export const webAddress = (phrase: string) =>
  z.string(phrase).refine((value) => {
    if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
    const { username, password } = new URL(value)
    return username + password === ''
  }, phrase)

/** An object of exactly these keys; an unknown one is an issue of its own that carries the known ones. */
export function keys<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape)
  const unknown = z.custom(() => false, { error: 'one of', params: { known } })
  const object = z.object(shape, `a map with the keys ${known.join(', ')}`).catchall(unknown)
  return object as unknown as z.ZodObject<S, z.core.$strict>
}
