import type { Party } from '../model/change.ts'
import { groupsOn } from '../policy/people.ts'
import type { Core } from './core.ts'

/** The groups that somebody is in; undefined where their messenger could not be asked. */
export type GroupsNow = (party: Party) => readonly string[] | undefined

/** A vote is an answer that somebody waits for. */
const longestMs = 2_500

/** Asks the messengers which groups these people are in now, where groups give roles at all. */
export const askGroups = async (
  { policy, messengers, log }: Pick<Core, 'policy' | 'messengers' | 'log'>,
  parties: readonly Party[],
): Promise<GroupsNow> => {
  const answers = new Map<string, readonly string[] | undefined>()
  const ask = async ({ platform, account }: Party): Promise<readonly string[] | undefined> => {
    try {
      const enough = new Promise<undefined>((resolve) =>
        setTimeout(() => resolve(undefined), longestMs).unref(),
      )
      return await Promise.race([messengers.get(platform)?.membership?.(account), enough])
    } catch (error) {
      log.warn({ err: error, platform }, 'a messenger could not say who is in its groups')
      return undefined
    }
  }
  const isGrouped = ({ platform, workspace }: Party) =>
    workspace === undefined && Object.keys(groupsOn(policy, platform)).length > 0
  const byAccount = new Map(parties.filter(isGrouped).map((party) => [keyOf(party), party]))
  await Promise.all([...byAccount].map(async ([key, party]) => answers.set(key, await ask(party))))
  return (party) => (isGrouped(party) ? answers.get(keyOf(party)) : [])
}

const keyOf = ({ platform, account }: Party): string => `${platform}:${account}`
