/**
 * Deliveries that are stored before they are acknowledged, so that what was acknowledged is answered whatever becomes
 * of this process: the next one is given the payload again.
 */
export type Intake = {
  /** True for the first copy. It is on the disk when this resolves, and throws when it cannot be stored. */
  take(platform: string, delivery: string, what: { account: string; payload: unknown }): Promise<boolean>
  /** It was answered. */
  done(platform: string, delivery: string): Promise<void>
}
