import { z } from 'zod'

/**
 * What somebody was shown of a change: its edition, and 128 bits of its digest. Requesters choose words, and so digests; nobody
 * chooses the number of an edition. Whoever decides carries one, the law compares all of it, and a vote keeps it.
 */
export const shownSchema = z.object({ edition: z.int().min(1), digest: z.string() }).brand<'shown'>()
export type Shown = z.infer<typeof shownSchema>

type Counted = { edition?: number | undefined; round?: number | undefined }
type Edited = Counted & { digest: string }

/** 128 bits in hexadecimal digits. */
const digestLength = 32

/** Changes that were stored before editions were counted are in that of their round. */
export const editionOf = ({ edition, round = 0 }: Counted): number => edition ?? round + 1

/** What a card that is drawn now shows. */
export const shownIn = (change: Edited): Shown =>
  shownSchema.parse({ edition: editionOf(change), digest: change.digest.slice(0, digestLength) })

/** The one comparison of what was shown with what there is. */
export const isAsShown = (change: Edited, { edition, digest }: Shown): boolean => {
  const now = shownIn(change)
  return edition === now.edition && digest === now.digest
}

/** What a button carries: the change, and what its card showed. */
export const buttonIdOf = (change: Edited & { id: string }): string => `${change.id}.${markOf(change)}`

/** The same without the change. */
export const markOf = (change: Edited): string => {
  const { edition, digest } = shownIn(change)
  return `${digest}.${edition}`
}

/**
 * A button, or an id that was typed. `names`: which version is meant is said, as a button does; one from before editions were
 * counted says so little that nothing is known to be shown. `rest` is what follows.
 */
export const readButton = (button: string): { id: string; names: boolean; shown?: Shown; rest?: string } => {
  const [id = '', digest, edition = '', ...more] = button.split('.')
  if (digest === undefined) return { id, names: false }
  const isEdition = /^[1-9]\d{0,8}$/.test(edition)
  const rest = isEdition ? more.join('.') : [edition, ...more].join('.')
  return {
    id,
    names: true,
    ...(isEdition ? { shown: shownSchema.parse({ edition: Number(edition), digest }) } : {}),
    ...(rest === '' ? {} : { rest }),
  }
}
