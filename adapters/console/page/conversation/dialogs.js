// @ts-check
import { toSent } from '../api.js'
import { byId, el } from '../dom.js'

/**
 * @typedef {{ name: string, flag: string, description: string, type: string, required: boolean, positional: boolean,
 *   choices: string[], maxLength?: number, rest: boolean, kinds?: string[] }} Param
 * @typedef {(param: string, typed: string, within: string[]) => Promise<{ label: string, value: string }[]>} Suggest
 * @typedef {{ command: string, title: string, submit: string, fields: Param[], values: Record<string, unknown>,
 *   notes?: Record<string, string>, reason?: { field: string, usual: string[] } }} Form
 * @typedef {{ message: string, next: string, field: string | null }} Problem
 */

/** Text longer than this is written in more than one line. */
const longText = 200

/**
 * Asks for words, such as a reason or an answer, then hands them on.
 * @param {{ title: string, label: string, asks: { label: string, hint: string, flag: string } }} asked
 * @param {(reason: string) => Promise<void>} done
 */
export const askReason = ({ title, label, asks }, done) => {
  const field = fieldOf({
    name: 'reason',
    flag: asks.flag,
    description: asks.hint,
    type: 'text',
    required: true,
    positional: true,
    choices: [],
    maxLength: 2000,
    rest: true,
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
  const isReason = (/** @type {Param} */ param) => param.name === form.reason?.field
  const noted = (/** @type {Param} */ param) => {
    const note = form.notes?.[param.name]
    return note === undefined ? param : { ...param, description: `${note}. ${param.description}` }
  }
  // One line, where there is something to choose from below it.
  const reasonField = (/** @type {Param} */ param) => ({
    ...param,
    flag: 'reason',
    ...(form.reason?.usual.length ? { rest: false, maxLength: longText } : {}),
  })
  const fields = form.fields.map((param) => ({
    param,
    ...fieldOf(
      isReason(param) ? reasonField(param) : noted(param),
      form.values[param.name],
      param.type === 'file' ? attached : undefined,
    ),
  }))
  for (const { param, control } of fields) {
    const isOffered = param.kinds?.length || param.type === 'amount'
    if (!isOffered || !(control instanceof HTMLInputElement)) continue
    const within = () =>
      fields.flatMap(({ param: other, control: { value } }) =>
        other === param || value === '' ? [] : (other.kinds ?? []).map((kind) => `${kind}:${value}`),
      )
    offerChoices(control, param.type === 'list', (typed) => suggest(param.name, typed, within()))
  }
  const isFirst = (/** @type {Param} */ param) =>
    param.required ||
    param.positional ||
    isReason(param) ||
    form.values[param.name] !== undefined ||
    (param.type === 'file' && attached !== undefined)
  const first = fields.filter(({ param }) => isFirst(param))
  const others = fields.filter(({ param }) => !isFirst(param))
  const details = el(
    'details',
    {},
    el('summary', {}, `More options (${others.length})`),
    el('div', {}, ...others.map(({ node }) => node)),
  )
  const problem = el('p', { class: 'problem', role: 'alert' })
  const nodes = [...first.map(({ node }) => node), others.length > 0 ? details : '', problem]
  for (const { param, control } of fields) {
    const usual = isReason(param) ? (form.reason?.usual ?? []) : []
    if (usual.length > 0 && control instanceof HTMLInputElement) {
      offerChoices(control, false, async () => usual.map((value) => ({ label: value, value })))
    }
  }
  open(form.title, nodes, form.submit, async () => {
    problem.textContent = ''
    for (const { clear } of fields) clear()
    const empty = fields.filter(({ param, read }) => param.required && read().trim() === '')
    for (const { fail } of empty.toReversed()) fail('This is needed.')
    if (empty.length > 0) return
    const given = fields.filter(({ read }) => read() !== '')
    const values = Object.fromEntries(
      await Promise.all(given.map(async ({ param, send }) => [param.name, await send()])),
    )
    const refused = await submit(values)
    if (refused === null) {
      close()
      return
    }
    const bad = fields.find(({ param }) => param.name === refused.field)
    if (bad === undefined) problem.textContent = `${refused.message} ${refused.next}`
    else {
      if (others.includes(bad)) details.setAttribute('open', '')
      bad.fail(`${refused.message} ${refused.next}`)
    }
  })
}

export const showKeys = () => {
  const keys = [
    ['Ctrl K', 'Find a command, a person or what waits'],
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

/** @param {Param} param @param {unknown} [value] @param {File} [attached] */
const fieldOf = (param, value, attached) => {
  const id = `field-${param.flag}`
  const control = controlOf(param, {
    id,
    name: param.name,
    'aria-describedby': `${id}-about ${id}-problem`,
    'aria-required': param.required ? 'true' : null,
    autocomplete: 'off',
  })
  if (value !== undefined) control.value = Array.isArray(value) ? value.join(', ') : String(value)
  const problem = el('p', { class: 'problem', id: `${id}-problem` })
  const words = param.flag.replaceAll('-', ' ')
  const about = `${param.description}${param.type === 'list' ? ' (separated by commas)' : ''}`
  const node = el(
    'div',
    { class: 'field' },
    el(
      'label',
      { for: id },
      words.charAt(0).toUpperCase() + words.slice(1),
      !param.required && el('small', {}, ' optional'),
    ),
    control,
    el('p', { class: 'about', id: `${id}-about` }, about),
    problem,
  )
  const chosen = () => (control instanceof HTMLInputElement ? control.files?.[0] : undefined) ?? attached
  if (attached !== undefined)
    problem.before(el('p', { class: 'about' }, `${attached.name} is attached already.`))
  return {
    node,
    control,
    read: () => (param.type === 'file' ? (chosen()?.name ?? '') : control.value),
    send: async () => {
      const file = param.type === 'file' ? chosen() : undefined
      return file === undefined ? control.value : toSent(file)
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

/**
 * Live choices below a field; in a list, for the item after the last comma.
 * @param {HTMLInputElement} control @param {boolean} isList
 * @param {(typed: string) => Promise<{ label: string, value: string }[]>} suggest
 */
const offerChoices = (control, isList, suggest) => {
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
    list.replaceChildren(
      ...found.map(({ label, value }) => el('option', { value: `${before}${value}`, label })),
    )
  }
  control.addEventListener('focus', offer)
  control.addEventListener('input', offer)
}

/**
 * @param {Param} param @param {Record<string, unknown>} props
 * @returns {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}
 */
const controlOf = (param, props) => {
  const choices = { boolean: ['yes', 'no'], choice: param.choices }[param.type] ?? []
  if (choices.length > 0) {
    const options = ['', ...choices].map((choice) => el('option', { value: choice }, choice || 'not set'))
    return /** @type {HTMLSelectElement} */ (el('select', props, ...options))
  }
  const isLong =
    param.type === 'json' || (param.rest && param.type !== 'amount') || (param.maxLength ?? 0) > longText
  if (isLong) {
    const look = param.type === 'json' ? 'json-text' : null
    return /** @type {HTMLTextAreaElement} */ (el('textarea', { ...props, class: look, rows: 3 }))
  }
  const type = param.type === 'date' || param.type === 'file' ? param.type : 'text'
  const inputmode = { integer: 'numeric', number: 'decimal' }[param.type] ?? null
  return /** @type {HTMLInputElement} */ (el('input', { ...props, type, inputmode }))
}
