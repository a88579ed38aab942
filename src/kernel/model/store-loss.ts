/** Under this name, in the place of a person, everything is frozen when the store has lost something. */
export const lossHolder = 'store lost'

/** A card that was pressed: of which request, in which edition, and when the platform says that it was posted. */
export type SeenCard = { id: string; edition?: number | undefined; at: number }

type Held = { by: string; reason: string; at: number }

/** The hold after a loss of the store, while there is one: the reason says since when something is lost. */
export const lossIn = <F extends Held>(freezes: readonly F[]): F | undefined =>
  freezes.find(({ by }) => by === lossHolder)
