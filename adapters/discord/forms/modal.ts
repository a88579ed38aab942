import type {
  APILabelComponent,
  APIModalInteractionResponseCallbackData,
  APITextInputComponent,
} from 'discord.js'
import { isRawFile, type Raw } from '../../../src/kernel/command/line/coerce.ts'
import { choiceWords, type Param, type Suggested } from '../../../src/kernel/command/params.ts'
import type { Form, FormField } from '../../../src/kernel/messenger/form.ts'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import { askedWordsOf } from '../../../src/lib/view/button-labels.ts'
import { componentType } from '../protocol/codes.ts'
import { formModalId, otherReasonId, reasonModalId } from '../protocol/custom-id.ts'
import { discordLimits } from '../protocol/limits.ts'
import { clipText, toOneLine } from '../render/escape.ts'

type Modal = APIModalInteractionResponseCallbackData
const most = discordLimits.modal

/** Up to five fields: what is missing first, then those that people meet first. The rest stays as given. */
export const formModalOf = (form: Form, draft: string, isNew = false): Modal => ({
  custom_id: formModalId(draft, isNew),
  title: clipText(toOneLine(form.title), most.title),
  components: componentsOf(form),
})

const componentsOf = (form: Form): APILabelComponent[] =>
  fieldsOf(form)
    .flatMap((field) => labelledFields(field, form))
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

const fieldsOf = ({ fields, values }: Form): FormField[] => {
  const isMissing = ({ name, required }: FormField) => required && values[name] === undefined
  const fitting = fields.filter(({ name }) => typedTextOf(values[name]).length <= most.value)
  return [...fitting.filter(isMissing), ...fitting.filter((field) => !isMissing(field))]
}

const labelledFields = (field: FormField, { values, reason }: Form): APILabelComponent[] => {
  const given = values[field.name]
  const usual = reason?.field === field.name ? reason.usual : []
  const written: APILabelComponent = {
    type: componentType.label,
    label: clipText(field.label, most.label),
    description: clipText(field.hint, most.description),
    component: componentOf(field, given),
  }
  if (usual.length === 0) return [written]
  const other = usual.includes(String(given)) ? undefined : given
  return [
    {
      type: componentType.label,
      label: clipText(field.label, most.label),
      component: chooserOf(
        field.flag,
        usual.map((one) => ({ value: one, label: one })),
        usual.find((one) => one === given),
        false,
      ),
    },
    {
      ...written,
      label: 'Another reason',
      component: { ...inputOf(field, other), custom_id: otherReasonId(field.flag), required: false },
    },
  ]
}

type ModalPart = APILabelComponent['component']

/** The component that fits a parameter's type. */
const componentOf = (field: FormField, given: Raw | undefined): ModalPart => {
  const { flag, type, choices, required, chosen, others = [] } = field
  const words = choices.map((value) => ({ value, label: choiceWords(field, value) }))
  if (type === 'file') {
    return {
      type: componentType.fileUpload,
      custom_id: flag,
      required,
      min_values: required ? 1 : 0,
      max_values: 1,
    }
  }
  if (type === 'boolean' && field.isSwitch) {
    return { type: componentType.checkbox, custom_id: flag, default: given === true || given === 'true' }
  }
  if (type === 'boolean') return chooserOf(flag, yesOrNo, yesOrNoOf(given), required)
  if (type === 'choice' && choices.length <= most.options) {
    return chooserOf(flag, words, typedTextOf(given), required)
  }
  if (type === 'list' && choices.length > 0 && choices.length <= most.boxes) {
    const ticked = new Set(Array.isArray(given) ? given : typedTextOf(given).split(','))
    return {
      type: componentType.checkboxGroup,
      custom_id: flag,
      required,
      min_values: required ? 1 : 0,
      max_values: choices.length,
      options: words.map((one) => ({ ...optionOf(one), default: ticked.has(one.value) })),
    }
  }
  if (chosen !== undefined && [chosen, ...others].every(({ value }) => value.length <= most.optionValue)) {
    return selectOf(flag, [chosen, ...others].slice(0, most.options), chosen.value, required)
  }
  return inputOf(field, given)
}

const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

const yesOrNoOf = (given: Raw | undefined): string => {
  if (given === true || given === 'true') return 'yes'
  return given === false || given === 'false' ? 'no' : typedTextOf(given)
}

const optionOf = ({ value, label }: Suggested) => ({
  value,
  label: clipText(toOneLine(label) || value, most.optionLabel),
})

/** All choices at a glance, where there are few. */
const chooserOf = (
  flag: string,
  choices: readonly Suggested[],
  given: string | undefined,
  required: boolean,
): ModalPart =>
  choices.length < 2 || choices.length > most.radios
    ? selectOf(flag, choices, given, required)
    : {
        type: componentType.radioGroup,
        custom_id: flag,
        required,
        options: choices.map((one) => ({ ...optionOf(one), default: one.value === given })),
      }

const selectOf = (
  flag: string,
  choices: readonly Suggested[],
  given: string | undefined,
  required: boolean,
): ModalPart => ({
  type: componentType.select,
  custom_id: flag,
  required,
  min_values: required ? 1 : 0,
  max_values: 1,
  options: choices.map((one) => ({ ...optionOf(one), default: one.value === given })),
})

const inputOf = (field: FormField, given: Raw | undefined): APITextInputComponent => {
  const value = typedTextOf(given)
  const room = Math.min(field.type === 'text' ? (field.maxLength ?? most.value) : most.value, most.value)
  return {
    type: componentType.textInput,
    custom_id: field.flag,
    // A field of one line would drop the line breaks of what is written in it.
    style: field.isLong || value.length > 80 || value.includes('\n') ? 2 : 1,
    required: field.required,
    max_length: Math.max(room, value.length),
    ...placeholderOf(field),
    ...(value === '' ? {} : { value }),
  }
}

/** As a person would have typed it. */
export const typedTextOf = (given: Raw | undefined): string => {
  if (given === undefined) return ''
  if (Array.isArray(given)) return given.join(',')
  return isRawFile(given) ? given.name : String(given)
}

/** An example, where the words above it leave a doubt. */
const placeholderOf = ({ type }: Param): { placeholder?: string } => {
  const words = placeholders[type]
  return words === undefined ? {} : { placeholder: clipText(words, most.placeholder) }
}

const placeholders: Partial<Record<Param['type'], string>> = {
  integer: 'A whole number',
  number: 'A number',
  amount: 'A whole number, such as 20 or 20 USD',
  list: 'Several, separated by commas',
  date: 'yyyy-mm-dd',
  json: 'JSON',
}
