import { type FakeModal, parseModal } from './blocks.ts'
import { describeFile, type FakeState, type FakeView, nextTs } from './state.ts'

export type Fields = Record<string, string | string[]>

/** What Slack does with the answer to a submission. */
export const applySubmitAnswer = (state: FakeState, open: FakeView, body: unknown): void => {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  if (said.response_action === 'errors') {
    const errors = said.errors as Record<string, string>
    const inputs = open.view.blocks.filter(({ type }) => type === 'input').map(({ block_id }) => block_id)
    if (!Object.keys(errors).every((key) => inputs.includes(key))) throw new Error('an error for no input')
    open.errors = errors
  } else if (said.response_action === 'update') {
    const parsed = parseModal(said.view)
    if (!parsed.success) throw new Error(`Slack refuses the view: ${parsed.error.message}`)
    Object.assign(open, { view: parsed.data, errors: {}, hash: nextTs(state) })
  } else state.modals.splice(state.modals.indexOf(open), 1)
}

/** The state of a modal: what was there already, and what was filled in. */
export const submittedState = (
  state: FakeState,
  view: FakeModal,
  fields: Fields,
): Record<string, Record<string, unknown>> => {
  const values: Record<string, Record<string, unknown>> = {}
  const known = new Set<string>()
  for (const block of view.blocks) {
    if (block.type !== 'input') continue
    const { element } = block
    const given = fields[block.label.text]
    known.add(block.label.text)
    values[block.block_id ?? ''] = {
      [element.action_id]: { type: element.type, ...enteredIn(state, element, given) },
    }
  }
  const stray = Object.keys(fields).find((label) => !known.has(label))
  if (stray !== undefined) throw new Error(`the modal has no field "${stray}", only ${[...known].join(', ')}`)
  return values
}

type Element = Extract<FakeModal['blocks'][number], { type: 'input' }>['element']

const enteredIn = (
  state: FakeState,
  element: Element,
  given: string | string[] | undefined,
): Record<string, unknown> => {
  const optionOf = (label: string) => {
    const all =
      element.type === 'static_select' || element.type === 'multi_static_select'
        ? [
            ...(element.options ?? []),
            ...('option_groups' in element ? (element.option_groups ?? []) : []).flatMap(
              ({ options }) => options,
            ),
          ]
        : []
    const found = all.find(({ text, value }) => text.text === label || value === label)
    if (found === undefined) throw new Error(`no option ${label}`)
    return found
  }
  switch (element.type) {
    case 'static_select':
      return {
        selected_option: given === undefined ? (element.initial_option ?? null) : optionOf(String(given)),
      }
    case 'multi_static_select':
      return {
        selected_options:
          given === undefined ? (element.initial_options ?? []) : [given].flat().map(optionOf),
      }
    case 'external_select':
      return {
        selected_option: given === undefined ? (element.initial_option ?? null) : { value: String(given) },
      }
    case 'multi_external_select':
      return {
        selected_options:
          given === undefined ? (element.initial_options ?? []) : [given].flat().map((value) => ({ value })),
      }
    case 'file_input':
      return { files: given === undefined ? [] : [given].flat().map((id) => describeFile(state, id)) }
    case 'datepicker':
      return { selected_date: given ?? element.initial_date ?? null }
    default:
      return { value: given ?? element.initial_value ?? null }
  }
}
