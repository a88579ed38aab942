import { orAfter } from '../../lib/retry.ts'
import type { Core } from '../core.ts'
import type { Party } from '../model/change.ts'
import { accountsInGroups, groupOf } from '../policy/people.ts'

/** The groups that somebody is in; undefined where their messenger could not be asked. */
export type GroupsNow = (party: Member) => readonly string[] | undefined

type Member = Pick<Party, 'platform' | 'account' | 'workspace'>

/** A vote is an answer that somebody waits for. */
const longestMs = 2_500

/** Asks the messengers which groups these people are in now, where groups give roles at all. */
export const askGroups = async (
  { policy, messengers, log }: Pick<Core, 'policy' | 'messengers' | 'log'>,
  parties: readonly Member[],
): Promise<GroupsNow> => {
  const ask = async ({ platform, account }: Member): Promise<readonly string[] | undefined> => {
    try {
      return await orAfter(longestMs, undefined, messengers.get(platform)?.membership?.(account))
    } catch (error) {
      log.warn({ err: error, platform }, 'a messenger could not say who is in its groups')
      return undefined
    }
  }
  /** Under the name of its messenger, where that is not the one that they speak through. */
  const groupsOf = async (party: Member): Promise<readonly string[] | undefined> => {
    const asked = await Promise.all(
      accountsInGroups(policy, party).map(async (one) => {
        const groups = await ask(one)
        return one.platform === party.platform ? groups : groups?.map((group) => groupOf(one.platform, group))
      }),
    )
    return asked.includes(undefined) ? undefined : asked.flatMap((groups) => groups ?? [])
  }
  const byAccount = new Map(parties.map((party) => [keyOf(party), party]))
  const answers = new Map(
    await Promise.all([...byAccount].map(async ([key, party]) => [key, await groupsOf(party)] as const)),
  )
  return (party) => answers.get(keyOf(party))
}

const keyOf = ({ platform, account, workspace }: Member): string =>
  JSON.stringify([platform, account, workspace])
