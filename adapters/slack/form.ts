import type { types } from '@slack/bolt'
import type { Raw } from '../../src/command/coerce.ts'
import type { Param } from '../../src/command/params.ts'
import type { Form } from '../../src/pipeline/inbound.ts'
import { plural } from '../../src/view/words.ts'
import { context } from './blocks.ts'
import { inputOf } from './input.ts'
import { limits } from './limits.ts'
import { type Back, toMetadata } from './metadata.ts'
import { clip, plain } from './plain.ts'

/** The parameters of a command as a modal, with what was typed already in it. */
export const formModal = ({ command, title, fields, values }: Form, back: Back): types.ModalView => {
  const ordered = [
    ...fields.filter(({ required }) => required),
    ...fields.filter(({ required }) => !required),
  ]
  const shown = ordered.slice(0, limits.view.blocks - 2)
  const left = ordered.length - shown.length
  return {
    type: 'modal',
    callback_id: 'form',
    private_metadata: toMetadata<'form'>({ ...back, command }),
    title: plain(command, limits.view.title),
    submit: plain('Run', limits.view.title),
    close: plain('Close', limits.view.title),
    blocks: [
      context(plain(title, 1_000)) as types.KnownBlock,
      ...shown.map((param) => blockOf(param, values[param.name])),
      ...(left === 0
        ? []
        : [
            context(
              plain(`${plural(left, 'more field')} left out: type the command instead.`),
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
  label: plain(labelOf(param), limits.view.label),
  hint: plain(hintOf(param), limits.view.hint),
  optional: !param.required,
  element: inputOf(param, value, inputId),
})

const labelOf = ({ flag }: Param): string => {
  const words = flag.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const hintOf = (param: Param): string =>
  clip(
    [
      param.description,
      ...(param.type === 'list' && param.choices.length === 0 ? [listHint(param)] : []),
      ...(param.type === 'json' ? ['As JSON.'] : []),
    ].join(param.description.endsWith('.') ? ' ' : '. '),
    limits.view.hint,
  )

const listHint = ({ suggest }: Param): string =>
  suggest === undefined ? 'Separate with commas.' : 'Choose from the list, or type one and take it as typed.'
