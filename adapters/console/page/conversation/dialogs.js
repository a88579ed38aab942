// @ts-check
import { toSent } from '../api.js'
import { byId, el } from '../dom.js'
import { textIn } from '../view/time.js'

/**
 * @typedef {{ label: string, value: string }} Choice
 * @typedef {{ name: string, flag: string, label: string, hint: string, type: string, required: boolean, choices: string[],
 *   isFirst: boolean, isLong: boolean, isSwitch?: boolean, kinds?: string[], chosen?: Choice,
 *   words?: Record<string, string> }} Field
 * @typedef {(param: string, typed: string, within: string[]) => Promise<Choice[]>} Suggest
 * @typedef {{ command: string, title: string, summary: string, submit: string, fields: Field[],
 *   start?: string, values: Record<string, unknown>, reason?: { field: string, usual: string[] } }} Form
 * @typedef {{ message: string, next: string, field: string | null }} Problem
 */

/**
 * Asks for words, such as a reason or an answer, then hands them on.
 * @param {{ title: string, label: string, asks: { label: string, hint: string, flag: string } }} asked
 * @param {(reason: string) => Promise<void>} done
 */
export const askReason = ({ title, label, asks }, done) => {
  const field = fieldOf({
    name: 'reason',
    flag: asks.flag,
    label: asks.flag.charAt(0).toUpperCase() + asks.flag.slice(1),
    hint: asks.hint,
    type: 'text',
    required: true,
    choices: [],
    isFirst: true,
    isLong: true,
  })
  open(title, [field.node], label, async () => {
    const reason = field.read().trim()
    if (reason === '') return field.fail('Write it in a few words.')
    await done(reason)
    close()
  })
}

/**
 * Asks for what a command still needs. It stays open, with everything typed, until the bot takes it.
 * @param {Form} form
 * @param {(values: Record<string, unknown>) => Promise<Problem | null>} submit
 * @param {Suggest} suggest what a half-typed value could become
 * @param {File} [attached] what came with the line
 */
export const askForm = (form, submit, suggest, attached) => {
  const fields = form.fields.map((field) => ({
    field,
    ...fieldOf(field, form.values[field.name], field.type === 'file' ? attached : undefined),
  }))
  for (const { field, control, offer } of fields) {
    const usual = form.reason?.field === field.name ? form.reason.usual : []
    const within = () =>
      fields.flatMap(({ field: other, control: { value }, meant }) =>
        other === field || value === '' ? [] : (other.kinds ?? []).map((kind) => `${kind}:${meant()}`),
      )
    if (!(control instanceof HTMLInputElement)) continue
    if (usual.length > 0) addChoices(control, usual)
    if (usual.length > 0) offer(async () => usual.map((value) => ({ label: value, value })))
    else if (field.kinds?.length || field.type === 'amount')
      offer((typed) => suggest(field.name, typed, within()))
  }
  const isFirst = (/** @type {Field} */ field) =>
    field.isFirst || (field.type === 'file' && attached !== undefined)
  const first = fields.filter(({ field }) => isFirst(field))
  const others = fields.filter(({ field }) => !isFirst(field))
  const details = el(
    'details',
    {},
    el('summary', {}, `More options (${others.length})`),
    el('div', {}, ...others.map(({ node }) => node)),
  )
  const problem = el('p', { class: 'problem', role: 'alert' })
  const nodes = [
    el('p', { class: 'about' }, form.summary),
    ...first.map(({ node }) => node),
    others.length > 0 ? details : '',
    problem,
  ]
  const start = fields.find(({ field }) => field.name === form.start) ?? first[0]
  open(form.title, nodes, form.submit, async () => {
    problem.textContent = ''
    for (const { clear } of fields) clear()
    const empty = fields.filter(({ field, read }) => field.required && read().trim() === '')
    for (const { fail } of empty.toReversed()) fail('This is needed.')
    if (empty.length > 0) return
    const given = fields.filter(({ read }) => read() !== '')
    const values = Object.fromEntries(
      await Promise.all(given.map(async ({ field, send }) => [field.name, await send()])),
    )
    const refused = await submit(values)
    if (refused === null) {
      close()
      return
    }
    const bad = fields.find(({ field }) => field.name === refused.field)
    if (bad === undefined) problem.textContent = `${refused.message} ${textIn(refused.next)}`
    else {
      if (others.includes(bad)) details.setAttribute('open', '')
      bad.fail(`${refused.message} ${textIn(refused.next)}`)
    }
  })
  begin(start?.control)
}

