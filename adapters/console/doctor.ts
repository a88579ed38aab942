import { timeoutMs, whyLost } from '../../src/kernel/messenger/api-call.ts'
import { type CheckResult, checkFailed, checkPassed } from '../../src/kernel/messenger/definition.ts'
import type { OidcConfig } from './config.ts'
import { wrongHost } from './request-guard.ts'

/** Whether the address that sign-in links begin with leads to this console. What does not answer is not well. */
export const checkWayIn = async (publicUrl: string): Promise<CheckResult> => {
  const ifNot = 'If Bellhop is not running yet, start it and ask again.'
  try {
    const response = await fetch(`${publicUrl}/console/sign-in`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status } = response
    const said = await response.text()
    if (status === 403 && said.includes(wrongHost))
      return checkFailed(
        'console',
        `${publicUrl} leads here, and the proxy does not pass the name that the browser asked for. Let it pass Host: proxy_set_header Host $host in nginx.`,
      )
    if (response.ok && said.includes('Bellhop'))
      return checkPassed('console', `${publicUrl} leads to the console.`)
    return checkFailed(
      'console',
      [502, 503, 504].includes(status)
        ? `${publicUrl} is a proxy that reaches no Bellhop (status ${status}). ${ifNot} If it is, look at the address that the proxy passes on to.`
        : `${publicUrl}/console/sign-in answers with status ${status} and not as the console does. Check PUBLIC_URL, and that the proxy passes /console.`,
    )
  } catch (error) {
    return checkFailed(
      'console',
      `${publicUrl} does not answer from here (${whyLost(error)}). ${ifNot} If it is, check PUBLIC_URL and the proxy.`,
    )
  }
}

/** Whether the provider of OIDC_ISSUER says of itself what a sign-in needs. */
export const checkProvider = async ({ issuer }: OidcConfig): Promise<CheckResult> => {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    const said = (await response.json().catch(() => ({}))) as { issuer?: unknown }
    if (response.ok && typeof said.issuer === 'string')
      return checkPassed('console', `${issuer} signs people in.`)
    return checkFailed(
      'console',
      `${url} answers with status ${response.status} and not as a provider does. Check OIDC_ISSUER.`,
    )
  } catch (error) {
    return checkFailed(
      'console',
      `${issuer} does not answer from here (${whyLost(error)}). Check OIDC_ISSUER.`,
    )
  }
}
