import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { no } from '../../src/model/result.ts'
import { plural } from '../../src/view/button-labels.ts'
import { due, when } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'
import { note, table, text } from '../../src/view/view.ts'

export const bellhopSessions = defineQuery({
  name: 'bellhop sessions',
  summary: 'List your sessions in the web console, or end them',
  area: 'bellhop',
  input: z.object({
    end: z.string().max(40).optional().describe('The id of a session to end, or all'),
  }),
  examples: ['bellhop sessions', 'bellhop sessions --end all'],
  uses: [],
  personal: true,
  async run({ end }, { records }) {
    const ended = end === undefined ? 0 : await records.sessions.end(end)
    if (end !== undefined && end !== 'all' && ended === 0) {
      return no(refusal('not_found', `You have no session "${end}".`, { next: 'Look at bellhop sessions.' }))
    }
    const sessions = await records.sessions.list()
    return answer({
      title:
        sessions.length === 0 ? 'You have no session in the console' : plural(sessions.length, 'session'),
      tone: 'plain',
      blocks: [
        ...(end === undefined ? [] : [note('good', end === 'all' ? 'All were ended.' : `${end} was ended.`)]),
        sessions.length === 0
          ? text('bellhop console gives you a link to sign in with.')
          : table(
              ['Id', 'Signed in', 'Link from', 'Ends'],
              sessions.map(({ id, at, via, endsAt }) => [id, when(at) ?? '', via, due(endsAt) ?? '']),
            ),
      ],
    })
  },
})
