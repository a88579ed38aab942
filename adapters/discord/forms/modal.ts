import type {
  APILabelComponent,
  APIModalInteractionResponseCallbackData,
  APITextInputComponent,
} from 'discord.js'
import { isRawFile, type Raw } from '../../../src/command/line/coerce.ts'
import type { Param } from '../../../src/command/params.ts'
import type { Form } from '../../../src/messenger/form.ts'
import type { Reply } from '../../../src/messenger/inbound.ts'
import { askedWordsOf } from '../../../src/view/button-labels.ts'
import { componentType } from '../protocol/codes.ts'
import { formModalId, otherReasonId, reasonModalId } from '../protocol/custom-id.ts'
import { discordLimits } from '../protocol/limits.ts'
import { clipText, toOneLine } from '../render/escape.ts'

type Modal = APIModalInteractionResponseCallbackData
const most = discordLimits.modal

/** Up to five fields: what is missing first, then what was given, then running text that could be added. The rest stays as given. */
export const formModalOf = (form: Form, draft: string, isNew = false): Modal => ({
  custom_id: formModalId(draft, isNew),
  title: clipText(toOneLine(form.title), most.title),
  components: componentsOf(form),
})

const componentsOf = (form: Form): APILabelComponent[] =>
  fieldsOf(form)
    .flatMap((param) => labelledFields(param, form))
    .slice(0, most.fields)

export const reasonModalOf = ({ verb, id, title }: Extract<Reply, { kind: 'reason' }>): Modal => ({
  custom_id: reasonModalId(verb, id),
  title: clipText(toOneLine(title) || 'Say why', most.title),
  components: [
    {
      type: componentType.label,
      label: askedWordsOf(verb).label,
      description: askedWordsOf(verb).hint,
      component: {
        type: componentType.textInput,
        custom_id: 'reason',
        style: 2,
        required: true,
        min_length: 1,
        max_length: 500,
      },
    },
  ],
})

const fieldsOf = ({ fields, values, reason }: Form): Param[] => {
  const rank = ({ name, required, type }: Param): number => {
    const isGiven = values[name] !== undefined
    if (required) return isGiven ? 1 : 0
    if (type === 'amount') return 1
    if (name === reason?.field || isGiven) return 2
    return type === 'text' || type === 'list' || type === 'json' ? 3 : 4
  }
  return fields
    .filter(({ name, type }) => type !== 'file' && typedTextOf(values[name]).length <= most.value)
    .map((param, at) => ({ param, at, rank: rank(param) }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .slice(0, most.fields)
    .map(({ param }) => param)
}

const labelledFields = (param: Param, { values, notes, reason }: Form): APILabelComponent[] => {
  const given = values[param.name]
  const usual = reason?.field === param.name ? reason.usual : []
  const said = [notes?.[param.name], param.description].filter(Boolean).join('. ')
  const written: APILabelComponent = {
    type: componentType.label,
    label: clipText(reason?.field === param.name ? 'Reason' : labelOf(param), most.label),
    description: clipText(said, most.description),
    component: choicesOf(param).length > 0 ? selectOf(param, given) : inputOf(param, given),
  }
  if (usual.length === 0) return [written]
  const other = usual.includes(String(given)) ? undefined : given
  return [
    {
      type: componentType.label,
      label: 'Reason',
      component: {
        type: componentType.select,
        custom_id: param.flag,
        required: false,
        min_values: 0,
        max_values: 1,
        options: usual.map((one) => ({
          label: clipText(one, most.optionLabel),
          value: one,
          default: one === given,
        })),
      },
    },
    {
      ...written,
      label: 'Another reason',
      component: { ...inputOf(param, other), custom_id: otherReasonId(param.flag), required: false },
    },
  ]
}

/** "Payment id" */
const labelOf = ({ flag }: Param): string => {
  const words = flag.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const choicesOf = ({ type, choices }: Param): string[] => {
  if (type === 'boolean') return ['yes', 'no']
  return type === 'choice' && choices.length <= most.options ? choices : []
}

const selectOf = (param: Param, given: Raw | undefined): APILabelComponent['component'] => ({
  type: componentType.select,
  custom_id: param.flag,
  required: param.required,
  min_values: param.required ? 1 : 0,
  max_values: 1,
  options: choicesOf(param).map((choice) => ({
    label: clipText(choice.replaceAll('_', ' '), most.optionLabel),
    value: choice,
    default: choice === (typeof given === 'boolean' ? (given ? 'yes' : 'no') : given),
  })),
})

const inputOf = (param: Param, given: Raw | undefined): APITextInputComponent => {
  const value = typedTextOf(given)
  const room = Math.min(param.type === 'text' ? (param.maxLength ?? most.value) : most.value, most.value)
  return {
    type: componentType.textInput,
    custom_id: param.flag,
    style: isMultiLine(param, value) ? 2 : 1,
    required: param.required,
    max_length: Math.max(room, value.length),
    placeholder: clipText(placeholders[param.type], most.placeholder),
    ...(value === '' ? {} : { value }),
  }
}

/** A field of one line would drop the line breaks of what is written in it. */
const isMultiLine = ({ type, maxLength = 0 }: Param, value: string): boolean =>
  type === 'json' || type === 'list' || maxLength > lineLength || value.length > 80 || value.includes('\n')

/** Text that may be longer than this is written in a field of several lines. */
const lineLength = 200

/** As a person would have typed it. */
export const typedTextOf = (given: Raw | undefined): string => {
  if (given === undefined) return ''
  if (Array.isArray(given)) return given.join(',')
  return isRawFile(given) ? given.name : String(given)
}

const placeholders: Record<Param['type'], string> = {
  text: 'Text',
  integer: 'A whole number',
  number: 'A number',
  amount: 'A whole number, such as 20 or 20 USD',
  boolean: 'yes or no',
  choice: 'One of the choices',
  list: 'Several, separated by commas',
  date: 'yyyy-mm-dd',
  json: 'JSON',
  file: 'A file',
}
