import type { types } from '@slack/bolt'
import type { Command } from '../../src/command/define.ts'
import { context } from './blocks.ts'
import { optionOf } from './input.ts'
import { limits } from './limits.ts'
import { type Back, toMetadata } from './metadata.ts'
import { plain } from './plain.ts'

export const pickerBlock = 'command'
export const pickerInput = 'value'

/** All the commands that somebody may run, to choose from; by noun when they are many. */
export const pickerModal = (commands: readonly Command[], back: Back): types.ModalView => ({
  type: 'modal',
  callback_id: 'picker',
  private_metadata: toMetadata<'picker'>(back),
  title: plain('Run a command', limits.view.title),
  close: plain('Close', limits.view.title),
  ...(commands.length === 0
    ? { blocks: [context(plain('There is no command that you may run.')) as types.KnownBlock] }
    : {
        submit: plain('Next', limits.view.title),
        blocks: [
          {
            type: 'input',
            block_id: pickerBlock,
            label: plain('Command', limits.view.label),
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
      label: plain(noun, limits.select.text),
      options: some.slice(0, limits.select.options).map(toOption),
    })),
  }
}

const toOption = ({ name, summary }: Command): types.PlainTextOption => optionOf(name, `${name}: ${summary}`)
