import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { no } from '../../src/lib/result.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { due, when } from '../../src/lib/view/format.ts'
import { asTyped, theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { note, table, text } from '../../src/lib/view/view.ts'

export const bellhopSessions = defineQuery({
  name: 'bellhop sessions',
  title: 'List sessions',
  summary: 'List your sessions in the web console, or end them',
  area: 'bellhop',
  input: z.object({
    end: z.string().max(40).optional().describe('The id of a session to end, or all'),
    of: z
      .string()
      .max(100)
      .optional()
      .describe('Whose, for administrators: a person of bellhop.yml')
      .meta({ kind: 'colleague' }),
  }),
  examples: ['bellhop sessions', 'bellhop sessions --end all', 'bellhop sessions --end all --of p-support'],
  uses: [],
  personal: true,
  async run({ end, of }, { records, actor }) {
    const found = records.sessions(of)
    if (!found.ok) return found
    const { person, ...own } = found.value
    const isOwn = person === actor.person
    const who = isOwn ? 'You have' : `${theirs(person)} has`
    const ended = end === undefined ? 0 : await own.end(end)
    if (end !== undefined && end !== 'all' && ended === 0) {
      return no(
        refusal('not_found', `${who} no session ${asTyped(end)}.`, { next: 'Look at bellhop sessions.' }),
      )
    }
    const sessions = await own.list()
    return answer({
      title:
        sessions.length === 0
          ? `${who} no session in the console`
          : `${plural(sessions.length, 'session')}${isOwn ? '' : ` of ${theirs(person)}`}`,
      tone: 'plain',
      blocks: [
        ...(end === undefined
          ? []
          : [note('good', end === 'all' ? 'All were ended.' : `${asTyped(end)} was ended.`)]),
        sessions.length === 0
          ? text(
              isOwn
                ? 'bellhop console gives you a link to sign in with.'
                : 'A link that they have not used yet is ended with --end all.',
            )
          : table(
              ['Id', 'Signed in', 'Link from', 'Ends'],
              sessions.map(({ id, at, via, endsAt }) => [id, when(at) ?? '', via, due(endsAt) ?? '']),
            ),
      ],
    })
  },
})
