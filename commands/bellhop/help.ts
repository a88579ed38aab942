import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import type { BotRecords, Listed } from '../../src/kernel/command/context.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { usageOf } from '../../src/kernel/command/line/usage.ts'
import type { Param } from '../../src/kernel/command/params.ts'
import { no } from '../../src/lib/result.ts'
import { didYouMean } from '../../src/lib/view/did-you-mean.ts'
import { asTyped, theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { type Block, code, facts, note, text, type View } from '../../src/lib/view/view.ts'

export const bellhopHelp = defineQuery({
  name: 'bellhop help',
  title: 'Get help',
  summary: 'Show the commands you may run, or how to use one of them',
  area: 'bellhop',
  input: z.object({
    command: z
      .string()
      .optional()
      .describe('A command or a noun, such as refund or campaign')
      .meta({ kind: 'command', rest: true }),
  }),
  positional: ['command'],
  examples: ['bellhop help', 'bellhop help refund', 'bellhop help campaign send'],
  uses: [],
  async run({ command: wanted }, { records, actor, button }) {
    const allowed = records.commands.all.filter((one) => records.mayRun(one.name))
    const isAll = /^all$/i.test(wanted?.trim() ?? '')
    if (wanted === undefined || wanted.trim() === '' || isAll) {
      const open = tasksFor(allowed)
      // A program presses nothing.
      if (isAll || open.length === 0 || actor.agent !== undefined)
        return answer(overview(allowed, await mostUsed(allowed, actor.person, records)))
      return answer({
        title: 'What do you want to do?',
        tone: 'plain',
        blocks: [
          text('Press one, or say it: “Ada was charged twice”, “49 USD on 1 Nov”, “who waits for me”.'),
          note('plain', 'Everything else: bellhop help all'),
        ],
        actions: await Promise.all(open.map(([name, label]) => button(label, name))),
      })
    }
    const name = wanted.trim().replace(/^\//, '').toLowerCase()
    const one = allowed.find((candidate) => candidate.name === name)
    if (one !== undefined) {
      return answer(helpFor(one), one.appendix === undefined ? {} : { file: one.appendix() })
    }
    const under = allowed.filter((candidate) => candidate.name.startsWith(`${name} `))
    if (under.length > 0) return answer({ ...overview(under), title: `Commands of ${theirs(name)}` })
    const near = didYouMean(
      name,
      allowed.map((candidate) => candidate.name),
    )
    return no(
      refusal('unknown_command', `There is no command ${asTyped(wanted.slice(0, 40))} that you may run.`, {
        next: near === undefined ? 'bellhop help lists everything you may run.' : `Did you mean ${near}?`,
      }),
    )
  },
})

/** What people come for, by the command that it begins with; whoever may look at sums over all begins with what is theirs to decide. */
const tasks: readonly (readonly [command: string, label: string])[] = [
  ['person find', 'Find a person'],
  ['refund', 'Refund a payment'],
  ['upgrade', 'Change a plan'],
  ['campaign send-list', 'Send a campaign'],
  ['message text', 'Write to somebody'],
  ['approval list', 'What waits'],
]
const overseeing: readonly (readonly [command: string, label: string])[] = [
  ['approval list', 'What waits'],
  ['person find', 'Find a person'],
  ['refund', 'Refund a payment'],
  ['report refunds', 'What was refunded'],
  ['report budgets', 'What is left of the budgets'],
  ['audit find', 'Who did what'],
]

const tasksFor = (allowed: readonly Listed[]) => {
  const isAllowed = ([name]: readonly [string, string]) => allowed.some((one) => one.name === name)
  const all = isAllowed(['report refunds', '']) ? overseeing : tasks
  return all.filter(isAllowed)
}

/** What this person has run or asked for lately, the most frequent first. */
const mostUsed = async (
  allowed: readonly Listed[],
  who: string,
  { audit }: Pick<BotRecords, 'audit'>,
): Promise<Listed[]> => {
  const entries = await audit.find({ who, limit: lately, page: 1 })
  const uses = entries.filter(({ kind, command }) => usedKinds.has(kind) && command !== 'bellhop help')
  return [...Map.groupBy(uses, ({ command }) => command)]
    .sort(([, one], [, other]) => other.length - one.length)
    .flatMap(([name]) => allowed.find((one) => one.name === name) ?? [])
    .slice(0, fewest)
}

const lately = 200
const fewest = 5
const usedKinds: ReadonlySet<string> = new Set(['ran', 'asked'])

const overview = (commands: readonly Listed[], used: readonly Listed[] = []): View => {
  const nouns = Map.groupBy(commands, (command) => command.name.split(' ')[0] as string)
  const characters = commands.reduce((sum, { name, summary }) => sum + name.length + summary.length, 0)
  return {
    title: 'What you can do here',
    tone: 'plain',
    blocks: [
      ...(used.length === 0 ? [] : [text('You use most'), summaries(used), text('All by noun')]),
      ...(characters > maxCharacters
        ? [facts(Object.fromEntries([...nouns].map(([noun, group]) => [noun, namesOf(group)])))]
        : [...nouns.values()].map(summaries)),
    ],
    footer: 'Add a noun or a command for more, for example bellhop help campaign or bellhop help refund',
  }
}

const summaries = (commands: readonly Listed[]): Block =>
  facts(Object.fromEntries(commands.map(({ name, summary }) => [name, summary])))

/** A longer message would be cut on some platforms, so above this size only the names are listed. */
const maxCharacters = 3_000

const namesOf = (group: readonly Listed[]): string =>
  group.length === 1 && group[0] !== undefined && !group[0].name.includes(' ')
    ? group[0].summary
    : group.map(({ name }) => name).join(', ')

const helpFor = (command: Listed): View => ({
  title: command.name,
  tone: 'plain',
  blocks: [
    { kind: 'text', text: `${command.summary}.` },
    code(usageOf(command)),
    ...(command.params.length === 0 ? [] : [parameters(command.params)]),
    text('For example'),
    code(command.examples.join('\n')),
    ...(command.appendix === undefined
      ? []
      : [note('plain', `All that it can be used for is in ${command.appendix().name}.`)]),
  ],
})

/** What is typed, as it is typed, and what it means. */
const parameters = (params: readonly Param[]): Block =>
  code(
    params
      .map((param) => {
        const choices =
          param.choices.length > 0
            ? [`${param.type === 'list' ? 'any' : 'one'} of ${param.choices.join(', ')}`]
            : []
        const means = [param.description, ...choices, ...(param.required ? ['required'] : [])].join('; ')
        return `${param.positional ? param.flag : `--${param.flag}`}: ${means}`
      })
      .join('\n'),
  )
