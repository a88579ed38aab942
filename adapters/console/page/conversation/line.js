// @ts-check
import { get } from '../api.js'
import { byId, el } from '../dom.js'

/** @typedef {{ text: string, hint: string }} Item */

const storedAt = 'bellhop-history'
const maxRemembered = 200

/**
 * The line: completion while typing, earlier lines by arrow key.
 * @param {{ as: () => string, say: (line: string, file?: File) => void, showKeys: () => void }} deps
 */
export const createLine = ({ as, say, showKeys }) => {
  const input = /** @type {HTMLInputElement} */ (byId('line'))
  const form = /** @type {HTMLFormElement} */ (byId('composer'))
  const list = byId('suggestions')
  const hint = byId('hint')
  const history = createHistory()
  const attachment = createAttachment(input)
  /** @type {Item[]} */
  let items = []
  let from = 0
  let chosen = -1
  let asked = 0
  /** What the suggestions are for. */
  let suggestedFor = ''
  /**
   * Tab came before the suggestions for what was typed: the first of them is taken when they are there, with what is
   * typed after it meanwhile.
   * @type {{ typed: string, thenSend: boolean } | null}
   */
  let awaited = null

  const choose = (/** @type {number} */ at) => {
    chosen = at
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(index === at))
    }
    if (at === -1) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `suggestion-${at}`)
  }
  const close = () => {
    asked += 1
    awaited = null
    items = []
    list.hidden = true
    list.replaceChildren()
    choose(-1)
  }
  const rest = () => {
    close()
    hint.replaceChildren(
      el('kbd', {}, 'Tab'),
      ' completes, ',
      el('kbd', {}, '↑'),
      ' repeats, ',
      el('kbd', {}, 'Ctrl K'),
      ' finds, ',
      el('kbd', {}, '?'),
      ' shows all keys',
    )
  }
  const accept = (/** @type {number} */ at, typedAfter = '') => {
    const item = items[at]
    if (item === undefined) return
    input.value = input.value.slice(0, from) + item.text + typedAfter
    input.focus()
    close()
    suggest()
  }
  const suggest = async () => {
    if (awaited !== null && input.value.startsWith(awaited.typed)) return
    awaited = null
    if (input.value.trim() === '') return rest()
    asked += 1
    const mine = asked
    const typed = input.value
    const found = await get('complete', { as: as(), typed }).catch(() => null)
    if (mine !== asked) return
    const taking = awaited
    awaited = null
    if (found === null) return close()
    suggestedFor = typed
    items = found.items
    from = found.from
    list.replaceChildren(
      ...items.map((item, at) =>
        el(
          'div',
          {
            role: 'option',
            id: `suggestion-${at}`,
            'aria-selected': 'false',
            mousedown: (/** @type {Event} */ event) => {
              event.preventDefault()
              accept(at)
            },
          },
          el('b', {}, item.text.trim()),
          el('span', {}, item.hint),
        ),
      ),
    )
    list.hidden = items.length === 0
    choose(-1)
    hint.replaceChildren(
      ...(found.about === null ? [] : [el('span', {}, found.about)]),
      ...(found.usage === null ? [] : [el('code', {}, found.usage)]),
    )
    byId('announce').textContent =
      items.length === 0
        ? ''
        : `${items.length} suggestion${items.length === 1 ? '' : 's'}, Tab takes the first`
    if (taking === null) return
    if (items.length > 0) accept(0, input.value.slice(typed.length))
    else if (input.value !== typed) suggest()
    if (taking.thenSend) form.requestSubmit()
  }

  /** @type {Record<string, () => boolean>} whether the key was ours */
  const keys = {
    Tab: () => {
      if (items.length === 0) return false
      if (suggestedFor === input.value) accept(Math.max(0, chosen))
      else awaited ??= { typed: input.value, thenSend: false }
      return true
    },
    Enter: () => {
      if (chosen === -1) return false
      accept(chosen)
      return true
    },
    Escape: () => {
      if (items.length === 0) return false
      close()
      return true
    },
    ArrowUp: () => {
      if (chosen > -1) choose(chosen - 1)
      else recall(history.earlier(input.value))
      return true
    },
    ArrowDown: () => {
      if (items.length > 0) choose(Math.min(items.length - 1, chosen + 1))
      else recall(history.later())
      return true
    },
  }
  const recall = (/** @type {string | undefined} */ line) => {
    if (line === undefined) return
    input.value = line
    rest()
    input.setSelectionRange(line.length, line.length)
  }

  input.addEventListener('input', suggest)
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    // After a command it is typed: it asks for help with that command.
    if (event.key === '?' && input.value === '') {
      event.preventDefault()
      showKeys()
      return
    }
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return
    if (keys[event.key]?.()) event.preventDefault()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (awaited !== null) {
      awaited.thenSend = true
      return
    }
    const line = input.value.trim()
    if (line === '') return
    history.add(line)
    input.value = ''
    rest()
    say(line, attachment.take())
  })
  rest()

  return {
    /** @param {string} line */
    write: (line) => {
      close()
      input.value = line
      input.focus()
      input.setSelectionRange(line.length, line.length)
      suggest()
    },
    focus: () => input.focus(),
    /** Puts back what could not be sent. @param {string} line @param {File} [file] */
    restore: (line, file) => {
      if (input.value === '') input.value = line
      if (file !== undefined) attachment.set(file)
    },
  }
}

/** The file that goes with the next line. @param {HTMLElement} back where the focus returns to */
const createAttachment = (back) => {
  const picker = /** @type {HTMLInputElement} */ (byId('file'))
  const chip = byId('attached')
  /** @type {File | undefined} */
  let file
  const set = (/** @type {File | undefined} */ next) => {
    file = next
    chip.hidden = next === undefined
    byId('attached-name').textContent = next?.name ?? ''
    picker.value = ''
    back.focus()
  }
  byId('attach').addEventListener('click', () => picker.click())
  byId('detach').addEventListener('click', () => set(undefined))
  picker.addEventListener('change', () => set(picker.files?.[0]))
  return {
    set,
    take: () => {
      const taken = file
      set(undefined)
      return taken
    },
  }
}

/** Earlier lines, kept in this browser. */
const createHistory = () => {
  /** @type {string[]} */
  let lines = []
  try {
    const stored = JSON.parse(localStorage.getItem(storedAt) ?? '[]')
    if (Array.isArray(stored)) lines = stored.filter((line) => typeof line === 'string')
  } catch {}
  let at = lines.length
  let draft = ''
  return {
    /** @param {string} line */
    add: (line) => {
      lines = [...lines.filter((old) => old !== line), line].slice(-maxRemembered)
      at = lines.length
      draft = ''
      try {
        localStorage.setItem(storedAt, JSON.stringify(lines))
      } catch {}
    },
    /** @param {string} typed */
    earlier: (typed) => {
      if (at === 0) return undefined
      if (at === lines.length) draft = typed
      at -= 1
      return lines[at]
    },
    later: () => {
      if (at >= lines.length) return undefined
      at += 1
      return at === lines.length ? draft : lines[at]
    },
  }
}
