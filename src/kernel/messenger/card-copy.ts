import type { View } from '../../lib/view/view.ts'

/** Whether an answer is the card of a change that somebody may still decide about: a copy, which must not grow old. */
export const isCardCopy = ({ kind, change }: Pick<View, 'kind' | 'change'>): boolean =>
  change !== undefined && (kind === 'request' || kind === 'unknown')
