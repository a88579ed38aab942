import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { fieldLabelOf } from '../../src/lib/view/record-facts.ts'
import { note, text } from '../../src/lib/view/view.ts'
import { groupsIn, listTable } from './record.ts'

export const listSegments = defineQuery({
  name: 'list segments',
  summary: 'List the subscriber lists and segments that can be used as filters',
  area: 'email',
  input: z.object({}),
  examples: ['list segments'],
  uses: ['email.listsAndSegments'],
  async run(_input, context) {
    const groups = groupsIn((await context.email.listsAndSegments()).data)
    const isEmpty = groups.every(({ members }) => members.length === 0)
    return answer({
      title: 'Lists and segments',
      tone: 'plain',
      blocks: isEmpty
        ? [note('plain', 'There are no lists and no segments. Create a list with list create.')]
        : groups.flatMap(({ label, members }) => [
            text(fieldLabelOf(label)),
            members.length === 0
              ? note('plain', 'none')
              : listTable(members, /list/i.test(label) && !/segment/i.test(label) ? 'list' : undefined),
          ]),
      footer: 'Filter by them: subscriber find --lists a,b --segments c',
    })
  },
})
