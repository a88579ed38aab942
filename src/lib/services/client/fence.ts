/**
 * The right to send a change. It is asked for again when nothing else is left to wait for, and looked at once more in
 * the moment of writing; whoever has lost it sends nothing.
 */
export type Fence = {
  /** Whether the claim is still ours, by the store, which keeps it for us a while longer. */
  renew(): Promise<boolean>
  /** Whether the last renewal still holds, by the clocks of this process. */
  isFresh(): boolean
}

/** Nothing was sent: the right to do so was lost, or could not be made sure of. */
export class FenceError extends Error {
  override readonly name = 'FenceError'
  constructor(cause?: unknown) {
    super('the right to send was lost before anything left', { cause })
  }
}

/** Throws unless the claim is still ours. A store that cannot tell counts as a no. */
export const passFence = async (fence: Fence): Promise<void> => {
  const isOurs = await fence.renew().catch((cause: unknown) => {
    throw new FenceError(cause)
  })
  if (!isOurs || !fence.isFresh()) throw new FenceError()
}
