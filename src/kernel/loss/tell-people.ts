import { when } from '../../lib/view/format.ts'
import { list, note, type View } from '../../lib/view/view.ts'
import { sentence } from '../../lib/view/words.ts'
import type { Core } from '../core.ts'
import type { Change } from '../model/change.ts'
import type { StoredStep } from '../model/stored-step.ts'
import type { Loss } from './hold.ts'

type Deed = NonNullable<StoredStep['deed']> & Pick<StoredStep, 'at'>

const maxNamed = 10

/** Whoever was answered that it is done reads that it is not: it is in no log, and of what was sent again it is put back. */
export const tellPeople = async (
  { store, now }: Pick<Core, 'store' | 'now'>,
  loss: Loss,
  steps: readonly StoredStep[],
  back: readonly Change[],
): Promise<void> => {
  const known = new Set(back.map(({ id }) => id))
  const deeds = steps.flatMap(({ id, at, deed }) =>
    deed === undefined || known.has(deed.change) ? [] : [{ id, at, ...deed }],
  )
  const byPerson = Map.groupBy(deeds, ({ person }) => person)
  for (const [person, [first, ...others]] of byPerson) {
    if (first === undefined) continue
    const { id, platform, account } = first
    const key = `store lost:${id}:${person}`
    const doc = { person, platform, account, view: lostView(loss, [first, ...others]) }
    await store.deliveries.take(key, { kind: 'lost_deeds', key, doc, dueAt: now() })
  }
}

const lostView = ({ words }: Loss, deeds: readonly Deed[]): View => ({
  title: 'What you did does not count: the database lost it',
  tone: 'bad',
  blocks: [
    note('bad', `${words}. Of what you did, this is lost with it:`),
    list(deeds.slice(0, maxNamed).map(({ at, what, title }) => sentence`${when(at)}: ${what}, ${title}`)),
    ...(deeds.length > maxNamed ? [note('plain', `${deeds.length - maxNamed} more are lost.`)] : []),
    note(
      'plain',
      'A vote is asked for again, on the card. What you had asked for, ask for again when people have looked; see in the service first whether it was done meanwhile.',
    ),
  ],
})
