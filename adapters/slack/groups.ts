import type { webApi } from '@slack/bolt'
import type { Log } from '../../src/pipeline/world.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { codeOf, faultOf } from './errors.ts'

/** The user groups of bellhop.yml that an account is in. */
export type Groups = { of(account: string): Promise<string[]> }

const freshMs = 60_000
/** What was known may be used for so long while Slack does not answer: a role is not kept for ever by an outage. */
const staleMs = 10 * 60_000
const patienceMs = 1_500

type Members = { at: number; users: ReadonlySet<string> }

export const createGroups = (
  web: webApi.WebClient,
  { groups }: Pick<Policy, 'groups'>,
  log: Log,
  now: () => number = Date.now,
): Groups => {
  const ids = Object.keys(groups.slack)
  const members = new Map<string, Members>()
  const asking = new Map<string, Promise<void>>()
  let isScopeMissed = false

  const ask = async (id: string): Promise<void> => {
    try {
      const said = await web.usergroups.users.list({ usergroup: id })
      members.set(id, { at: now(), users: new Set(said.users ?? []) })
    } catch (error) {
      if (codeOf(error) === 'missing_scope') {
        members.set(id, { at: now(), users: new Set() })
        if (!isScopeMissed)
          log.error({}, 'the app lacks the scope usergroups:read, so user groups give no roles')
        isScopeMissed = true
      } else log.warn({ ...faultOf(error), group: id }, 'the members of a user group are not known')
    }
  }
  const refreshed = async (id: string): Promise<void> => {
    const known = members.get(id)
    if (known !== undefined && now() - known.at < freshMs) return
    const running = asking.get(id) ?? ask(id).finally(() => asking.delete(id))
    asking.set(id, running)
    // A click has three seconds for its form; who has waited long enough goes by what is known.
    const enough = new Promise((resolve) => setTimeout(resolve, patienceMs).unref())
    await Promise.race([running, enough])
  }
  return {
    of: async (account) => {
      if (ids.length === 0) return []
      await Promise.all(ids.map(refreshed))
      return ids.filter((id) => {
        const known = members.get(id)
        return known !== undefined && now() - known.at < staleMs && known.users.has(account)
      })
    },
  }
}
