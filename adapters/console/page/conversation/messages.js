// @ts-check
import { byId, el } from '../dom.js'
import { timeOf } from '../view/time.js'
import { cardOf } from '../view/view.js'

/**
 * @typedef {{ id: string, at: number, to: string | null, by: { id: string, name: string } | null,
 *   file?: { name: string, size: number }, removed?: true,
 *   body: { kind: 'line', line: string } | { kind: 'view', view: import('../view/view.js').View } }} Message
 * @typedef {{ as: () => string, avatarOf: (person: { id: string, name: string }) => HTMLElement,
 *   press: (message: Message, action: import('../view/view.js').Action) => void, isPressed: (id: string) => boolean,
 *   see: (message: Message) => void }} Deps
 */

/** What the page keeps; the server keeps as many. */
const most = 500
const nearPx = 120
/** Above the title of a long answer. */
const marginPx = 16

/** The conversation as articles. @param {Deps} deps */
export const createMessages = (deps) => {
  const log = byId('log')
  const list = byId('messages')
  const latest = byId('latest')
  const inbox = byId('inbox')
  const waiting = byId('inbox-list')
  // A reader who uses the keyboard scrolls it like any other.
  log.tabIndex = 0
  /** @type {Map<string, HTMLElement>} */
  const articles = new Map()
  /** The changes whose cards stand above the conversation. @type {Set<string>} */
  const gathered = new Set()

  const isNear = () => log.scrollHeight - log.scrollTop - log.clientHeight < nearPx
  const toEnd = () => {
    log.scrollTop = log.scrollHeight
    latest.hidden = true
  }
  /** To the end, but never past the title of what is to be read. @param {HTMLElement | undefined} article */
  const toStartOf = (article) => {
    toEnd()
    if (article === undefined) return
    const above = log.getBoundingClientRect().top + marginPx - article.getBoundingClientRect().top
    if (above > 0) log.scrollTop -= above
  }
  latest.addEventListener('click', toEnd)
  log.addEventListener('scroll', () => {
    if (isNear()) latest.hidden = true
  })

  const hasCard = (/** @type {string} */ change) =>
    [...waiting.children].some((one) => /** @type {HTMLElement} */ (one).dataset.change === change)

  /** @param {Message} message @param {boolean} isFresh */
  const put = (message, isFresh) => {
    const before = articles.get(message.id)
    const article = articleOf(message, deps)
    articles.set(message.id, article)
    if (before !== undefined) {
      replace(before, article)
      return
    }
    article.classList.toggle('fresh', isFresh)
    const isFirst = gathered.has(changeIn(message)) && !hasCard(changeIn(message))
    ;(isFirst ? waiting : list).append(article)
    for (const [id, old] of articles) {
      if (articles.size <= most) break
      old.remove()
      articles.delete(id)
    }
  }

  /** What waits for this person is the first that they see, unless they look at something already. */
  const toInbox = () => {
    const focused = /** @type {HTMLElement} */ (document.activeElement)
    for (const article of articles.values()) {
      const { change } = article.dataset
      if (change !== undefined && gathered.has(change) && !hasCard(change)) waiting.append(article)
    }
    inbox.hidden = gathered.size === 0
    if (gathered.size === 0) return
    if (waiting.contains(focused)) {
      focused.focus()
      return
    }
    log.scrollTop = 0
    const line = /** @type {HTMLInputElement} */ (byId('line'))
    const [first] = waiting.children
    // Whoever has begun to type goes on.
    if (first instanceof HTMLElement && focused === line && line.value === '')
      first.focus({ preventScroll: true })
  }

  return {
    /** Puts the cards of these changes above the conversation; returns those that have none here. @param {string[]} ids */
    gather: (ids) => {
      for (const id of ids) gathered.add(id)
      toInbox()
      const shown = new Set([...articles.values()].map((article) => article.dataset.change))
      return ids.filter((id) => !shown.has(id))
    },
    /** How many of them still wait. @param {number} count */
    count: (count) => {
      byId('inbox-title').textContent = count === 0 ? 'Nothing waits for you any more' : `Your turn: ${count}`
    },
    /** Somebody else is here now. */
    forget: () => {
      gathered.clear()
      inbox.hidden = true
    },
    /** @param {Message[]} messages */
    all: (messages) => {
      log.setAttribute('aria-busy', 'true')
      list.replaceChildren()
      waiting.replaceChildren()
      articles.clear()
      for (const message of messages) put(message, false)
      log.removeAttribute('aria-busy')
      if (gathered.size > 0) toInbox()
      else if (messages.length > 0) toStartOf([...articles.values()].at(-1))
      else log.scrollTop = 0
    },
    /** @param {Message} message */
    one: (message) => {
      if (message.removed) {
        articles.get(message.id)?.remove()
        articles.delete(message.id)
        return
      }
      const isNew = !articles.has(message.id)
      const isOwn = isOf(message, deps.as())
      const follow = isNear() || (isNew && isOwn)
      put(message, true)
      const article = articles.get(message.id)
      if (article !== undefined && waiting.contains(article)) return
      if (follow && isNew) toStartOf(article)
      else if (follow || deps.isPressed(message.id)) article?.scrollIntoView({ block: 'nearest' })
      else if (isNew) latest.hidden = false
    },
    /** @param {string} id */
    find: (id) => {
      const article = articles.get(id)
      if (article === undefined) return false
      article.scrollIntoView({ block: 'center' })
      article.classList.remove('fresh', 'found')
      requestAnimationFrame(() => article.classList.add('found'))
      article.focus({ preventScroll: true })
      return true
    },
    /** @param {boolean} isWorking */
    working: (isWorking) => {
      const follow = isNear()
      byId('working').hidden = !isWorking
      if (follow) toEnd()
    },
  }
}

