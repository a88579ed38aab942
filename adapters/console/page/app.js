// @ts-check
import { get, post, toSent } from './api.js'
import { askForm, askReason, showKeys } from './conversation/dialogs.js'
import { createLine } from './conversation/line.js'
import { createMessages } from './conversation/messages.js'
import { createPalette } from './conversation/palette.js'
import { byId, el } from './dom.js'
import { createInbox } from './inbox/inbox.js'
import { createLookUps } from './inbox/lookups.js'
import { createPages } from './inbox/pages.js'
import { createPanel } from './panel/panel.js'
import { createTurns } from './panel/turns.js'
import { switchThemes } from './theme/theme-switch.js'
import { refreshTimes } from './view/time.js'

/** @typedef {{ id: string, name: string, roles: string[] }} Persona */

const slowMs = 250
const toastMs = 6_000
/** Browsers allow a handful of connections to one server for all tabs together; a tab that nobody sees gives its own back. */
const restAfterMs = 60_000

const address = new URL(location.href)
/** @type {{ people: Persona[], agents: { name: string, owner: string }[], demo: boolean, tour: { words: string, line?: string, as?: string }[] }} */
const { people, agents, demo, tour } = await get('start')
let persona = people.find(({ id }) => id === address.searchParams.get('as')) ?? people[0]
/** @type {EventSource | undefined} */
let events
let underWay = 0

const as = () => persona?.id ?? ''

/** @param {{ id: string, name: string }} person */
const avatarOf = ({ id, name }) => {
  const initials = name.split(/\s+/).map((word) => word.charAt(0))
  const at = people.findIndex((one) => one.id === id) % 3
  return el(
    'span',
    { class: `avatar of-${at}`, 'aria-hidden': 'true' },
    initials.slice(0, 2).join('').toUpperCase(),
  )
}

/** A line that goes into the command line; as a link it also works in a new tab. @param {string} line @param {string} [who] */
const exampleOf = (line, who = as()) =>
  el(
    'a',
    {
      class: 'example',
      href: `/console?${new URLSearchParams({ as: who, line })}`,
      click: (/** @type {MouseEvent} */ event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        if (who !== as()) become(who)
        commandLine.write(line)
      },
    },
    line,
  )

const messages = createMessages({
  as,
  avatarOf,
  press,
  isPressed: (id) => pressed.has(id),
  see: (message) => guard(() => panel.see(message)),
})
const go = (/** @type {string} */ id) => guard(() => goTo(id))
const pages = createPages((name) => {
  if (name === 'audit') panel.showAudit()
  if (name === 'inbox') panel.soon()
  guard(() => lookUps.open(name))
})
const turns = createTurns({ name: () => persona?.name ?? '', go })
const inbox = createInbox({ as, press: pressAlone, isHere: () => pages.current() === 'inbox', go })
const lookUps = createLookUps({ as, look })
const panel = createPanel({ as, page: pages.current, press: pressAlone, told })
const commandLine = createLine({ as, say, showKeys })
const palette = createPalette({
  as,
  say,
  go,
  write: (line) => commandLine.write(line),
  become: demo ? become : null,
  people,
})

/** Who has been shown what waited when they came. @type {string | undefined} */
let cameAs

/** What waits for this person when they come is shown before anything else. @param {any} waiting */
async function told(waiting) {
  await inbox.show(waiting)
  const ask = turns.show(
    waiting.changes.filter((/** @type {any} */ { isForYou }) => isForYou),
    waiting.counts.mine,
  )
  byId('ask-first').replaceChildren(...(ask === null ? [] : [ask]))
  if (cameAs === as()) return
  cameAs = as()
  const line = /** @type {HTMLInputElement} */ (byId('line'))
  // Whoever has begun to type goes on.
  if (waiting.mine.length === 0 || line.value !== '' || linked !== null) return
  pages.suggest('inbox')
  if (pages.current() === 'inbox') inbox.focus()
}

/** A look-up whose answer stands on a page of its own. @param {string} page @param {string} line */
async function look(page, line) {
  await guard(() => follow(() => post('say', { as: as(), line, page })))
}

/** What somebody said or asked for is answered in the conversation. */
function toConversation() {
  pages.chosen()
  if (pages.current() === 'conversation') return
  pages.show('conversation')
  messages.toEnd()
}

/** @param {string} line @param {File} [file] */
async function say(line, file) {
  try {
    toConversation()
    const sent = file === undefined ? {} : { file: await toSent(file) }
    await follow(() => post('say', { as: as(), line, ...sent }), file)
  } catch (error) {
    commandLine.restore(line, file)
    toast(error)
  }
}

