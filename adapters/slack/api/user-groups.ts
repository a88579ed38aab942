import type { webApi } from '@slack/bolt'
import { msBetween, type Tick, type Ticks } from '../../../src/lib/clock.ts'
import { defined } from '../../../src/lib/defined.ts'
import type { Log } from '../../../src/lib/log.ts'
import { slackErrorCode, slackErrorFields, toSlackMessengerError } from './errors.ts'

/** The user groups of bellhop.yml that an account is in. */
export type UserGroups = {
  /** As was known within the last minute, or a little longer while Slack is away. */
  of(account: string): Promise<string[]>
  /** Asked now; throws when Slack does not say. */
  now(account: string): Promise<string[]>
}

const freshMs = 60_000
/** What was known may be used for so long while Slack does not answer: an outage does not keep a role forever. */
const staleMs = 10 * 60_000
const maxWaitMs = 1_500

type Members = { at: Tick; users: ReadonlySet<string> }

export const createUserGroups = (
  web: webApi.WebClient,
  ids: readonly string[],
  log: Log,
  { team, ticks }: { team?: string | undefined; ticks: Ticks },
): UserGroups => {
  const members = new Map<string, Members>()
  const asking = new Map<string, Promise<void>>()
  const logged = new Set<string>()
  /** What is asked of many in one turn is one question, which begins after all of them. */
  let turn: Promise<void> | undefined

  const ask = async (id: string): Promise<void> => {
    try {
      const said = await web.usergroups.users.list({ usergroup: id, ...defined({ team_id: team }) })
      members.set(id, { at: ticks(), users: new Set(said.users ?? []) })
    } catch (error) {
      const why = permanentGroupErrors.get(slackErrorCode(error) ?? '')
      if (why === undefined) throw toSlackMessengerError(error)
      members.set(id, { at: ticks(), users: new Set() })
      if (!logged.has(why)) log.error({ ...slackErrorFields(error), group: id }, why)
      logged.add(why)
    }
  }
  const refreshed = async (id: string): Promise<void> => {
    const known = members.get(id)
    if (known !== undefined && msBetween(known.at, ticks()) < freshMs) return
    const running =
      asking.get(id) ??
      ask(id)
        .catch((error: unknown) => {
          log.warn({ ...slackErrorFields(error), group: id }, 'the members of a user group are not known')
        })
        .finally(() => asking.delete(id))
    asking.set(id, running)
    // A click has three seconds for its form; who has waited long enough goes by what is known.
    const enough = new Promise((resolve) => setTimeout(resolve, maxWaitMs).unref())
    await Promise.race([running, enough])
  }
  return {
    now: async (account) => {
      turn ??= new Promise((resolve) => setImmediate(resolve)).then(async () => {
        turn = undefined
        await Promise.all(ids.map(ask))
      })
      await turn
      return ids.filter((id) => members.get(id)?.users.has(account))
    },
    of: async (account) => {
      if (ids.length === 0) return []
      await Promise.all(ids.map(refreshed))
      return ids.filter((id) => {
        const known = members.get(id)
        return known !== undefined && msBetween(known.at, ticks()) < staleMs && known.users.has(account)
      })
    },
  }
}

/** What asking again at once would not change: then nobody is in the group until Slack is asked again. */
const permanentGroupErrors: ReadonlyMap<string, string> = new Map([
  ['missing_scope', 'the app lacks the scope usergroups:read, so user groups give no roles'],
  ['no_such_subteam', 'a user group of bellhop.yml does not exist, so it gives no roles'],
  ['paid_teams_only', 'this workspace has no user groups, so they give no roles'],
  ['plan_upgrade_required', 'this workspace has no user groups, so they give no roles'],
  ['unknown_method', 'this workspace has no user groups, so they give no roles'],
])
