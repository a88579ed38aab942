import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { recordsIn } from '../../src/services/read-answer.ts'
import { plural } from '../../src/view/button-labels.ts'
import { list, note } from '../../src/view/view.ts'
import { listTable, toList } from './record.ts'

export const listFind = defineQuery({
  name: 'list find',
  summary: 'Show all subscriber lists with their sizes',
  area: 'email',
  input: z.object({}),
  examples: ['list find'],
  uses: ['email.findLists'],
  async run(_input, context) {
    const lists = recordsIn((await context.email.findLists()).data, 'lists').map(toList)
    return answer({
      title: lists.length === 0 ? 'Lists' : plural(lists.length, 'list'),
      tone: 'plain',
      blocks:
        lists.length === 0
          ? [note('plain', 'There are no lists yet. Make the first one:'), list(['list create Newsletter'])]
          : [listTable(lists, context.now)],
    })
  },
})
