import { isDeepStrictEqual } from 'node:util'
import { isAway } from '../../../lib/sql/database.ts'
import type { Core } from '../../core.ts'
import { toldByFeatures } from '../../feature.ts'
import type { Policy } from '../policy.ts'

/** The version in force with the rights that people have for a while, as the store has them at this moment. */
export const policyNow = async ({
  policy,
  store,
  now,
}: Pick<Core, 'policy' | 'store' | 'now'>): Promise<Policy> => {
  const granted = await toldByFeatures(({ grants }) => grants?.(store, policy, now()))
  return isDeepStrictEqual(granted, policy.granted ?? []) ? policy : { ...policy, granted }
}

/** The bot with the policy as it is now. Without a database nobody has a right but by the file. */
export const coreNow = async (core: Core): Promise<Core> => {
  try {
    return { ...core, policy: await policyNow(core) }
  } catch (error) {
    if (!isAway(error)) throw error
    return { ...core, policy: { ...core.policy, granted: [] } }
  }
}
