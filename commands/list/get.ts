import { z } from 'zod'
import { answerThing } from '../../src/command/answer.ts'
import type { ReadContext } from '../../src/command/context.ts'
import { defineQuery } from '../../src/command/define.ts'
import { idOrNameOf } from '../../src/command/id.ts'
import { no } from '../../src/model/result.ts'
import { ifReadable, isRecord, type OpenRecord, recordIn, recordsIn } from '../../src/services/read-answer.ts'
import { when } from '../../src/view/format.ts'
import { openFacts } from '../../src/view/record-facts.ts'
import { refusal } from '../../src/view/refusals.ts'
import { thing } from '../../src/view/thing.ts'
import { facts } from '../../src/view/view.ts'
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
      return no(refusal('not_found', `There is no list ${id}.`, { next: 'list find shows every id.' }))
    }
    const one = toList(record)
    return answerThing({
      title: one.name || id,
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
  const isMeant = (record: OpenRecord) => {
    const { id, name } = toList(record)
    return id === given || isSameName(name, given)
  }
  const byId = recordIn((await ifReadable(email.getList({ params: { id: given } })))?.data, 'list')
  if (byId !== undefined) return byId
  const named = await ifReadable(email.findListByName({ query: { name: given } }))
  const byName = recordsIn(
    isRecord(named?.data) && isRecord(named.data.list) ? [named.data.list] : named?.data,
    'lists',
  )
  return (
    byName.find(isMeant) ??
    (await ifReadable(email.subscriberStats()))?.data?.listWiseCounts?.find((one) => isMeant(one))
  )
}
