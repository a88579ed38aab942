// @ts-check
import { get } from '../api.js'
import { byId, el } from '../dom.js'

/** @typedef {{ as: () => string, look: (page: string, line: string) => Promise<void> }} Deps */

const fewestLetters = 2
const restMs = 150
const reports = [
  ['Refunds', 'report refunds'],
  ['Approvals', 'report approvals'],
  ['Budgets', 'report budgets'],
  ['Digest', 'report digest'],
]

/** The pages that look something up: their answers stand there, each in the place of the one before. @param {Deps} deps */
export const createLookUps = ({ as, look }) => {
  const input = /** @type {HTMLInputElement} */ (byId('people-input'))
  const found = byId('people-found')
  /** What this person may run. @type {Set<string> | undefined} */
  let mayRun
  let asked = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let due

  const runnable = async () => {
    if (mayRun === undefined) {
      const nouns = await get('commands', { as: as() })
      mayRun = new Set(
        nouns.flatMap((/** @type {any} */ { commands }) =>
          commands.map((/** @type {any} */ { name }) => name),
        ),
      )
    }
    return mayRun
  }
  const showPerson = async (/** @type {string} */ who) => {
    asked += 1
    found.replaceChildren()
    await look('people', `person get ${quoted(who)}`)
  }
  const find = async () => {
    asked += 1
    const mine = asked
    const typed = input.value.trim()
    const query = { as: as(), command: 'person get', param: 'who', typed }
    const { items } =
      typed.length < fewestLetters ? { items: [] } : await get('suggest', query).catch(() => ({ items: [] }))
    if (mine !== asked) return
    found.replaceChildren(
      ...items.map((/** @type {any} */ { label, value }) =>
        el('li', {}, el('button', { type: 'button', click: () => showPerson(value) }, label)),
      ),
    )
  }
  input.addEventListener('input', () => {
    clearTimeout(due)
    due = setTimeout(() => find().catch(() => undefined), restMs)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || input.value.trim() === '') return
    event.preventDefault()
    const [first] = found.querySelectorAll('button')
    if (first instanceof HTMLElement) first.click()
    else showPerson(input.value.trim())
  })

  return {
    /** @param {string} page */
    open: async (page) => {
      if (page === 'people') input.focus()
      if (page !== 'scheduled' && page !== 'reports') return
      const names = await runnable()
      if (page === 'reports') {
        const offered = reports.filter(([, line = '']) => names.has(line))
        byId('reports-choices').replaceChildren(
          ...offered.map(([label = '', line = '']) =>
            el('button', { type: 'button', click: () => look('reports', line) }, label),
          ),
          offered.length === 0 ? el('p', { class: 'lead' }, 'Your roles may read no report.') : '',
        )
        const [[, first = ''] = []] = offered
        if (first !== '' && !byId('shown-reports').hasChildNodes()) await look('reports', first)
        return
      }
      if (names.has('schedule find')) await look('scheduled', 'schedule find')
      if (names.has('approval list')) await look('waiting-for-time', 'approval list --state approved')
    },
    /** Somebody else is here now. */
    forget: () => {
      mayRun = undefined
      input.value = ''
      found.replaceChildren()
    },
  }
}

/** A name of several words is one value. @param {string} words */
const quoted = (words) => (/\s/.test(words) ? `"${words.replaceAll('"', '')}"` : words)