/** A button keeps the focus while it works, so it is not disabled; a second press meanwhile does nothing. @type {Set<string>} */
const pressed = new Set()

/** @param {import('./conversation/messages.js').Message} message @param {import('./view/view.js').Action} action */
async function press(message, { verb, id }) {
  if (pressed.has(message.id)) return
  pressed.add(message.id)
  const card = document.querySelector(`[data-id="${CSS.escape(message.id)}"] .card`)
  card?.setAttribute('aria-busy', 'true')
  await guard(() =>
    follow(async () => {
      const reply = await post('press', { as: as(), verb, id, message: message.id })
      // What comes of it stands in the conversation, wherever it was pressed.
      if (message.page !== undefined && (reply.kind === 'change' || reply.message !== message.id))
        if (reply.kind === 'change' || reply.kind === 'shown') toConversation()
      return reply
    }),
  )
  card?.removeAttribute('aria-busy')
  pressed.delete(message.id)
}

/** What is not for a card in the conversation: a row of the inbox, or a button of the page itself. @param {{ verb: string, id: string }} action */
async function pressAlone({ verb, id }) {
  await guard(() =>
    follow(async () => {
      const reply = await post('press', { as: as(), verb, id })
      if (reply.kind !== 'shown') return reply
      const show = () => guard(() => goToMessage(reply.message))
      if (pages.current() === 'inbox' && ['approve', 'remind'].includes(verb)) inbox.tell(reply.title, show)
      else show()
      return reply
    }),
  )
}

/** Sends something and does what the answer asks of the page; what there is to read arrives by the live connection. @param {() => Promise<any>} send @param {File} [file] */
async function follow(send, file) {
  const who = as()
  const slow = setTimeout(() => messages.working(true), slowMs)
  underWay += 1
  try {
    const reply = await send()
    if (reply.kind === 'form') {
      const submit = async (/** @type {Record<string, unknown>} */ values) => {
        const answered = await post('form', { as: who, command: reply.form.command, values })
        if (answered.kind === 'refused') return answered
        toConversation()
        return null
      }
      /** @type {import('./conversation/dialogs.js').Suggest} */
      const suggest = async (param, typed, within) => {
        const pairs = within.map((pair) => ['within', pair])
        const query = [
          ['as', who],
          ['command', reply.form.command],
          ['param', param],
          ['typed', typed],
          ...pairs,
        ]
        return (await get('suggest', query)).items
      }
      askForm(reply.form, submit, suggest, file)
    }
    if (reply.kind === 'go') {
      const there = new URL(reply.url)
      there.searchParams.set('as', who)
      location.assign(there)
    }
    if (reply.kind === 'reason') {
      const { verb, id } = reply
      askReason(reply, async (reason) => {
        await post('press', { as: who, verb, id, reason })
      })
    }
  } finally {
    clearTimeout(slow)
    underWay -= 1
    if (underWay === 0) messages.working(false)
    panel.soon()
  }
}

/** @param {string} id of a change */
async function goTo(id) {
  const { message } = await post('show', { as: as(), id })
  await goToMessage(message)
}

