import { z } from 'zod'
import type { ReadContext } from '../../src/command/context.ts'
import { idOrNameOf } from '../../src/command/id.ts'
import { once } from '../../src/command/tags.ts'
import type { OutcomeCheck } from '../../src/model/change.ts'
import { ok, type Result } from '../../src/model/result.ts'
import { names } from '../../src/view/format.ts'
import { personOf, readSubscriber } from '../subscriber/record.ts'
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
      lists.find(({ id }) => id === one) ??
      lists.find(({ name }) => isSameName(name, one)) ?? { id: one, name: '', subscribers: undefined },
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
    message: `The subscriber is in ${lists.length === 0 ? 'no list' : names(lists)} now.`,
  }
}

/** "Newsletter (lst_newsletter)" */
export const listWords = ({ id, name }: Pick<List, 'id' | 'name'>): string => (name ? `${name} (${id})` : id)
