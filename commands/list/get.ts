import { z } from 'zod'
import { answerThing } from '../../src/kernel/command/answer.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { idOrNameOf } from '../../src/kernel/command/id.ts'
import { meantAmong } from '../../src/kernel/model/meant.ts'
import { no } from '../../src/lib/result.ts'
import {
  ifReadable,
  isRecord,
  type OpenRecord,
  recordIn,
  recordsIn,
} from '../../src/lib/services/read-answer.ts'
import { when } from '../../src/lib/view/format.ts'
import { theirs, theirTitle } from '../../src/lib/view/outside.ts'
import { openFacts } from '../../src/lib/view/record-facts.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { facts } from '../../src/lib/view/view.ts'
import { isSameName, shown, toList } from './record.ts'

const read = ['id', '_id', 'name', 'listName', 'count', 'createdAt', 'updatedAt']

export const listGet = defineQuery({
  name: 'list get',
  summary: 'Show one subscriber list, by its id or its name',
  area: 'email',
  input: z.object({
    id: idOrNameOf('the id of a list')
      .describe('Id or name of the list, as list find shows it')
      .meta({ kind: 'list' }),
  }),
  positional: ['id'],
  examples: ['list get lst_newsletter', 'list get Newsletter'],
  uses: ['email.getList', 'email.findListByName', 'email.subscriberStats'],
  async run({ id }, context) {
    const record = await readList(id, context)
    if (record === undefined) {
      return no(
        refusal('not_found', `There is no list ${theirs(id)}.`, { next: 'list find shows every id.' }),
      )
    }
    const one = toList(record)
    return answerThing({
      title: theirTitle(one.name || id),
      tone: 'plain',
      blocks: [
        facts({
          Subscribers: shown(one.subscribers),
          Unsubscribed: shown(one.unsubscribed),
          Engaged: shown(one.engaged),
          ...openFacts(record, read),
          Created: when(one.createdAt),
          Updated: when(one.updatedAt),
          Id: thing('list', one.id || id, { name: one.name }),
        }),
      ],
    })
  },
})

/** By its id, by its name, or from the statistics, the only read of lists whose answer is documented. */
const readList = async (
  given: string,
  { email }: Pick<ReadContext, 'email'>,
): Promise<OpenRecord | undefined> => {
  const meant = (records: readonly OpenRecord[] | null | undefined) =>
    meantAmong(
      records ?? [],
      (one) => toList(one).id === given,
      (one) => isSameName(toList(one).name, given),
    )[0]
  const byId = recordIn((await ifReadable(email.getList({ params: { id: given } })))?.data, 'list')
  if (byId !== undefined) return byId
  const named = await ifReadable(email.findListByName({ query: { name: given } }))
  const byName = recordsIn(
    isRecord(named?.data) && isRecord(named.data.list) ? [named.data.list] : named?.data,
    'lists',
  )
  return meant(byName) ?? meant((await ifReadable(email.subscriberStats()))?.data?.listWiseCounts)
}
