import type { webApi } from '@slack/bolt'
import { toSlackMessengerError } from './errors.ts'

/** Whoever travels is where they are within the hour. */
const freshMs = 3_600_000
const mostKept = 5_000

/** The time zone of an account, as its profile says. */
export type UserZones = (account: string) => Promise<string | undefined>

export const createUserZones = (web: webApi.WebClient, now: () => number = Date.now): UserZones => {
  const zones = new Map<string, { at: number; zone: string | undefined }>()
  return async (account) => {
    const known = zones.get(account)
    if (known !== undefined && now() - known.at < freshMs) return known.zone
    try {
      const { user } = await web.users.info({ user: account })
      if (zones.size > mostKept) zones.clear()
      zones.set(account, { at: now(), zone: user?.tz })
      return user?.tz
    } catch (error) {
      throw toSlackMessengerError(error)
    }
  }
}