/** Said by this person, answered to them, or what became of their request. @param {Message} message @param {string} person */
const isOf = ({ by, to, body }, person) =>
  by?.id === person || to === person || (body.kind === 'view' && body.view.change?.requester === person)

/** @param {Message} message */
const changeIn = ({ body }) => (body.kind === 'view' ? (body.view.change?.id ?? '') : '')

/** @param {Message} message @param {Deps} deps */
const articleOf = (message, deps) => {
  const { by, body } = message
  const isLine = body.kind === 'line'
  const bell = () =>
    el(
      'span',
      { class: 'avatar bell', 'aria-hidden': 'true' },
      el('img', { src: '/console/bell.svg', alt: '', width: 32, height: 32 }),
    )
  const article = el(
    'article',
    {
      class: isLine ? 'message said' : 'message',
      tabindex: -1,
      'aria-label': labelOf(message),
      'data-id': message.id,
      'data-change': changeIn(message) || null,
    },
    by === null ? bell() : deps.avatarOf(by),
    el(
      'div',
      {},
      el(
        'div',
        { class: 'message-head' },
        el('b', {}, by === null ? 'Bellhop' : by.name),
        timeOf(message.at),
        !isLine &&
          el(
            'span',
            { class: 'tag' },
            message.to === null ? (by === null ? 'Everyone' : 'Shared') : 'Only you',
          ),
        !isLine &&
          el(
            'span',
            { class: 'tools' },
            el('button', { type: 'button', click: () => deps.see(message) }, 'As others see it'),
          ),
      ),
      isLine ? el('p', {}, body.line) : cardOf(body.view, (action) => deps.press(message, action)),
    ),
  )
  if (message.file !== undefined) article.querySelector('.card')?.append(downloadOf(message, deps.as()))
  return article
}

/** @param {Message} message */
const labelOf = ({ by, body }) =>
  body.kind === 'line'
    ? `${by?.name ?? 'Somebody'} said`
    : `${by === null ? 'Bellhop' : by.name}: ${body.view.title}`

/** @param {Message} message @param {string} as */
const downloadOf = ({ id, file }, as) =>
  el(
    'a',
    {
      class: 'download',
      href: `/console/api/file?${new URLSearchParams({ message: id, as })}`,
      download: file?.name,
    },
    `Download ${file?.name} (${Math.ceil((file?.size ?? 0) / 1024).toLocaleString('en-US')} KB)`,
  )

/** A card that changes under somebody's hands keeps their place. @param {HTMLElement} before @param {HTMLElement} after */
const replace = (before, after) => {
  const focused = document.activeElement
  const isInside = focused instanceof HTMLElement && before.contains(focused)
  const verb = isInside ? focused.dataset.verb : undefined
  before.replaceWith(after)
  if (!isInside) return
  const same = verb === undefined ? null : after.querySelector(`[data-verb="${verb}"]`)
  ;(same instanceof HTMLElement ? same : after).focus({ preventScroll: true })
}
