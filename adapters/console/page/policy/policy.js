// @ts-check
import { get, post } from '../api.js'
import { byId, el } from '../dom.js'
import { cardOf } from '../view/view.js'

const as = /** @type {HTMLSelectElement} */ (byId('as'))
const draft = /** @type {HTMLTextAreaElement} */ (byId('draft'))
const days = /** @type {HTMLInputElement} */ (byId('days'))
const compare = /** @type {HTMLButtonElement} */ (byId('compare'))

/** @param {unknown} error */
const say = (error) => {
  byId('said').textContent = error instanceof Error ? error.message : String(error ?? '')
}

/** The policy in force, to start from. What somebody has written stays. */
const begin = async () => {
  const { text } = await get('policy', { as: as.value })
  if (draft.value === '') draft.value = text ?? ''
  say(text === null ? 'You may not read the policy in force: paste a draft of your own.' : '')
}

byId('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  say('')
  compare.disabled = true
  try {
    const { view } = await post('policy', { as: as.value, draft: draft.value, days: Number(days.value) })
    byId('found').replaceChildren(cardOf(view, () => undefined))
  } catch (error) {
    say(error)
  }
  compare.disabled = false
})
as.addEventListener('change', () => begin().catch(say))

try {
  /** @type {{ people: { id: string, name: string }[], demo: boolean }} */
  const { people, demo } = await get('start')
  const asked = new URL(location.href).searchParams.get('as')
  as.append(...people.map(({ id, name }) => el('option', { value: id, selected: id === asked }, name)))
  byId('as-row').hidden = !demo
  await begin()
} catch (error) {
  say(error)
}
