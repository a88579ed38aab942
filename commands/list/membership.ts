import { z } from 'zod'
import { personOf, readSubscriber } from '../../packs/email/subscriber.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { idOrNameOf } from '../../src/kernel/command/id.ts'
import { once } from '../../src/kernel/command/tags.ts'
import type { OutcomeCheck } from '../../src/kernel/model/change.ts'
import { meantAmong } from '../../src/kernel/model/meant.ts'
import { ok, type Result } from '../../src/lib/result.ts'
import { names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { isSameName, type List, readLists } from './record.ts'

export const listIdsParam = z
  .array(idOrNameOf('a list id'))
  .overwrite(once)
  .min(1, 'at least one list id is needed')
  .describe('Ids or names of the lists, as list find shows them')
  .meta({ kind: 'list' })

/** The service writes list names where it reads list ids; people may type either. An unknown one keeps its id and has no name. */
export const listsNamed = async (
  given: readonly string[],
  context: Pick<ReadContext, 'email'>,
): Promise<Pick<List, 'id' | 'name' | 'subscribers'>[]> => {
  const lists = await readLists(context)
  const wanted = given.map(
    (one) =>
      meantAmong(
        lists,
        ({ id }) => id === one,
        ({ name }) => isSameName(name, one),
      )[0] ?? { id: one, name: '', subscribers: undefined },
  )
  return [...new Map(wanted.map((one) => [one.id, one])).values()]
}

/** A subscriber and the lists that were named; `before` is undefined where the record does not say its lists. */
export const readMembership = async (
  who: string,
  given: readonly string[],
  context: Pick<ReadContext, 'email'>,
): Promise<
  Result<{ person: string; before: string[] | undefined; lists: List['name'][]; ids: string[] }>
> => {
  const found = await readSubscriber(who, context)
  if (!found.ok) return found
  const wanted = await listsNamed(given, context)
  return ok({
    person: personOf(found.value, who),
    before: found.value.lists ?? undefined,
    lists: wanted.map(({ id, name }) => name || id),
    ids: wanted.map(({ id }) => id),
  })
}

/** Whether somebody is by now on the lists to join and off the lists to leave, as their record says. */
export const checkMembership = async (
  who: string,
  { join = [], leave = [] }: { join?: readonly string[]; leave?: readonly string[] },
  context: Pick<ReadContext, 'email'>,
): Promise<OutcomeCheck> => {
  const found = await readSubscriber(who, context)
  const lists = found.ok ? found.value.lists : undefined
  if (lists == null || join.length + leave.length === 0) {
    return { happened: null, message: 'The record of the subscriber does not tell.' }
  }
  const isIn = (name: string) => lists.some((own) => isSameName(own, name))
  return {
    happened: join.every(isIn) && !leave.some(isIn),
    message: `The subscriber is in ${lists.length === 0 ? 'no list' : names(lists.map((one) => theirs(one)))} now.`,
  }
}

/** "Newsletter (lst_newsletter)" */
export const listWords = ({ id, name }: Pick<List, 'id' | 'name'>): string =>
  name ? `${theirs(name)} (${theirs(id)})` : theirs(id)