/** To a message of the conversation, which may still be on its way. @param {string} message */
async function goToMessage(message) {
  toConversation()
  for (let wait = 0; wait < 100 && !messages.find(message); wait++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** @param {string} id */
function become(id) {
  persona = people.find((one) => one.id === id) ?? persona
  if (persona === undefined) return
  const select = /** @type {HTMLSelectElement} */ (byId('as'))
  select.value = persona.id
  byId('avatar').replaceWith(Object.assign(avatarOf(persona), { id: 'avatar' }))
  address.searchParams.set('as', persona.id)
  address.searchParams.delete('line')
  address.searchParams.delete('change')
  window.history.replaceState(null, '', address)
  turns.forget()
  messages.forget()
  inbox.forget()
  lookUps.forget()
  pages.forget()
  cameAs = undefined
  if (pages.current() !== 'conversation') pages.show('conversation')
  connect()
  panel.refresh()
}

/** The browser reconnects by itself, and says what it saw last. */
function connect() {
  events?.close()
  const source = new EventSource(`/console/api/events?${new URLSearchParams({ as: as() })}`)
  events = source
  const live = (/** @type {boolean} */ isOn) => {
    byId('live').textContent = isOn ? 'Live' : 'Reconnecting'
    byId('live').classList.toggle('on', isOn)
  }
  source.addEventListener('open', () => live(true))
  source.addEventListener('error', () => {
    live(false)
    // A server that is restarting answers with an error page, after which browsers give up.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => source === events && connect(), 2_000)
  })
  // Too many pages of one person are open: this one stays as it is until somebody looks at it again.
  source.addEventListener('closed', ({ data }) => {
    source.close()
    live(false)
    byId('live').textContent = 'Closed'
    toast(new Error(JSON.parse(data)))
  })
  source.addEventListener('all', ({ data }) => messages.all(JSON.parse(data)))
  source.addEventListener('message', ({ data }) => {
    messages.one(JSON.parse(data))
    panel.soon()
  })
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting
function restWhileHidden() {
  document.addEventListener('visibilitychange', () => {
    clearTimeout(resting)
    if (document.hidden) resting = setTimeout(() => events?.close(), restAfterMs)
    else if (events?.readyState === EventSource.CLOSED) connect()
  })
}

/** @param {() => Promise<void>} work */
async function guard(work) {
  try {
    await work()
  } catch (error) {
    toast(error)
  }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding
/** @param {unknown} error */
function toast(error) {
  const words =
    error instanceof TypeError
      ? 'Bellhop cannot be reached. Is it still running?'
      : String(/** @type {Error} */ (error).message)
  byId('toast').textContent = words
  byId('toast').hidden = false
  clearTimeout(hiding)
  hiding = setTimeout(() => {
    byId('toast').hidden = true
  }, toastMs)
}

function drawTour() {
  byId('tour').replaceChildren(
    ...tour.map(({ words, line, as: who }) =>
      el(
        'li',
        {},
        el('span', {}, words),
        line !== undefined
          ? exampleOf(line, who)
          : el(
              'a',
              {
                class: 'example aside',
                href: `/console?${new URLSearchParams({ as: who ?? '' })}`,
                target: '_blank',
                rel: 'noopener',
              },
              'Open a second tab',
            ),
      ),
    ),
  )
}

function keys() {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && panel.close()) return
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey) {
      event.preventDefault()
      palette.open()
      return
    }
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isBox = event.target instanceof HTMLInputElement && event.target.type === 'checkbox'
    if ((!isTyping || isBox) && inbox.key(event)) {
      event.preventDefault()
      return
    }
    if (isTyping) return
    if (event.key === '/') {
      event.preventDefault()
      commandLine.focus()
    }
    if (event.key === '?') showKeys()
    // Whoever types means the line, wherever they were.
    else if (event.key.length === 1 && event.key !== ' ' && event.key !== '/') commandLine.focus()
  })
}

/** What only developers look for: each message as other messengers are sent it. */
function switchDeveloper() {
  const button = byId('developer')
  const set = (/** @type {boolean} */ isOn) => {
    document.body.classList.toggle('developing', isOn)
    button.setAttribute('aria-pressed', String(isOn))
    if (!isOn) panel.close()
    try {
      localStorage.setItem('bellhop.developer', isOn ? 'yes' : 'no')
    } catch {}
  }
  let isOn = false
  try {
    isOn = localStorage.getItem('bellhop.developer') === 'yes'
  } catch {}
  set(isOn)
  button.addEventListener('click', () => set(button.getAttribute('aria-pressed') !== 'true'))
}

const wanted = address.searchParams.get('line')
const linked = address.searchParams.get('change')
const select = /** @type {HTMLSelectElement} */ (byId('as'))
select.append(...people.map(({ id, name }) => el('option', { value: id }, name)))
select.addEventListener('change', () => become(select.value))
byId('demo').hidden = !demo
if (demo) byId('line').setAttribute('placeholder', 'refund pay_1001 120')
byId('find').addEventListener('click', palette.open)
byId('trying').hidden = !demo
byId('welcome').classList.toggle('demo', demo)
if (agents.length > 0) {
  const listed = agents.map(({ name, owner }) => `${name} (of ${owner})`).join(', ')
  byId('agents').textContent = `Agents ask here too, and people decide: ${listed}.`
  byId('agents').hidden = false
}
if (!demo) {
  byId('as-label').textContent = 'Signed in as'
  select.disabled = true
}
drawTour()
switchThemes()
keys()
restWhileHidden()
switchDeveloper()
become(as())
// Until here a line would have gone nowhere, so nobody could type one.
byId('typing').removeAttribute('disabled')
if (wanted === null) commandLine.focus()
else commandLine.write(wanted)
if (linked !== null) guard(() => goTo(linked))
setInterval(refreshTimes, 20_000)
