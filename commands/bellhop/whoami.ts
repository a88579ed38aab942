import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { isGrantRole } from '../../src/kernel/policy/people.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { due, names } from '../../src/lib/view/format.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'

export const bellhopWhoami = defineQuery({
  name: 'bellhop whoami',
  summary: 'Show who you are to the bot, and what you may do',
  area: 'bellhop',
  input: z.object({}),
  examples: ['bellhop whoami'],
  uses: [],
  async run(_, { actor, records }) {
    const allowed = records.commands.all.filter((command) => records.mayRun(command.name))
    return answer({
      title: actor.name,
      tone: 'plain',
      blocks: [
        facts({
          Person: actor.known ? actor.person : 'not linked to anybody in bellhop.yml',
          Account: `${actor.platform} ${actor.account}`,
          Roles: names(actor.roles.filter((role) => !isGrantRole(role))),
          ...Object.fromEntries(
            records
              .granted()
              .filter(({ run }) => run.length > 0)
              .map(({ run, endsAt }) => [`For a while: ${run.join(', ')}`, sentence`until ${due(endsAt)}`]),
          ),
          'May run': plural(allowed.length, 'command'),
        }),
        ...(actor.known
          ? []
          : [note('plain', `An administrator can add ${entryOf(actor)} to the people in bellhop.yml.`)]),
      ],
    })
  },
})

/** What to add to bellhop.yml for this person. The terminal and the console identify people by their id. */
const entryOf = ({ platform, account }: { platform: string; account: string }): string =>
  platform === 'slack' || platform === 'discord'
    ? `${platform}: "${account}"`
    : `somebody with the id ${account}`
