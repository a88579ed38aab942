import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { client, openProvider } from '../harness/openid.ts'
import { until } from '../harness/until.ts'
import { openConsoleHarness } from './harness.ts'
import { hasBrowser, sharedBrowser } from './page/browser.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam Support, slack: U0SAM, email: Sam@example.com, roles: [support] }
  - { id: fay, name: Fay Finance, slack: U0FAY, roles: [support] }
roles: { support: { run: ["*"] } }
`

describe('a provider that speaks OpenID Connect', async () => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const { issuer } = await openProvider(base)
  const oidc = { issuer, ...client }
  const { store } = await openConsoleHarness({
    policy,
    port,
    entry: { kind: 'sign-in', publicUrl: base, isGiven: true, oidc },
  })

  /** A browser as far as redirects, cookies and forms go. */
  const openVisitor = () => {
    const jar = new Map<string, Map<string, string>>()
    const visit = async (
      url: string,
      form?: Record<string, string>,
    ): Promise<{ url: string; status: number; text: string }> => {
      const { host } = new URL(url)
      const cookies = jar.get(host) ?? new Map<string, string>()
      jar.set(host, cookies)
      const response = await fetch(url, {
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'sec-fetch-mode': 'navigate',
        },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      const text = await response.text()
      const to =
        response.headers.get('location') ?? /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1]
      return to === undefined ? { url, status: response.status, text } : visit(new URL(to, url).href)
    }
    const formIn = (page: { url: string; text: string }) => ({
      to: new URL(/<form[^>]* action="([^"]+)"/.exec(page.text)?.[1] ?? '', page.url).href,
      hidden: Object.fromEntries(
        [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
          ([, name, value]) => [name, value],
        ),
      ) as Record<string, string>,
    })
    /** Follows the forms of the provider to their end. */
    const signIn = async (login: string) => {
      let page = await visit(`${base}/console/sign-in/oidc/begin`)
      while (page.url.startsWith(`${issuer}/interaction/`)) {
        const { to, hidden } = formIn(page)
        page = await visit(to, { ...hidden, login, password: 'anything' })
      }
      return page
    }
    const signOut = async () => {
      const page = await visit(`${issuer}/session/end`)
      const { to, hidden } = formIn(page)
      return visit(to, { ...hidden, logout: 'yes' })
    }
    const api = () =>
      fetch(`${base}/console/api/start`, {
        headers: {
          cookie: [...(jar.get(new URL(base).host) ?? [])]
            .map(([name, value]) => `${name}=${value}`)
            .join('; '),
        },
      })
    return { visit, signIn, signOut, api }
  }

  it('signs in the one person who has the address that it has verified, for an hour at most', async () => {
    const visitor = openVisitor()
    const page = await visitor.signIn('sam')
    expect(page).toMatchObject({ url: `${base}/console`, status: 200 })
    const start = (await (await visitor.api()).json()) as { people: { id: string }[] }
    expect(start.people.map(({ id }) => id)).toEqual(['sam'])
    const [session] = await store.sessions.of('sam')
    expect(session).toMatchObject({ via: new URL(issuer).host })
    expect((session?.endsAt ?? 0) - (session?.at ?? 0)).toBe(3_600_000)
  })

  it.each([
    ['whose address nobody has', 'kim', 'unlisted'],
    ['who is listed without an address', 'fay', 'unlisted'],
    ['whose address it has not verified', 'newsam', 'unverified'],
  ])('signs in nobody %s', async (_, login, said) => {
    const visitor = openVisitor()
    expect((await visitor.signIn(login)).url).toBe(`${base}/console/sign-in?said=${said}`)
    expect((await visitor.api()).status).toBe(401)
  })

  it('gives no session to an answer that another browser began, nor to one that comes twice', async () => {
    const [one, other] = [openVisitor(), openVisitor()]
    await one.signIn('kim')
    const stolen = `${base}/console/sign-in/oidc/callback?${new URLSearchParams({ code: 'x', state: 'y', iss: issuer })}`
    expect((await other.visit(stolen)).url).toBe(`${base}/console/sign-in?said=failed`)
    expect((await one.visit(stolen)).url).toBe(`${base}/console/sign-in?said=failed`)
  })

  it('ends its session here when its own is over, and by nothing else', async () => {
    const visitor = openVisitor()
    await visitor.signIn('sam')
    const forged = await new SignJWT({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer)
      .setAudience(client.clientId)
      .setSubject('sam')
      .setIssuedAt()
      .sign(createHmac('sha256', client.clientSecret).digest())
    for (const token of [forged, 'none', '']) {
      const { status } = await fetch(`${base}/console/sign-in/oidc/logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      })
      expect(status).toBe(400)
    }
    expect((await visitor.api()).status).toBe(200)
    await visitor.signOut()
    await until(async () => expect((await visitor.api()).status).toBe(401))
  })

  it('that is away is said on the page, and asked again by whoever comes next', async () => {
    const port = await freePort()
    const own = `http://127.0.0.1:${port}`
    const away = { ...client, issuer: `http://127.0.0.1:${await freePort()}` }
    await openConsoleHarness({
      policy,
      port,
      entry: { kind: 'sign-in', publicUrl: own, isGiven: true, oidc: away },
    })
    const { headers } = await fetch(`${own}/console/sign-in/oidc/begin`, { redirect: 'manual' })
    expect(headers.get('location')).toBe('/console/sign-in?said=away')
  })

  it.skipIf(!hasBrowser)('is a button on the page, in a real browser', async () => {
    const browser = await sharedBrowser()
    const page = await browser.newPage({ viewport: { width: 900, height: 600 } })
    await page.goto(`${base}/console/sign-in?said=unlisted`)
    await page.getByText('Nobody in bellhop.yml has the address').waitFor()
    await page.getByRole('button', { name: `Sign in with ${new URL(issuer).host}` }).click()
    await page.getByPlaceholder(/login/i).fill('sam')
    await page.getByPlaceholder(/password/i).fill('anything')
    await page.getByRole('button', { name: /sign-?in/i }).click()
    await page.getByRole('button', { name: /continue/i }).click()
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    expect(new URL(page.url()).pathname).toBe('/console')
    expect(await page.evaluate('document.cookie')).toBe('')
  })
})
