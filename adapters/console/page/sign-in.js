// @ts-check

const said = /** @type {HTMLElement} */ (document.getElementById('said'))
const passkey = /** @type {HTMLButtonElement} */ (document.getElementById('passkey'))
/** @type {typeof import('@simplewebauthn/browser')} */
const { browserSupportsWebAuthn, startAuthentication } = /** @type {any} */ (globalThis).SimpleWebAuthnBrowser

// What follows the # is the secret of the link: it leaves the address, and with it the history, at once.
const link = location.hash.slice(1)
const asked = new URL(location.href).searchParams
const change = asked.get('change')
/** Why somebody comes back from their provider without a session. @type {Record<string, string>} */
const whyNot = {
  away: 'The provider that signs people in does not answer. Try again in a moment.',
  unverified: 'Your provider has not verified an email address of yours, so nobody knows who you are here.',
  unlisted: 'Nobody in bellhop.yml has the address that your provider says. Ask an administrator to add it.',
  failed: 'That sign-in was not finished. Begin again here.',
}
history.replaceState(null, '', location.pathname)
// Another link that is opened in the same tab differs in nothing else.
addEventListener('hashchange', () => location.reload())

if (link === '') {
  for (const id of ['about', 'sign-in']) document.getElementById(id)?.remove()
  said.textContent = 'Run bellhop console in Slack or Discord, and open the link that it answers with.'
}

/** @param {string} path @param {object} body */
const post = async (path, body) => {
  const response = await fetch(`/console/sign-in${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(String(answer.message))
  return answer
}

/** Whoever came to sign a change goes on there. */
const goOn = () =>
  location.replace(change === null ? '/console' : `/console/sign?${new URLSearchParams({ change })}`)

/** @param {unknown} error */
const complain = (error) => {
  said.textContent =
    error instanceof Error && !(error instanceof TypeError)
      ? error.message
      : 'Bellhop cannot be reached. Is it still running?'
}

document.getElementById('sign-in')?.addEventListener('click', async () => {
  try {
    await post('', { link })
    goOn()
  } catch (error) {
    complain(error)
  }
})

passkey.addEventListener('click', async () => {
  try {
    const { options } = await post('/begin', {})
    await post('/passkey', { assertion: await startAuthentication({ optionsJSON: options }) })
    goOn()
  } catch (error) {
    complain(error)
  }
})

const why = whyNot[asked.get('said') ?? '']
if (why !== undefined) said.textContent = why

const provider = /** @type {HTMLButtonElement} */ (document.getElementById('provider'))
const offered = await fetch('/console/sign-in/oidc')
const { provider: name = null } = offered.ok ? await offered.json() : {}
if (name !== null) {
  provider.textContent = `Sign in with ${name}`
  provider.hidden = false
  provider.addEventListener('click', () =>
    location.assign(`/console/sign-in/oidc/begin?${new URLSearchParams(change === null ? {} : { change })}`),
  )
}

if (browserSupportsWebAuthn()) {
  const response = await fetch('/console/sign-in/passkey')
  passkey.hidden = !(response.ok && (await response.json()).isOffered)
}
