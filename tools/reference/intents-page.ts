import type { Registry } from '../../src/kernel/command/registry.ts'
import { verbs } from '../../src/lib/view/button-labels.ts'

/** The text of docs/intents.md, generated from the words of the language: what can be said, with examples that tests run. */
export const intentsDoc = ({ all, language }: Registry): string =>
  [
    '# What can be said',
    '',
    'Written by `npm run derive` from the words in `commands/words/`; do not edit.',
    '',
    'What is a command line runs as it is typed. Everything else is read as a saying: by its words, by things that can be told',
    'by their shape (addresses, phone numbers, ids, amounts, dates, quoted text) and by the names of campaigns, lists, plans,',
    'products and people. No model and no network service takes part in it.',
    '',
    '- One clear look-up runs, and its answer ends with the line that it was understood as.',
    `- A change is only offered: **${verbs.run_it.label}** asks for it as if it had been typed, **${verbs.edit.label}** opens its form.`,
    '- Several meanings are a choice of at most five. Words that were not understood are named, and then nothing can be run as it is.',
    '- “because …”, “since …” and “reason: …” give the reason. “called …” gives a name.',
    '- “it”, “the second one”, “next”, “previous” and “again” speak of the last answer in the same conversation, for ten minutes.',
    '- A question, a wish of somebody else or a sentence with “not” in it never leads to a change.',
    '- Decisions are made by their buttons: “approve” shows what waits, and “approve the refund of” a payment shows that card.',
    '- Times are taken as people write them: “tomorrow”, “next monday 9:00”, “every monday at 9”, “this month”.',
    '- German, French and Spanish have a file of words each; answers stay English.',
    '- Nobody is offered what they may not run.',
    '',
    '| command | for example |',
    '|---|---|',
    ...all.flatMap(({ name }) => {
      const { examples = [] } = language.commands[name] ?? {}
      return examples.length === 0
        ? []
        : [`| \`${name}\` | ${examples.map((one) => `“${one}”`).join('<br>')} |`]
    }),
    '',
    'The words for each command, and for each thing that people want, stand beside the commands in `commands/words/`. `npm run say -- "<sentence>"` shows what a sentence is read as.',
    '',
  ].join('\n')
