import type { Asker } from '../command/context.ts'
import { isZone, ownZone } from '../view/zones.ts'
import type { Core } from './core.ts'

/** Somebody waits for an answer. */
const longestMs = 1_500

/** Where somebody is: as their messenger says, or bellhop.yml, or else where the bot runs. */
export const zoneOf = async (
  { policy, messengers, log }: Pick<Core, 'policy' | 'messengers' | 'log'>,
  { platform, account, person, workspace }: Pick<Asker, 'platform' | 'account' | 'person' | 'workspace'>,
): Promise<string> => {
  const ask = async (): Promise<string | undefined> => {
    const enough = new Promise<undefined>((resolve) =>
      setTimeout(() => resolve(undefined), longestMs).unref(),
    )
    try {
      return workspace === undefined
        ? await Promise.race([messengers.get(platform)?.zone?.(account), enough])
        : undefined
    } catch (error) {
      log.warn({ err: error, platform }, 'a messenger could not say where somebody is')
      return undefined
    }
  }
  const said = await ask()
  if (said !== undefined && isZone(said)) return said
  return policy.people.find(({ id }) => id === person)?.zone ?? ownZone()
}
