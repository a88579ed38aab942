import type { Command } from '../../../src/kernel/command/define.ts'
import type { Param } from '../../../src/kernel/command/params.ts'
import type { Registry } from '../../../src/kernel/command/registry.ts'
import { fieldOf } from '../../../src/lib/view/wording.ts'
import { limits } from '../api/limits.ts'
import { ellipsize } from '../render/text.ts'

/** A change that is a step in workflows, by the name that Slack calls it by. */
export const commandOfStep = ({ all }: Registry, callbackId: string): Command | undefined =>
  all.find((command) => isStep(command) && stepNameOf(command) === callbackId)

/** What a step hands on to the steps behind it; it fails in the place of a change that was not made. */
export const stepOutputs = {
  change_id: 'The id of the change',
  state: 'How it ended: applied',
  message: 'What was done, in a sentence',
} as const

/** `functions` of the manifest: a step for each change that is one. */
export const stepDefinitions = ({ all }: Registry) =>
  Object.fromEntries(all.filter(isStep).map((command) => [stepNameOf(command), stepDefinition(command)]))

const isStep = (command: Command): boolean => command.kind === 'change' && command.workflow === true

const stepNameOf = ({ name }: Pick<Command, 'name'>): string => name.replaceAll(' ', '_')

const stepDefinition = ({ name, summary, params }: Command) => {
  const file = params.find(({ type, required }) => type === 'file' && required)
  if (file !== undefined) throw new Error(`${name} needs a file, which no workflow has`)
  return {
    title: ellipsize(`Ask Bellhop: ${name}`, limits.step.title),
    description: ellipsize(`${summary}. The step ends when the change does.`, limits.step.description),
    input_parameters: Object.fromEntries(
      params
        .filter(({ type }) => type !== 'file')
        .map((param) => [fieldOf(param.name), inputOf(param)] as const),
    ),
    output_parameters: Object.fromEntries(
      Object.entries(stepOutputs).map(([output, description]) => [
        output,
        { type: 'string', name: output, title: titleOf(output), description, is_required: true },
      ]),
    ),
  }
}

const inputOf = ({ name, type, description, choices, required }: Param) => ({
  type: type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string',
  name: fieldOf(name),
  title: titleOf(fieldOf(name)),
  description: ellipsize(
    `${description}${choices.length > 0 ? `: ${choices.join(', ')}` : ''}${type === 'list' ? ' (with commas between them)' : ''}`,
    limits.step.description,
  ),
  is_required: required,
})

/** `payment_id` -> `Payment id` */
const titleOf = (field: string): string => {
  const words = field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
