// @ts-check
import { byId, el } from '../dom.js'
import { timeOf } from '../view/time.js'
import { cardOf } from '../view/view.js'

/**
 * @typedef {{ id: string, at: number, to: string | null, by: { id: string, name: string } | null,
 *   file?: { name: string, size: number }, removed?: true, page?: string,
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
  const log = byId('page-conversation')
  const list = byId('messages')
  const latest = byId('latest')
  // A reader who uses the keyboard scrolls it like any other.
  log.tabIndex = 0
  /** @type {Map<string, HTMLElement>} */
  const articles = new Map()

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

  /** Where it stands: in the conversation, or on a page of its own. @param {Message} message */
  const placeOf = ({ page }) => (page === undefined ? list : byId(`shown-${page}`))
  /** Whoever has begun knows what it is for. */
  const leaveWelcome = () => {
    if (list.querySelector('.said') === null || byId('welcome').classList.contains('left')) return
    byId('welcome').classList.add('left')
    byId('tour-box').removeAttribute('open')
  }

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
    placeOf(message).append(article)
    leaveWelcome()
    for (const [id, old] of articles) {
      if (articles.size <= most) break
      old.remove()
      articles.delete(id)
    }
  }

  return {
    /** Somebody else is here now. */
    forget: () => byId('welcome').classList.remove('left'),
    /** @param {Message[]} messages */
    all: (messages) => {
      log.setAttribute('aria-busy', 'true')
      for (const place of [list, ...document.querySelectorAll('[id^=shown-]')]) place.replaceChildren()
      articles.clear()
      for (const message of messages) put(message, false)
      log.removeAttribute('aria-busy')
      const last = /** @type {HTMLElement | null} */ (list.lastElementChild)
      if (last !== null) toStartOf(last)
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
      if (message.page !== undefined) return
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
    /** To the newest, where somebody has come back. */
    toEnd: () => {
      const last = /** @type {HTMLElement | null} */ (list.lastElementChild)
      if (last !== null) toStartOf(last)
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
