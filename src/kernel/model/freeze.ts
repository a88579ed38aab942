import { z } from 'zod'
import { when } from '../../lib/view/format.ts'
import { theirs } from '../../lib/view/outside.ts'
import { type Action, type Block, note } from '../../lib/view/view.ts'
import { sentence, type Words } from '../../lib/view/words.ts'
import { lossHolder } from './store-loss.ts'

/** `area` is a service, `all` of them, or what `agents` ask; `by` and `name` are the person who froze it. */
export const freezeSchema = z.object({
  area: z.string(),
  by: z.string(),
  name: z.string(),
  reason: z.string(),
  at: z.number(),
})
export type Freeze = z.infer<typeof freezeSchema>

/** The freeze that stops changes of this area by this requester. The bot's own commands always work, or nobody could unfreeze. */
export const freezeOn = <F extends Pick<Freeze, 'area'>>(
  freezes: readonly F[],
  area: string,
  { agent }: { agent?: string | undefined },
): F | undefined =>
  freezes.find((freeze) =>
    freeze.area === 'agents'
      ? agent !== undefined
      : area !== 'bellhop' && (freeze.area === 'all' || freeze.area === area),
  )

/** "The billing changes are" */
export const frozenWords = (area: string): string =>
  area === 'agents' ? 'Agents are' : `${area === 'all' ? 'All' : `The ${area}`} changes are`

/** What is frozen, by whom, since when and why. */
export const freezeWords = ({ area, by, name, reason, at }: Freeze): Words => {
  const why = reason === '' ? '' : `: ${by === lossHolder ? reason : theirs(reason, 500)}`
  return sentence`${frozenWords(area)} frozen by ${name} since ${when(at)}${why}.`
}

/** What ends it; with several freezes in one place the button says which. */
export const unfreezeAction = ({ area }: Pick<Freeze, 'area'>, isOneOfSeveral = false): Action => ({
  verb: 'unfreeze',
  id: area,
  ...(isOneOfSeveral ? { label: `Unfreeze ${area}` } : {}),
})

/** The same for a page that lists all of them. */
export const freezeNotes = (freezes: readonly Freeze[]): Block[] =>
  freezes.map((freeze) => note('warn', freezeWords(freeze)))
export const unfreezeActions = (freezes: readonly Freeze[]): Action[] =>
  freezes.map((freeze) => unfreezeAction(freeze, freezes.length > 1))
