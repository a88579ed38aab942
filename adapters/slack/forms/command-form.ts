import type { types } from '@slack/bolt'
import type { Param } from '../../../src/kernel/command/params.ts'
import type { Form, FormField } from '../../../src/kernel/messenger/form.ts'
import { plural } from '../../../src/lib/view/button-labels.ts'
import { contextBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { ellipsize, plainText } from '../render/text.ts'
import { inputElementOf, optionOf } from './input-element.ts'
import { type ReplyTarget, toModalMetadata } from './modal-metadata.ts'

/** The parameters of a command as a modal, with what was typed already in it. */
export const formModal = (form: Form, replyTo: ReplyTarget): types.ModalView => {
  const { command, title, summary, submit, fields } = form
  const shown = fields.slice(0, limits.view.blocks - (form.reason?.usual.length ? 3 : 2))
  const left = fields.length - shown.length
  return {
    type: 'modal',
    callback_id: 'form',
    private_metadata: toModalMetadata<'form'>({ ...replyTo, command }),
    title: plainText(title, limits.view.title),
    submit: plainText(submit, limits.view.title),
    close: plainText('Close', limits.view.title),
    blocks: [
      contextBlock(plainText(summary, 1_000)) as types.KnownBlock,
      ...shown.flatMap((field) => blocksOf(field, form)),
      ...(left === 0
        ? []
        : [
            contextBlock(
              plainText(`${plural(left, 'more field')} left out: type the command instead.`),
            ) as types.KnownBlock,
          ]),
    ],
  }
}

export const blockIdOf = (param: Pick<Param, 'name'>): string => `field-${param.name}`
export const inputId = 'value'

/** Where the team has usual reasons, one is chosen, or another is written below. */
export const usualIdOf = (param: Pick<Param, 'name'>): string => `usual-${param.name}`

const blocksOf = (field: FormField, { values, reason, start }: Form): types.InputBlock[] => {
  const given = values[field.name]
  const usual = reason?.field === field.name ? reason.usual : []
  const written: types.InputBlock = {
    type: 'input',
    block_id: blockIdOf(field),
    label: plainText(usual.length === 0 ? field.label : 'Another reason', limits.view.label),
    hint: plainText(hintOf(field), limits.view.hint),
    optional: !field.required || usual.length > 0,
    element: begun(
      inputElementOf(field, usual.includes(String(given)) ? undefined : given, inputId),
      usual.length === 0 && field.name === start,
    ),
  }
  if (usual.length === 0) return [written]
  const chosen = usual.find((one) => one === given)
  return [
    {
      type: 'input',
      block_id: usualIdOf(field),
      label: plainText(field.label, limits.view.label),
      optional: true,
      element: begun(
        {
          type: 'static_select',
          action_id: inputId,
          options: usual.map((one) => optionOf(one)),
          ...(chosen === undefined ? {} : { initial_option: optionOf(chosen) }),
        },
        field.name === start,
      ),
    },
    written,
  ]
}

/** The cursor stands in the first field that is empty. Slack puts it into no file. */
const begun = <T extends types.InputBlockElement>(element: T, isStart: boolean): T =>
  isStart && element.type !== 'file_input' ? { ...element, focus_on_load: true } : element

const hintOf = (field: FormField): string =>
  ellipsize(
    [
      field.hint,
      ...(field.type === 'list' && field.choices.length === 0 ? [listHint(field)] : []),
      ...(field.type === 'json' ? ['As JSON'] : []),
    ].join('. '),
    limits.view.hint,
  )

const listHint = ({ kinds }: Param): string =>
  kinds.length === 0 ? 'Separate with commas' : 'Choose from the list, or type one and take it as typed'
