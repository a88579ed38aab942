import type { types } from '@slack/bolt'
import type { Raw } from '../../../src/command/line/coerce.ts'
import type { Param } from '../../../src/command/params.ts'
import type { Form } from '../../../src/messenger/inbound.ts'
import { plural } from '../../../src/view/button-labels.ts'
import { contextBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { ellipsize, plainText } from '../render/text.ts'
import { inputElementOf } from './input-element.ts'
import { type ReplyTarget, toModalMetadata } from './modal-metadata.ts'

/** The parameters of a command as a modal, with what was typed already in it. */
export const formModal = (
  { command, title, fields, values }: Form,
  replyTo: ReplyTarget,
): types.ModalView => {
  const ordered = [
    ...fields.filter(({ required }) => required),
    ...fields.filter(({ required }) => !required),
  ]
  const shown = ordered.slice(0, limits.view.blocks - 2)
  const left = ordered.length - shown.length
  return {
    type: 'modal',
    callback_id: 'form',
    private_metadata: toModalMetadata<'form'>({ ...replyTo, command }),
    title: plainText(command, limits.view.title),
    submit: plainText('Run', limits.view.title),
    close: plainText('Close', limits.view.title),
    blocks: [
      contextBlock(plainText(title, 1_000)) as types.KnownBlock,
      ...shown.map((param) => blockOf(param, values[param.name])),
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

const blockOf = (param: Param, value: Raw | undefined): types.InputBlock => ({
  type: 'input',
  block_id: blockIdOf(param),
  label: plainText(labelOf(param), limits.view.label),
  hint: plainText(hintOf(param), limits.view.hint),
  optional: !param.required,
  element: inputElementOf(param, value, inputId),
})

const labelOf = ({ flag }: Param): string => {
  const words = flag.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const hintOf = (param: Param): string =>
  ellipsize(
    [
      param.description,
      ...(param.type === 'list' && param.choices.length === 0 ? [listHint(param)] : []),
      ...(param.type === 'json' ? ['As JSON.'] : []),
    ].join(param.description.endsWith('.') ? ' ' : '. '),
    limits.view.hint,
  )

const listHint = ({ kinds }: Param): string =>
  kinds.length === 0 ? 'Separate with commas.' : 'Choose from the list, or type one and take it as typed.'
