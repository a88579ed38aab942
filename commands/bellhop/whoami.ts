import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { plural } from '../../src/view/button-labels.ts'
import { names } from '../../src/view/format.ts'
import { facts, note } from '../../src/view/view.ts'

export const bellhopWhoami = defineQuery({
  name: 'bellhop whoami',
  summary: 'Show who you are to the bot, and what you may do',
  area: 'bellhop',
  input: z.object({}),
  examples: ['bellhop whoami'],
  uses: [],
  async run(_, { asker, records }) {
    const allowed = records.commands.all.filter((command) => records.mayRun(command.name))
    return answer({
      title: asker.name,
      tone: 'plain',
      blocks: [
        facts({
          Person: asker.known ? asker.person : 'not linked to anybody in bellhop.yml',
          Account: `${asker.platform} ${asker.account}`,
          Roles: names(asker.roles),
          'May run': plural(allowed.length, 'command'),
        }),
        ...(asker.known
          ? []
          : [note('plain', `An administrator can add ${entryOf(asker)} to the people in bellhop.yml.`)]),
      ],
    })
  },
})

/** What to add to bellhop.yml for this person. The terminal and the console identify people by their id. */
const entryOf = ({ platform, account }: { platform: string; account: string }): string =>
  platform === 'slack' || platform === 'discord'
    ? `${platform}: "${account}"`
    : `somebody with the id ${account}`
