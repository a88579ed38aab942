import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { list, note } from '../../src/lib/view/view.ts'
import { listTable, readLists } from './record.ts'

export const listFind = defineQuery({
  name: 'list find',
  summary: 'Show all subscriber lists with their sizes',
  area: 'email',
  input: z.object({}),
  examples: ['list find'],
  uses: ['email.findLists', 'email.subscriberStats'],
  async run(_input, context) {
    const lists = await readLists(context)
    return answer({
      title: lists.length === 0 ? 'Lists' : plural(lists.length, 'list'),
      tone: 'plain',
      blocks:
        lists.length === 0
          ? [note('plain', 'There are no lists yet. Create the first one:'), list(['list create Newsletter'])]
          : [listTable(lists, 'list')],
    })
  },
})
