// @ts-check

const said = /** @type {HTMLElement} */ (document.getElementById('said'))

// What follows the # is the secret of the link: it leaves the address, and with it the history, at once.
const link = location.hash.slice(1)
history.replaceState(null, '', location.pathname)

if (link === '') {
  for (const id of ['about', 'sign-in']) document.getElementById(id)?.remove()
  said.textContent = 'Run bellhop console in Slack or Discord, and open the link that it answers with.'
}

document.getElementById('sign-in')?.addEventListener('click', async () => {
  try {
    const response = await fetch('/console/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
    })
    if (response.ok) location.replace('/console')
    else said.textContent = String((await response.json()).message)
  } catch {
    said.textContent = 'Bellhop cannot be reached. Is it still running?'
  }
})
