// @ts-check

const said = /** @type {HTMLElement} */ (document.getElementById('said'))
const make = /** @type {HTMLButtonElement} */ (document.getElementById('make'))
const name = /** @type {HTMLInputElement} */ (document.getElementById('name'))
const making = /** @type {HTMLElement} */ (document.getElementById('making'))
/** @type {typeof import('@simplewebauthn/browser')} */
const { startRegistration } = /** @type {any} */ (globalThis).SimpleWebAuthnBrowser

// What follows the # is the secret of the link: it leaves the address, and with it the history, at once.
const link = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
// Another link that is opened in the same tab differs in nothing else.
addEventListener('hashchange', () => location.reload())

if (link === '') {
  making.remove()
  said.textContent = 'Run bellhop passkey, and open the link that it answers with.'
}

/** @param {string} path @param {object} body */
const post = async (path, body) => {
  const response = await fetch(`/console/passkey/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(String(answer.message))
  return answer
}

make.addEventListener('click', async () => {
  make.disabled = true
  said.textContent = ''
  try {
    const { person, options } = await post('begin', { link })
    const made = await startRegistration({ optionsJSON: options })
    const kept = await post('keep', { link, delivery: crypto.randomUUID(), name: name.value, made })
    making.remove()
    said.textContent =
      kept.kind === 'refused'
        ? `${kept.message} ${kept.next}`
        : `The passkey of ${person} is made. It counts once somebody else has approved it, who was asked just now.`
  } catch (error) {
    said.textContent = error instanceof Error ? error.message : 'The passkey could not be made.'
    make.disabled = false
  }
})
