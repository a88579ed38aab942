import { orAfter } from '../../lib/retry.ts'
import { isZone, ownZone } from '../../lib/view/zones.ts'
import type { Actor } from '../command/context.ts'
import type { Core } from '../core.ts'

/** Somebody waits for an answer. */
const longestMs = 1_500

/** Where somebody is: as their messenger says, or bellhop.yml. In the terminal that is where the bot runs; elsewhere that is a guess. */
export const zoneOf = async (
  { policy, messengers, log }: Pick<Core, 'policy' | 'messengers' | 'log'>,
  { platform, account, person, workspace }: Pick<Actor, 'platform' | 'account' | 'person' | 'workspace'>,
): Promise<{ zone: string; isGuess: boolean }> => {
  const ask = async (): Promise<string | undefined> => {
    try {
      return workspace === undefined
        ? await orAfter(longestMs, undefined, messengers.get(platform)?.zone?.(account))
        : undefined
    } catch (error) {
      log.warn({ err: error, platform }, 'a messenger could not say where somebody is')
      return undefined
    }
  }
  const said = await ask()
  const known =
    said !== undefined && isZone(said) ? said : policy.people.find(({ id }) => id === person)?.zone
  return { zone: known ?? ownZone(), isGuess: known === undefined && messengers.has(platform) }
}
