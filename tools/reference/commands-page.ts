import type { Command } from '../../src/kernel/command/define.ts'
import { usageOf } from '../../src/kernel/command/line/usage.ts'
import { isMoneyCommand } from '../../src/kernel/command/moves-money.ts'
import type { Param } from '../../src/kernel/command/params.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'

/** The text of docs/commands.md, generated from the definitions. */
export const commandsDoc = (registry: Registry): string =>
  [
    '# Commands',
    '',
    'Written by `npm run derive` from the definitions in `commands/`; do not edit.',
    '',
    'The same lines work as slash commands, as mentions and direct messages, in the console and in the terminal, with or',
    'without the leading slash. Lists are separated by commas. Values with spaces go in quotes. Where a messenger has options,',
    'each parameter is the option of the same name.',
    '',
    commandTable(registry),
    ...registry.nouns.flatMap((noun) => [`\n## ${noun}`, ...registry.under(noun).map(section)]),
    '',
  ].join('\n')

/** One row per command, for the top of the reference. */
const commandTable = (registry: Registry): string =>
  [
    '| command | what it does | kind |',
    '|---|---|---|',
    ...registry.all.map(
      (command) =>
        `| [\`${command.name}\`](#${anchorOf(command.name)}) | ${command.summary} | ${kindOf(command)} |`,
    ),
  ].join('\n')

const kindOf = (command: Command): string => {
  if (command.kind === 'change') return isMoneyCommand(command) ? `${command.area} change` : 'change'
  return { query: 'look-up', decision: 'decision', switch: 'by endpoint' }[command.kind]
}

const section = (command: Command): string =>
  [
    `\n### ${command.name}`,
    '',
    `${command.summary}. (${kindOf(command)})`,
    '',
    '```',
    usageOf(command),
    '```',
    ...(command.params.length === 0
      ? []
      : ['', '| parameter | what it is | |', '|---|---|---|', ...command.params.map(row)]),
    '',
    `For example: ${command.examples.map((line) => `\`${line}\``).join(', ')}`,
  ].join('\n')

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
const anchorOf = (name: string): string => name.replaceAll(' ', '-')
