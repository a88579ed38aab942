import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { no } from '../../src/model/result.ts'
import { ifKnown, recordIn } from '../../src/services/read-answer.ts'
import { when } from '../../src/view/format.ts'
import { openFacts } from '../../src/view/record-facts.ts'
import { refusal } from '../../src/view/refusals.ts'
import { facts } from '../../src/view/view.ts'
import { shown, toList } from './record.ts'

const read = ['id', '_id', 'name', 'listName', 'count', 'createdAt', 'updatedAt']

export const listGet = defineQuery({
  name: 'list get',
  summary: 'Show one subscriber list',
  area: 'email',
  input: z.object({
    id: z
      .string()
      .trim()
      .min(1, 'the id of a list is needed')
      .describe('List id, as list find shows it')
      .meta({ suggest: 'lists' }),
  }),
  positional: ['id'],
  examples: ['list get lst_newsletter'],
  uses: ['email.getList'],
  async run({ id }, context) {
    const record = recordIn((await ifKnown(context.email.getList({ params: { id } })))?.data, 'list')
    if (record === undefined) {
      return no(refusal('not_found', `There is no list ${id}.`, { next: 'list find shows every id.' }))
    }
    const one = toList(record)
    return answer({
      title: one.name || id,
      tone: 'plain',
      blocks: [
        facts({
          Subscribers: shown(one.subscribers),
          Unsubscribed: shown(one.unsubscribed),
          Engaged: shown(one.engaged),
          ...openFacts(record, read),
          Created: when(one.createdAt, context.now),
          Updated: when(one.updatedAt, context.now),
          Id: one.id || id,
        }),
      ],
      ...(one.name && { footer: `Its members: subscriber find --lists ${JSON.stringify(one.name)}` }),
    })
  },
})
