// @ts-check
import { get } from '../api.js'
import { byId, el } from '../dom.js'
import { textIn } from '../view/time.js'

/**
 * @typedef {{ name: string, hint: string, pick: () => void }} Found
 * @typedef {{ title: string, items: Found[] }} Group
 * @typedef {{ as: () => string, say: (line: string) => void, go: (changeId: string) => void,
 *   write: (line: string) => void, become: ((id: string) => void) | null,
 *   people: { id: string, name: string, roles: string[] }[] }} Deps
 */

const most = 6
/** People are asked for by name: a letter alone would be a question about everybody. */
const fewestLetters = 2

/** One place to find commands, people and what waits, by keyboard. @param {Deps} deps */
export const createPalette = (deps) => {
  const dialog = /** @type {HTMLDialogElement} */ (byId('palette'))
  const input = /** @type {HTMLInputElement} */ (byId('palette-input'))
  const list = byId('palette-list')
  /** @type {any[]} */
  let commands = []
  /** @type {any[]} */
  let waiting = []
  /** @type {Found[]} */
  let people = []
  /** @type {Found[]} */
  let shown = []
  let chosen = 0
  let asked = 0

  const choose = (/** @type {number} */ at) => {
    chosen = at
    const options = list.querySelectorAll('[role=option]')
    for (const [index, option] of options.entries()) {
      option.setAttribute('aria-selected', String(index === at))
      if (index === at) option.scrollIntoView({ block: 'nearest' })
    }
    if (shown.length === 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `found-${at}`)
  }
  const take = (/** @type {number} */ at) => {
    const item = shown[at]
    if (item === undefined) return
    dialog.close()
    item.pick()
  }
  const draw = () => {
    const typed = input.value.trim()
    const groups = groupsOf(typed)
    shown = groups.flatMap(({ items }) => items)
    let at = 0
    list.replaceChildren(...groups.map(({ title, items }) => groupOf(title, items, () => at++, take)))
    choose(0)
    byId('announce').textContent = shown.length === 0 ? 'Nothing found' : `${shown.length} found`
  }
  /** @param {string} typed @returns {Group[]} */
  const groupsOf = (typed) =>
    [
      { title: 'Waiting', items: likeliest(waiting.map(changeItem), typed) },
      { title: 'People', items: people },
      { title: 'Commands', items: likeliest(commands.map(commandItem), typed) },
      {
        title: 'Act as',
        items:
          deps.become === null
            ? []
            : likeliest(deps.people.filter(({ id }) => id !== deps.as()).map(personaItem), typed),
      },
      {
        title: 'As a line',
        items:
          typed === '' ? [] : [{ name: typed, hint: 'Say this to Bellhop', pick: () => deps.say(typed) }],
      },
    ].filter(({ items }) => items.length > 0)

  const changeItem = (/** @type {any} */ { id, title, by, status, isForYou }) => ({
    name: title,
    hint: `${isForYou ? 'Your turn. ' : ''}${by}: ${textIn(status)}`,
    pick: () => deps.go(id),
  })
  const commandItem = (/** @type {any} */ { name, summary, kind, needsMore }) => ({
    name,
    hint: summary,
    pick: () => (kind === 'look-up' && !needsMore ? deps.say(name) : deps.write(`${name} `)),
  })
  const personaItem = (/** @type {any} */ { id, name, roles }) => ({
    name,
    hint: roles.join(', '),
    pick: () => deps.become?.(id),
  })
  const findPeople = async () => {
    asked += 1
    const mine = asked
    const typed = input.value.trim()
    const query = { as: deps.as(), command: 'person get', param: 'who', typed }
    const isOpen = commands.some(({ name }) => name === 'person get') && typed.length >= fewestLetters
    const { items } = isOpen ? await get('suggest', query).catch(() => ({ items: [] })) : { items: [] }
    if (mine !== asked) return
    people = items.slice(0, most).map((/** @type {any} */ { label, value }) => ({
      name: label,
      hint: label.includes(value) ? 'What all services know' : value,
      pick: () => deps.say(`person get ${value}`),
    }))
    draw()
  }

  input.addEventListener('input', () => {
    draw()
    findPeople()
  })
  dialog.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const next = {
      ArrowDown: (chosen + 1) % Math.max(1, shown.length),
      ArrowUp: (chosen - 1 + shown.length) % Math.max(1, shown.length),
    }[event.key]
    if (event.key === 'Enter') take(chosen)
    else if (next === undefined) return
    else choose(next)
    event.preventDefault()
  })
  // A press beside it closes it, as Escape does.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })

  return {
    open: async () => {
      if (dialog.open || document.querySelector('dialog[open]') !== null) return
      input.value = ''
      people = []
      dialog.showModal()
      draw()
      const [nouns, changes] = await Promise.all([
        get('commands', { as: deps.as() }).catch(() => []),
        get('changes', { as: deps.as() }).catch(() => []),
      ])
      commands = nouns.flatMap((/** @type {any} */ noun) => noun.commands)
      waiting = changes.toSorted(
        (/** @type {any} */ one, /** @type {any} */ other) => Number(other.isForYou) - Number(one.isForYou),
      )
      draw()
      // Whoever typed before the commands were there has not been looked for yet.
      findPeople()
    },
  }
}

/** @param {string} title @param {Found[]} items @param {() => number} next @param {(at: number) => void} take */
const groupOf = (title, items, next, take) =>
  el(
    'div',
    { role: 'group', 'aria-label': title },
    el('p', { class: 'found-title', 'aria-hidden': 'true' }, title),
    ...items.map(({ name, hint }) => {
      const at = next()
      return el(
        'div',
        { role: 'option', id: `found-${at}`, 'aria-selected': 'false', click: () => take(at) },
        el('b', {}, name),
        el('span', {}, hint),
      )
    }),
  )

/** Every word must be there; what begins with the first comes first. @param {Found[]} items @param {string} typed */
const likeliest = (items, typed) => {
  // Before anything is typed it is the list of what there is.
  if (typed === '') return items
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const rank = (/** @type {Found} */ { name, hint }) => {
    const text = `${name} ${hint}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) return -1
    const begun = words.filter((word) => ` ${name.toLowerCase()}`.includes(` ${word}`)).length
    return begun === words.length
      ? name.toLowerCase().startsWith(words[0] ?? '')
        ? 3
        : 2
      : begun > 0
        ? 1
        : 0
  }
  return items
    .map((item) => ({ item, at: rank(item) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => other.at - one.at)
    .slice(0, most)
    .map(({ item }) => item)
}
