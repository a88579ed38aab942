import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineChange, defineQuery, defineSwitch } from '../../src/kernel/command/define.ts'
import { meantAmong } from '../../src/kernel/model/meant.ts'
import { no, ok } from '../../src/lib/result.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { when } from '../../src/lib/view/format.ts'
import { quoted } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts, note, table, text } from '../../src/lib/view/view.ts'

const input = z.object({
  remove: z
    .string()
    .max(2_000)
    .optional()
    .describe('The key to remove, by its number in the list: your own at once, that of others if approved'),
})

const about = {
  name: 'bellhop passkeys',
  title: 'List passkeys',
  summary: 'List the passkeys that are enrolled, or remove one',
  input,
  examples: ['bellhop passkeys', 'bellhop passkeys --remove Laptop'],
  uses: [],
  personal: true,
} as const

const list = defineQuery({
  ...about,
  area: 'bellhop',
  async run(_, { records }) {
    const keys = await records.passkeys.list()
    return answer({
      kind: 'list',
      title: keys.length === 0 ? 'No passkey is enrolled' : `${plural(keys.length, 'passkey')}`,
      tone: 'plain',
      blocks: [
        keys.length === 0
          ? text('bellhop passkey gives you a link to make one.')
          : table(
              ['Number', 'Person', 'Key', 'Enrolled', 'Approved by'],
              keys.map(({ number, owner, name, enrolledAt, approvedBy }) => [
                number,
                owner,
                name,
                when(enrolledAt) ?? '',
                approvedBy,
              ]),
            ),
      ],
      footer: 'A lost key: remove it with --remove and its number, then make another with bellhop passkey.',
    })
  },
})

const remove = defineChange({
  ...about,
  area: 'bellhop',
  plan: z.object({
    key: z.string(),
    number: z.string(),
    person: z.string(),
    owner: z.string(),
    name: z.string(),
  }),
  // Whoever lost their key stops it at once; nobody takes away somebody else's alone.
  needs: ({ person }, requester) => (person === requester ? 'nothing' : 'approval'),
  urgent: true,
  repeatable: true,
  async prepare({ remove: wanted = '' }, { records }) {
    const found = meantAmong(
      await records.passkeys.list(),
      ({ id }) => id === wanted,
      ({ number }) => number === wanted,
      ({ name }) => name === wanted,
    )
    const [key] = found
    if (key === undefined || found.length > 1) {
      return no(
        refusal(
          'not_found',
          key === undefined
            ? `No passkey has the number ${quoted(wanted.slice(0, 40))}.`
            : 'Several passkeys have this name.',
          { next: 'Give the number that bellhop passkeys shows.', field: 'remove' },
        ),
      )
    }
    const { id, number, person, owner, name } = key
    return ok({ key: id, number, person, owner, name })
  },
  preview: ({ owner, name, number }) => ({
    title: `Remove the passkey ${quoted(name)} of ${owner}`,
    tone: 'warn',
    blocks: [
      facts({ Person: owner, Key: name, Number: number }),
      note('warn', 'What was signed with it and has not run yet no longer counts.'),
    ],
  }),
  async apply({ key, name, owner }, { passkeys }) {
    return {
      message: (await passkeys.remove(key))
        ? `The passkey ${quoted(name)} of ${owner} is removed.`
        : 'Nothing was done: the key was removed before.',
      understood: true,
    }
  },
  lookUps: () => ['bellhop passkeys'],
})

export const bellhopPasskeys = defineSwitch({
  ...about,
  movesMoney: false,
  choose: ({ remove: key }) => ok(key === undefined ? list : remove),
})
