import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { names, when, yesNo } from '../../src/lib/view/format.ts'
import { note, table } from '../../src/lib/view/view.ts'

export const contactLists = defineQuery({
  name: 'contact lists',
  summary: 'Show the lists that messaging contacts can be in',
  area: 'chat',
  input: z.object({}),
  examples: ['contact lists'],
  uses: ['chat.contactLists'],
  async run(_input, context) {
    const { data } = await context.chat.contactLists()
    const lists = data?.lists ?? []
    const total = Math.max(data?.total ?? 0, lists.length)
    return answer({
      title: total === 0 ? 'Contact lists' : plural(total, 'contact list'),
      tone: 'plain',
      blocks:
        lists.length === 0
          ? [note('plain', 'There are no contact lists. contact find shows all contacts.')]
          : [
              table(
                ['Name', 'Opted in', 'Incoming blocked+', 'Tags', 'Created', 'Id+'],
                lists.map((one) => [
                  one.name ?? '',
                  yesNo(one.optin) ?? '',
                  yesNo(one.incomingBlocked) ?? '',
                  names(one.tags, ''),
                  when(one.createdAt) ?? '',
                  one._id ?? '',
                ]),
              ),
            ],
      ...(lists.length > 0 && lists.length < total && { footer: `Showing ${lists.length} of ${total}` }),
    })
  },
})
