import type { types } from '@slack/bolt'
import type { Command } from '../../../src/kernel/command/define.ts'
import { contextBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { plainText } from '../render/text.ts'
import { optionOf } from './input-element.ts'
import { type ReplyTarget, toModalMetadata } from './modal-metadata.ts'

export const pickerBlock = 'command'
export const pickerInput = 'value'

/** All the commands that somebody may run, to choose from; by noun when they are many. */
export const pickerModal = (commands: readonly Command[], replyTo: ReplyTarget): types.ModalView => ({
  type: 'modal',
  callback_id: 'picker',
  private_metadata: toModalMetadata<'picker'>(replyTo),
  title: plainText('Run a command', limits.view.title),
  close: plainText('Close', limits.view.title),
  ...(commands.length === 0
    ? { blocks: [contextBlock(plainText('There is no command that you may run.')) as types.KnownBlock] }
    : {
        submit: plainText('Next', limits.view.title),
        blocks: [
          {
            type: 'input',
            block_id: pickerBlock,
            label: plainText('Command', limits.view.label),
            element: { type: 'static_select', action_id: pickerInput, ...choicesOf(commands) },
          },
        ],
      }),
})

const choicesOf = (commands: readonly Command[]) => {
  if (commands.length <= limits.select.options) return { options: commands.map(toOption) }
  const byNoun = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? name)
  return {
    option_groups: [...byNoun].slice(0, limits.select.groups).map(([noun, some]) => ({
      label: plainText(noun, limits.select.text),
      options: some.slice(0, limits.select.options).map(toOption),
    })),
  }
}

const toOption = ({ name, summary }: Command): types.PlainTextOption => optionOf(name, `${name}: ${summary}`)
