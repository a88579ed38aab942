import type { Command } from '../../src/kernel/command/define.ts'
import { isMoneyCommand } from '../../src/kernel/command/moves-money.ts'
import type { Param } from '../../src/kernel/command/params.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'

/** The text of docs/commands.md, generated from the definitions. */
export const commandsDoc = (registry: Registry): string => {
  const shared = sharedParams(registry.all.filter(({ kind }) => kind === 'change'))
  return [
    '# Commands',
    '',
    'Written by `npm run derive` from the definitions in `commands/`; do not edit.',
    '',
    'The same lines work as slash commands, as mentions and direct messages, in the console and in the terminal, with or',
    'without the leading slash. What stands without dashes is given in this order. Lists are separated by commas. Values with',
    'spaces go in quotes. Where a messenger has options, each parameter is the option of the same name.',
    '',
    'Every change takes these as well:',
    '',
    ...tableOf(shared),
    ...registry.nouns.flatMap((noun) => [
      `\n## ${noun}`,
      ...registry.under(noun).map((command) => section(command, shared)),
    ]),
    '',
  ].join('\n')
}

/** What all of these commands take, in the same words. */
const sharedParams = ([first, ...others]: readonly Command[]): readonly Param[] =>
  (first?.params ?? []).filter((param) =>
    others.every(({ params }) => params.some((one) => isSame(one, param))),
  )

const isSame = (one: Param, other: Param): boolean =>
  one.flag === other.flag && one.description === other.description

const kindOf = (command: Command): string => {
  if (command.kind === 'change') return isMoneyCommand(command) ? `${command.area} change` : 'change'
  return { query: 'look-up', decision: 'decision', switch: 'by endpoint' }[command.kind]
}

const section = (command: Command, shared: readonly Param[]): string => {
  const own = command.params.filter((param) => !shared.some((one) => isSame(one, param)))
  return [
    `\n### ${command.name}`,
    '',
    `${command.summary}. (${kindOf(command)})`,
    ...(own.length === 0 ? [] : ['', ...tableOf(own)]),
    '',
    `For example: ${command.examples.map((line) => `\`${line}\``).join(', ')}`,
  ].join('\n')
}

const tableOf = (params: readonly Param[]): string[] => [
  '| parameter | what it is | |',
  '|---|---|---|',
  ...params.map(row),
]

const row = (param: Param): string =>
  `| \`${param.positional ? param.flag : `--${param.flag}`}\` | ${cell(param.description)} | ${notes(param)} |`

const notes = (param: Param): string =>
  cell(
    [
      ...(param.required ? ['required'] : []),
      ...(param.choices.length > 0
        ? [
            `${param.type === 'list' ? 'any' : 'one'} of ${param.choices.map((choice) => `\`${choice}\``).join(', ')}`,
          ]
        : [typeWords[param.type]]),
      ...(param.min === undefined ? [] : [`from ${param.min}`]),
      ...(param.max === undefined ? [] : [`up to ${param.max}`]),
    ]
      .filter(Boolean)
      .join(', '),
  )

const typeWords: Record<Param['type'], string> = {
  text: '',
  choice: '',
  integer: 'whole number',
  number: 'number',
  amount: 'whole number',
  boolean: 'yes or no',
  list: 'list',
  date: 'date',
  json: 'JSON',
  file: 'a file',
}

const cell = (words: string): string => words.replaceAll('|', '\\|')
