import { longAgo, msBetween, type Ticks, ticksAsleep } from '../../lib/clock.ts'
import type { Fence } from '../../lib/services/client/fence.ts'
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

type FencedClaim = {
  /** Asks the store to keep the claim for so long. */
  renew(giveUpMs: number): Promise<boolean>
  /** Writes down outside the store that it is about to be sent: whatever the store forgets, this is known. */
  keep(): Promise<void>
}

/** The fence of one claim: nothing passes it before the claim is remembered outside the store too. */
export const createFence = (
  { timings, ticks }: Pick<Core, 'timings' | 'ticks'>,
  claim: FencedClaim,
  asleep: Ticks = ticksAsleep,
): Fence => {
  const { useMs, giveUpMs } = claimTimes(timings)
  const clocks = [ticks, asleep]
  let began = clocks.map(() => longAgo)
  let kept: Promise<void> | undefined
  return {
    renew: async () => {
      const asked = clocks.map((clock) => clock())
      kept ??= claim.keep().catch((error: unknown) => {
        kept = undefined
        throw error
      })
      const [isOurs] = await Promise.all([claim.renew(giveUpMs), kept])
      if (isOurs) began = asked
      return isOurs
    },
    // While a machine is suspended one of them may stand still. Wall time has no say: a step of it is no time that passed.
    isFresh: () => clocks.every((clock, at) => msBetween(began[at] ?? longAgo, clock()) < useMs),
  }
}