/** Where nothing is written yet; what is known already is marked, so that typing replaces it. @param {HTMLElement | undefined} control */
const begin = (control) => {
  if (control === undefined || control.closest('details:not([open])') !== null) return
  control.focus()
  if (control instanceof HTMLInputElement && control.type !== 'file') control.select()
}

/** The reasons that the team usually has, to be pressed. @param {HTMLInputElement} control @param {readonly string[]} usual */
const addChoices = (control, usual) => {
  const take = (/** @type {string} */ words) => {
    control.value = words
    control.focus()
  }
  control.after(
    el(
      'div',
      { class: 'usual', role: 'group', 'aria-label': 'Usual reasons' },
      ...usual.map((words) => el('button', { type: 'button', click: () => take(words) }, words)),
    ),
  )
}

export const showKeys = () => {
  const keys = [
    ['Ctrl K', 'Find a command, a person or what waits'],
    ['J K', 'In the inbox: the next one, the one before'],
    ['Enter', 'Open what is chosen there, in its place'],
    ['X', 'Select it'],
    ['A R', 'Approve it, reject it'],
    ['/', 'Go to the line'],
    ['Tab', 'Complete what is typed'],
    ['↑ ↓', 'Earlier and later lines'],
    ['Esc', 'Close what is open'],
    ['?', 'This list, while nothing is typed'],
  ]
  const rows = keys.flatMap(([key, words]) => [
    el('dt', {}, el('kbd', {}, key ?? '')),
    el('dd', {}, words ?? ''),
  ])
  open('Keyboard', [el('dl', { class: 'keys' }, ...rows)], 'Got it', async () => close())
}

const close = () => /** @type {HTMLDialogElement} */ (byId('dialog')).close()

/**
 * @param {string} title @param {(Node | string)[]} nodes @param {string} label
 * @param {() => Promise<void>} submit
 */
const open = (title, nodes, label, submit) => {
  const dialog = /** @type {HTMLDialogElement} */ (byId('dialog'))
  const button = el('button', { type: 'submit', class: 'primary' }, label)
  const problem = el('p', { class: 'problem', role: 'alert' })
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault()
    button.setAttribute('disabled', '')
    problem.textContent = ''
    try {
      await submit()
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : 'That did not work.'
    } finally {
      button.removeAttribute('disabled')
    }
  }
  const form = el(
    'form',
    { novalidate: true, submit: send },
    el('h2', { id: 'dialog-title' }, title),
    ...nodes,
    problem,
    el('footer', {}, el('button', { type: 'button', click: close }, 'Close'), button),
  )
  dialog.replaceChildren(form)
  dialog.showModal()
  const field = form.querySelector('input, select, textarea')
  if (field instanceof HTMLElement) field.focus()
}

