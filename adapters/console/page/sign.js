// @ts-check
import { get, post } from './api.js'
import { byId } from './dom.js'
import { cardOf } from './view/view.js'

/** @type {typeof import('@simplewebauthn/browser')} */
const { startAuthentication } = /** @type {any} */ (globalThis).SimpleWebAuthnBrowser
const sign = /** @type {HTMLButtonElement} */ (byId('sign'))
const query = new URL(location.href).searchParams
const id = query.get('change') ?? ''

/** @param {unknown} error */
const say = (error) => {
  byId('said').textContent = error instanceof Error ? error.message : String(error)
}

const begin = async () => {
  /** @type {{ people: { id: string, name: string }[], demo: boolean }} */
  const { people } = await get('start')
  const person = people.find((one) => one.id === query.get('as')) ?? people[0]
  const as = person?.id ?? ''
  byId('as-row').textContent = `You sign as ${person?.name ?? 'nobody'}.`
  byId('back').setAttribute('href', `/console?${new URLSearchParams({ as })}`)
  const { view, whole, digest, shown, isWaiting } = await get('sign', { as, id })
  byId('card').replaceChildren(cardOf(view, () => undefined, 'h2'))
  byId('whole').replaceChildren(cardOf({ ...whole, actions: [] }, () => undefined))
  byId('details').hidden = false
  byId('what').textContent =
    `Your signature is for change ${id} exactly as it stands here, digest ${digest.slice(0, 10)}, and for nothing else.`
  sign.hidden = !isWaiting
  if (!isWaiting) say('There is nothing left to sign.')
  sign.addEventListener('click', async () => {
    sign.disabled = true
    say('')
    try {
      const { options } = await post('sign', { as, id })
      const assertion = await startAuthentication({ optionsJSON: options })
      const signed = await post('signed', { as, id, digest, shown, assertion })
      if (signed.kind === 'refused') throw new Error(`${signed.message} ${signed.next}`)
      if (signed.view !== undefined) byId('card').replaceChildren(cardOf(signed.view, () => undefined, 'h2'))
      sign.remove()
      byId('details').remove()
      say('Signed. It counts as your decision.')
    } catch (error) {
      say(error)
      sign.disabled = false
    }
  })
}

begin().catch(say)
