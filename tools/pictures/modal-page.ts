import type { types } from '@slack/bolt'
import type { APIModalInteractionResponseCallbackData } from 'discord.js'

/** The forms of both platforms as their clients show them: enough for a picture, drawn from the payload itself. */
export const slackModalPage = (
  { title, submit, blocks }: types.ModalView,
  offered: readonly string[] = [],
): string =>
  page(
    slackCss,
    `<header>${escaped(title.text)}</header>${(blocks as unknown as Json[]).map((block, at) => slackBlock(block) + (at === firstInput(blocks) ? choices(offered) : '')).join('')}<footer><button>Close</button><button class="go">${escaped(submit?.text ?? '')}</button></footer>`,
  )

export const discordModalPage = ({ title, components }: APIModalInteractionResponseCallbackData): string =>
  page(
    discordCss,
    `<header>${escaped(title)}</header>${(components as unknown as Json[]).map(discordField).join('')}<footer><button>Cancel</button><button class="go">Submit</button></footer>`,
  )

/** A command that is being typed, and what Discord lists above it. */
export const discordPickerPage = (
  command: string,
  given: readonly string[],
  typing: string,
  offered: readonly string[],
): string =>
  page(
    discordCss,
    `<small>Options matching ${escaped(typing)}</small>${choices(offered)}<div class="box">${escaped(command)} ${given.map((one) => `<code>${escaped(one)}</code>`).join(' ')} <code class="on">${escaped(typing)}: │</code></div>`,
  )

const firstInput = (blocks: types.ModalView['blocks']): number =>
  blocks.findIndex(({ type }) => type === 'input')

/** A list that is open, its first line under the pointer. */
const choices = (offered: readonly string[]): string =>
  offered.length === 0
    ? ''
    : `<ol>${offered.map((one, at) => `<li${at === 0 ? ' class="on"' : ''}>${escaped(one)}</li>`).join('')}</ol>`

type Json = Record<string, unknown>
type Option = { label?: string; text?: { text: string }; value: string; default?: boolean }

const page = (css: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><style>${css}</style><main>${body}</main>`

const slackBlock = (block: Json): string => {
  if (block.type === 'context') {
    const [first] = block.elements as { text: string }[]
    return `<small>${escaped(first?.text ?? '')}</small>`
  }
  const { label, hint, element, optional } = block as Json & {
    label: { text: string }
    hint?: { text: string }
    element: Json
  }
  const rare = optional === true ? ' <i>(optional)</i>' : ''
  return `<label>${escaped(label.text)}${rare}</label>${slackElement(element)}${hint === undefined ? '' : `<small>${escaped(hint.text)}</small>`}`
}

const slackElement = (element: Json): string => {
  const chosen = (element.initial_option as Option | undefined)?.text?.text
  const value = chosen ?? element.initial_value
  const shown = value === undefined ? '<em>Choose an option</em>' : escaped(String(value))
  if (String(element.type).includes('select')) return `<div class="box select">${shown}<b>⌄</b></div>`
  return `<div class="box${element.multiline === true ? ' tall' : ''}">${value === undefined ? '' : shown}</div>`
}

const discordField = ({ label, description, component }: Json): string => {
  const field = component as Json & { options?: Option[] }
  const need = field.required === false ? '' : ' <u>*</u>'
  const said = description === undefined ? '' : `<small>${escaped(String(description))}</small>`
  return `<label>${escaped(String(label))}${need}</label>${said}${discordComponent(field)}`
}

const discordComponent = ({
  type,
  style,
  value,
  options = [],
  placeholder,
}: Json & { options?: Option[] }): string => {
  const chosen = options.find((option) => option.default === true)
  if (type === 21 || type === 22)
    return options
      .map(
        (option) =>
          `<p><s class="${type === 21 ? 'round' : ''}${option.default === true ? ' on' : ''}"></s>${escaped(option.label ?? '')}</p>`,
      )
      .join('')
  if (type === 3)
    return `<div class="box select">${escaped(chosen?.label ?? 'Make a selection')}<b>⌄</b></div>`
  if (type === 19) return '<div class="box drop">Drop a file here, or browse</div>'
  if (type === 23) return '<p><s></s></p>'
  const shown =
    value === undefined ? `<em>${escaped(String(placeholder ?? ''))}</em>` : escaped(String(value))
  return `<div class="box${style === 2 ? ' tall' : ''}">${shown}</div>`
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const common = `main { display: grid; gap: 6px; padding: 20px 24px; border-radius: 12px } header { font-weight: 800; font-size: 20px; margin-bottom: 8px }
label { font-weight: 700; margin-top: 10px } i { font-weight: 400; font-style: normal } .box { border-radius: 8px; padding: 9px 12px; min-height: 20px } .box.tall { min-height: 64px }
.select { display: flex; justify-content: space-between } em { font-style: normal } p { margin: 2px 0; display: flex; gap: 10px; align-items: center } footer { display: flex; justify-content: flex-end; gap: 12px; margin-top: 18px }
button { border-radius: 8px; padding: 8px 16px; font: inherit; font-weight: 700 } ol { list-style: none; margin: 0; padding: 6px 0; border-radius: 8px } li { padding: 6px 14px } code { border-radius: 4px; padding: 2px 6px; font: inherit }`
const slackCss = `body { margin: 0; padding: 16px; background: #ddd; color: #1d1c1d; font: 15px/1.47 Lato, 'Noto Color Emoji', sans-serif } ${common} main { background: #fff }
small, em, i { color: #616061; font-size: 13px } ol { border: 1px solid #868686; box-shadow: 0 2px 8px #0003 } li.on { background: #1264a3; color: #fff } .box { border: 1px solid #868686 } button { border: 1px solid #bbb; background: #fff } .go { background: #007a5a; border-color: #007a5a; color: #fff }`
const discordCss = `body { margin: 0; padding: 16px; background: #1e1f22; color: #dbdee1; font: 16px/1.375 'Noto Sans', 'Noto Color Emoji', sans-serif } ${common} main { background: #313338 }
header { color: #f2f3f5 } ol { background: #2b2d31 } li.on { background: #404249 } code { background: #2b2d31 } code.on { background: #404249; color: #fff } u { color: #f23f43; text-decoration: none } small { color: #b5bac1; font-size: 14px } em { color: #87898c } .box { background: #1e1f22; border: 1px solid #3f4147 } .drop { border-style: dashed; text-align: center; color: #949ba4 }
s { width: 18px; height: 18px; border: 2px solid #b5bac1; border-radius: 5px; flex: none } s.round { border-radius: 50% } s.on { background: #5865f2; border-color: #5865f2 } button { border: 0; background: #4e5058; color: #fff } .go { background: #5865f2 }`
