import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import type { HookSignature, ServiceHook } from '../../lib/services/endpoints/hook.ts'

/** Why a call was not sent now by who has a secret, or when it was sent. */
export type HookVerdict =
  | { ok: true; signature: string; isTimed: boolean }
  | { ok: false; fault: 'unsigned' | 'stale' | 'future' | 'forged' }

type Call = { headers: IncomingHttpHeaders; body: Buffer; url: string; now: number }

const sentWithinMs = 5 * 60_000

export const verifyHook = (hook: ServiceHook, secrets: readonly string[], call: Call): HookVerdict => {
  const toleranceMs = hook.toleranceMs ?? sentWithinMs
  return hook.signs === 'standard'
    ? verifyStandard(secrets, call, toleranceMs)
    : verifyHmac(hook.signs, secrets, call, toleranceMs)
}

const verifyStandard = (secrets: readonly string[], call: Call, toleranceMs: number): HookVerdict => {
  const headers = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headerOf(call, name)]),
  ) as Record<string, string>
  if (Object.values(headers).includes('')) return { ok: false, fault: 'unsigned' }
  const late = timeFault(headers['webhook-timestamp'] ?? '', call.now, toleranceMs)
  if (late !== undefined) return { ok: false, fault: late }
  // Its own look at the time is within five minutes of the clock of this machine.
  const isBySecret = (secret: string) => {
    try {
      new Webhook(secret).verify(call.body, headers, { jsonParse: false })
      return true
    } catch {
      return false
    }
  }
  return secrets.some(isBySecret)
    ? { ok: true, signature: headers['webhook-signature'] ?? '', isTimed: true }
    : { ok: false, fault: 'forged' }
}

const verifyHmac = (
  { header, part, prefix = '', algorithm = 'sha256', encoding, over, time }: HookSignature,
  secrets: readonly string[],
  call: Call,
  toleranceMs: number,
): HookVerdict => {
  const written = headerOf(call, header)
  const given = (part === undefined ? [written] : partsOf(written, part)).filter((one) => one !== '')
  if (given.length === 0) return { ok: false, fault: 'unsigned' }
  const sentAt =
    time === undefined
      ? undefined
      : 'header' in time
        ? headerOf(call, time.header)
        : (partsOf(written, time.part)[0] ?? '')
  if (sentAt === '') return { ok: false, fault: 'unsigned' }
  const late = sentAt === undefined ? undefined : timeFault(sentAt, call.now, toleranceMs)
  if (late !== undefined) return { ok: false, fault: late }
  const digestOf = (secret: string): Buffer => {
    const hmac = createHmac(algorithm, secret)
    for (const piece of over.split(/(\{(?:body|time|url)\})/))
      hmac.update(
        piece === '{body}'
          ? call.body
          : piece === '{time}'
            ? (sentAt ?? '')
            : piece === '{url}'
              ? call.url
              : piece,
      )
    return hmac.digest()
  }
  // Every pair is compared, so that the time says nothing of which secret it was.
  const fits = secrets
    .map(digestOf)
    .flatMap((digest) => given.map((one) => isEqual(digest.toString(encoding), withoutPrefix(one, prefix))))
  return fits.includes(true)
    ? { ok: true, signature: given.join(), isTimed: sentAt !== undefined }
    : { ok: false, fault: 'forged' }
}

const headerOf = ({ headers }: Call, name: string): string => {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : ''
}

const partsOf = (header: string, name: string): string[] =>
  header
    .split(',')
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))

const withoutPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : ''

const isEqual = (one: string, other: string): boolean => {
  const [own, given] = [Buffer.from(one), Buffer.from(other)]
  return own.length === given.length && timingSafeEqual(own, given)
}

/** Seconds since 1970, as whoever signs writes them. */
const timeFault = (
  written: string,
  now: number,
  toleranceMs: number,
): 'forged' | 'stale' | 'future' | undefined => {
  if (!/^\d{1,12}$/.test(written)) return 'forged'
  const age = now - Number(written) * 1000
  if (age > toleranceMs) return 'stale'
  return age < -toleranceMs ? 'future' : undefined
}
