// @ts-check

const said = /** @type {HTMLElement} */ (document.getElementById('said'))
const passkey = /** @type {HTMLButtonElement} */ (document.getElementById('passkey'))
/** @type {typeof import('@simplewebauthn/browser')} */
const { browserSupportsWebAuthn, startAuthentication } = /** @type {any} */ (globalThis).SimpleWebAuthnBrowser

// What follows the # is the secret of the link: it leaves the address, and with it the history, at once.
const link = location.hash.slice(1)
const change = new URL(location.href).searchParams.get('change')
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

if (browserSupportsWebAuthn()) {
  const response = await fetch('/console/sign-in/passkey')
  passkey.hidden = !(response.ok && (await response.json()).isOffered)
}
