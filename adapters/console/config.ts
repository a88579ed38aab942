import { randomBytes } from 'node:crypto'
import { type ConfigReading, isOn } from '../../src/kernel/messenger/definition.ts'
import { defined } from '../../src/lib/defined.ts'
import { isPrivateHost } from '../../src/lib/http/server.ts'

export type ConsoleConfig = {
  host: string
  port: number
  /** The demo lets everybody act as anybody, and asks for the token if others can reach it; elsewhere people sign in. */
  entry:
    | { kind: 'demo'; token: string | null }
    | { kind: 'sign-in'; publicUrl: string; isGiven: boolean; oidc?: OidcConfig }
}

/** A provider that says by OpenID Connect who somebody is. */
export type OidcConfig = { issuer: string; clientId: string; clientSecret: string }

export const readConsoleConfig = (reading: ConfigReading): ConsoleConfig | undefined => {
  const { env, demo, host, port, asksPasskeys, problems, warnings } = reading
  if (env.CONSOLE === undefined ? !demo : !isOn(env.CONSOLE)) {
    if (asksPasskeys) warnings.push(`${noPasskeys} the console is off. Set CONSOLE=on.`)
    return undefined
  }
  const isPrivate = isPrivateHost(host)
  if (demo) {
    if (!isPrivate) {
      warnings.push(
        `The console is on and HOST is ${host}: anybody who can reach this address and knows its token can act as anybody.`,
      )
    }
    const token = isPrivate ? null : randomBytes(18).toString('base64url')
    return { host, port, entry: { kind: 'demo', token } }
  }
  // Without one, links lead to this machine: that is enough for whoever sits at it.
  const publicUrl =
    env.PUBLIC_URL ?? `http://${isPrivate ? host.replace('::1', '[::1]') : 'localhost'}:${port}`
  if (!/^https?:\/\//i.test(publicUrl) || !URL.canParse(publicUrl)) {
    problems.push(
      'CONSOLE is on, so PUBLIC_URL must be the address where browsers reach Bellhop, such as https://bellhop.example.com: the links that sign people in begin with it.',
    )
    return undefined
  }
  const { origin, protocol, hostname } = new URL(publicUrl)
  if (protocol === 'http:' && !isPrivateHost(hostname)) {
    warnings.push(
      'PUBLIC_URL is not https: whoever can listen on the way can take over a session in the console.',
    )
  }
  const entry = {
    kind: 'sign-in' as const,
    publicUrl: origin,
    isGiven: env.PUBLIC_URL !== undefined,
    ...defined({ oidc: readOidc(reading) }),
  }
  if (asksPasskeys && passkeyOriginOf(entry, () => port) === undefined) {
    warnings.push(
      `${noPasskeys} browsers allow passkeys at https addresses and at http://localhost alone, and PUBLIC_URL is ${origin}.`,
    )
  }
  return { host, port, entry }
}

const readOidc = ({ env, problems }: ConfigReading): OidcConfig | undefined => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    problems.push(
      'To sign in by OpenID Connect, set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, all three of them.',
    )
    return undefined
  }
  const isSafe =
    URL.canParse(issuer) &&
    (issuer.startsWith('https://') ||
      (issuer.startsWith('http://') && isPrivateHost(new URL(issuer).hostname)))
  if (!isSafe) problems.push('OIDC_ISSUER must be an https address, such as https://accounts.google.com.')
  return isSafe ? { issuer, clientId, clientSecret } : undefined
}

const noPasskeys = 'bellhop.yml asks for passkeys (sign: passkey, or emergency), and nobody can use one here:'

/** Where browsers allow passkeys: at an https address, and on this machine under the name of it, not its number. */
export const passkeyOriginOf = (
  entry: ConsoleConfig['entry'],
  port: () => number,
): (() => string) | undefined => {
  if (entry.kind === 'demo') return () => `http://localhost:${port()}`
  const { protocol, hostname, origin, port: at } = new URL(entry.publicUrl)
  if (protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost'))
    return () => origin
  return ['127.0.0.1', '[::1]'].includes(hostname) ? () => `http://localhost:${at || port()}` : undefined
}
