import type { Fence } from '../../services/client/fence.ts'
import type { Core } from '../core.ts'
import type { Timings } from '../timings.ts'

/**
 * The right to act on a claim is a lease. The holder counts from before it asked the store, and may let bytes leave for
 * half of the lease's life; the others give the claim up when the whole of it has passed in the store. The other half
 * is the margin: by so much the clocks of two replicas may differ, and so long may bytes take from the last look at the
 * clock to the network.
 */
export const claimTimes = ({ lifeMs }: Pick<Timings, 'lifeMs'>) => ({
  useMs: lifeMs / 2,
  marginMs: lifeMs / 2,
  giveUpMs: lifeMs,
})

export const claimLeaseOf = (changeId: string): string => `claim:${changeId}`

type FenceCore = Pick<Core, 'timings' | 'now'>

/** The fence of one claim; `renew` asks the store to keep the claim for `giveUpMs` more. */
export const createFence = (
  { timings, now }: FenceCore,
  renew: (giveUpMs: number) => Promise<boolean>,
): Fence => {
  const { useMs, giveUpMs } = claimTimes(timings)
  let began = { steady: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY }
  return {
    renew: async () => {
      const asked = { steady: performance.now(), wall: now() }
      const isOurs = await renew(giveUpMs)
      if (isOurs) began = asked
      return isOurs
    },
    // A machine that was suspended may have a steady clock that stood still with it, so both clocks are asked.
    isFresh: () => performance.now() - began.steady < useMs && now() - began.wall < useMs,
  }
}
