import type { types } from '@slack/bolt'
import { coerce, type Raw } from '../../../src/kernel/command/line/coerce.ts'
import { valueTextOf } from '../../../src/kernel/command/line/print.ts'
import { choiceWords, type Param } from '../../../src/kernel/command/params.ts'
import type { FormField } from '../../../src/kernel/messenger/form.ts'
import { defined } from '../../../src/lib/defined.ts'
import { limits } from '../api/limits.ts'
import { plainText } from '../render/text.ts'

/** The element that fits a parameter's type; a value that it would not take is left out of it. */
export const inputElementOf = (
  param: FormField,
  raw: Raw | undefined,
  actionId: string,
): types.InputBlockElement => {
  const coerced = raw === undefined ? undefined : coerce(param, raw)
  const value = coerced?.ok ? coerced.value : undefined
  switch (param.type) {
    case 'integer':
    case 'number':
      return numberInput(param, value, actionId)
    case 'boolean':
      return select(yesOrNo, value === undefined ? [] : [String(value)], actionId)
    case 'choice':
      return fitsSelect(param.choices)
        ? select(choicesOf(param), value === undefined ? [] : [String(value)], actionId)
        : textInput(param, raw, actionId)
    case 'list': {
      const items = (value as unknown[] | undefined)?.map(String) ?? []
      if (hasPicker(param)) return manyOf(items, actionId)
      if (!fitsSelect(param.choices)) {
        return textInput(param, value === undefined ? raw : valueTextOf(param, value), actionId)
      }
      const picked = choicesOf(param).filter((choice) => items.includes(choice.value ?? ''))
      return {
        type: 'multi_static_select',
        action_id: actionId,
        options: choicesOf(param),
        ...(picked.length === 0 ? {} : { initial_options: picked }),
      }
    }
    case 'date':
      return {
        type: 'datepicker',
        action_id: actionId,
        ...(/^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? { initial_date: String(value) } : {}),
      }
    case 'file':
      return { type: 'file_input', action_id: actionId, max_files: 1 }
    case 'text':
      return hasPicker(param) && String(raw ?? '').length <= limits.select.value
        ? oneOf(String(raw ?? '').trim(), param.chosen?.label, actionId)
        : textInput(param, raw, actionId)
    case 'amount':
    case 'json':
      return textInput(param, raw, actionId)
  }
}

/** Addresses are pasted by the dozen, which a picker would not take. */
const hasPicker = ({ kinds, type, format }: Param): boolean =>
  kinds.length > 0 && !(type === 'list' && format === 'email')

const textInput = (param: FormField, raw: Raw | undefined, actionId: string): types.PlainTextInput => {
  const value = raw === undefined ? '' : withoutControls(Array.isArray(raw) ? raw.join(', ') : String(raw))
  const most = Math.min(param.maxLength ?? limits.input, limits.input)
  return {
    type: 'plain_text_input',
    action_id: actionId,
    multiline: param.isLong || value.includes('\n'),
    ...(param.type === 'text' ? { max_length: most } : {}),
    ...(value === '' || value.length > most ? {} : { initial_value: value }),
  }
}

const numberInput = ({ type, min, max }: Param, value: unknown, actionId: string): types.NumberInput => {
  const fits =
    typeof value === 'number' && (min === undefined || value >= min) && (max === undefined || value <= max)
  return {
    type: 'number_input',
    action_id: actionId,
    is_decimal_allowed: type === 'number',
    ...(min === undefined ? {} : { min_value: String(min) }),
    ...(max === undefined ? {} : { max_value: String(max) }),
    ...(fits ? { initial_value: String(value) } : {}),
  }
}

/** Options that are asked for while somebody types; `inbound/autocomplete.ts` answers. */
const manyOf = (items: readonly string[], actionId: string): types.MultiExternalSelect => {
  const initial = optionsOf(items.filter((item) => item.length > 0 && item.length <= limits.select.value))
  return {
    type: 'multi_external_select',
    action_id: actionId,
    min_query_length: 0,
    ...(initial.length === 0 ? {} : { initial_options: initial }),
  }
}

const oneOf = (value: string, label: string | undefined, actionId: string): types.ExternalSelect => ({
  type: 'external_select',
  action_id: actionId,
  min_query_length: 0,
  ...(value === '' ? {} : { initial_option: optionOf(value, label) }),
})

const select = (
  options: types.PlainTextOption[],
  [chosen]: string[],
  actionId: string,
): types.StaticSelect => {
  const initial = options.find(({ value }) => value === chosen)
  return {
    type: 'static_select',
    action_id: actionId,
    options,
    ...defined({ initial_option: initial }),
  }
}

export const optionOf = (value: string, label = value): types.PlainTextOption => ({
  text: plainText(label, limits.select.text),
  value,
})

const optionsOf = (values: readonly string[]): types.PlainTextOption[] =>
  values.map((value) => optionOf(value))
const choicesOf = (param: Param): types.PlainTextOption[] =>
  param.choices.map((choice) => optionOf(choice, choiceWords(param, choice)))
const yesOrNo = [optionOf('true', 'yes'), optionOf('false', 'no')]

const fitsSelect = (choices: readonly string[]): boolean =>
  choices.length > 0 &&
  choices.length <= limits.select.options &&
  choices.every((choice) => choice.length > 0 && choice.length <= limits.select.value)

/** Slack takes no control characters and no half of a surrogate pair; the rest is sent back unchanged. */
const withoutControls = (text: string): string =>
  text.toWellFormed().replace(/\p{Cc}/gu, (char) => (char === '\n' || char === '\t' ? char : ''))
