import { type CheckResult, checkFailed, checkPassed } from '../../src/messenger/definition.ts'

const timeoutMs = 5_000

/** Whether the address that sign-in links begin with leads to this console, as far as that can be seen from here. */
export const checkWayIn = async (publicUrl: string): Promise<CheckResult[]> => {
  try {
    const response = await fetch(`${publicUrl}/console/sign-in`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const said = await response.text()
    if (response.status === 403 && said.includes('host name'))
      return [
        checkFailed(
          'console',
          `${publicUrl} leads here, and the proxy does not pass the name that the browser asked for. Let it pass Host: proxy_set_header Host $host in nginx.`,
        ),
      ]
    if (response.ok && said.includes('Bellhop'))
      return [checkPassed('console', `${publicUrl} leads to the console.`)]
    if ([502, 503, 504].includes(response.status))
      return [
        checkPassed(
          'console',
          `${publicUrl} is a proxy without a running Bellhop behind it (status ${response.status}). Ask again when it runs.`,
        ),
      ]
    return [
      checkFailed(
        'console',
        `${publicUrl}/console/sign-in answers with status ${response.status} and not as the console does. Check PUBLIC_URL, and that the proxy passes /console.`,
      ),
    ]
  } catch {
    return [
      checkPassed(
        'console',
        `${publicUrl} does not answer from here. If Bellhop runs, check PUBLIC_URL and the proxy.`,
      ),
    ]
  }
}