/** @param {Field} field @param {unknown} [value] @param {File} [attached] */
const fieldOf = (field, value, attached) => {
  const id = `field-${field.flag}`
  const control = controlOf(field, {
    id,
    name: field.name,
    'aria-describedby': `${id}-about ${id}-problem`,
    'aria-required': field.required ? 'true' : null,
    autocomplete: 'off',
  })
  /** What people read, and what counts. @type {Map<string, string>} */
  const values = new Map()
  const { chosen } = field
  if (chosen !== undefined) values.set(chosen.label, chosen.value)
  if (value !== undefined)
    control.value = chosen?.label ?? (Array.isArray(value) ? value.join(', ') : yesOrNoOf(value))
  const meant = () => values.get(control.value) ?? control.value
  const problem = el('p', { class: 'problem', id: `${id}-problem` })
  const about = `${field.hint}${field.type === 'list' ? ' (separated by commas)' : ''}`
  const node = el(
    'div',
    { class: 'field' },
    el('label', { for: id }, field.label, !field.required && el('small', {}, ' optional')),
    control,
    el('p', { class: 'about one-line', id: `${id}-about`, title: about }, about),
    problem,
  )
  const file = () => (control instanceof HTMLInputElement ? control.files?.[0] : undefined) ?? attached
  if (attached !== undefined)
    problem.before(el('p', { class: 'about' }, `${attached.name} is attached already.`))
  return {
    node,
    control,
    meant,
    offer: (/** @type {(typed: string) => Promise<Choice[]>} */ suggest) => {
      if (control instanceof HTMLInputElement) offerChoices(control, field.type === 'list', values, suggest)
    },
    read: () => (field.type === 'file' ? (file()?.name ?? '') : control.value),
    send: async () => {
      const sent = field.type === 'file' ? file() : undefined
      return sent === undefined ? meant() : toSent(sent)
    },
    clear: () => {
      problem.textContent = ''
      control.removeAttribute('aria-invalid')
    },
    fail: (/** @type {string} */ sentence) => {
      problem.textContent = sentence
      control.setAttribute('aria-invalid', 'true')
      control.focus()
    },
  }
}

/** @param {unknown} value */
const yesOrNoOf = (value) => (value === true ? 'yes' : value === false ? 'no' : String(value))

/**
 * Live choices below a field, by what people call them; in a list, for the item after the last comma, by what counts.
 * @param {HTMLInputElement} control @param {boolean} isList @param {Map<string, string>} values
 * @param {(typed: string) => Promise<Choice[]>} suggest
 */
const offerChoices = (control, isList, values, suggest) => {
  const list = el('datalist', { id: `${control.id}-choices` })
  control.after(list)
  control.setAttribute('list', list.id)
  let asked = 0
  const offer = async () => {
    asked += 1
    const mine = asked
    const cut = isList ? control.value.lastIndexOf(',') + 1 : 0
    const before = control.value.slice(0, cut)
    const found = await suggest(control.value.slice(cut).trim()).catch(() => [])
    if (mine !== asked) return
    if (!isList) for (const { label, value } of found) values.set(label, value)
    list.replaceChildren(
      ...found.map(({ label, value }) =>
        el('option', isList ? { value: `${before}${value}`, label } : { value: label }),
      ),
    )
  }
  control.addEventListener('focus', offer)
  control.addEventListener('input', offer)
}

/**
 * @param {Field} field @param {Record<string, unknown>} props
 * @returns {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}
 */
const controlOf = (field, props) => {
  const choices = { boolean: ['yes', 'no'], choice: field.choices }[field.type] ?? []
  if (choices.length > 0) {
    const options = ['', ...choices].map((choice) =>
      el('option', { value: choice }, (field.words?.[choice] ?? choice.replaceAll('_', ' ')) || 'not set'),
    )
    return /** @type {HTMLSelectElement} */ (el('select', props, ...options))
  }
  if (field.isLong) {
    const look = field.type === 'json' ? 'json-text' : null
    return /** @type {HTMLTextAreaElement} */ (el('textarea', { ...props, class: look, rows: 3 }))
  }
  const type = field.type === 'date' || field.type === 'file' ? field.type : 'text'
  const inputmode = { integer: 'numeric', number: 'decimal', amount: 'decimal' }[field.type] ?? null
  return /** @type {HTMLInputElement} */ (el('input', { ...props, type, inputmode }))
}
