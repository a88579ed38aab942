import type { webApi } from '@slack/bolt'
import { msBetween, type Tick, type Ticks } from '../../../src/lib/clock.ts'
import { slackErrorCode, toSlackMessengerError } from './errors.ts'

/** Whoever travels is where they are within the hour. */
const freshMs = 3_600_000
const maxKept = 5_000

/** The time zone of an account, as its profile says. */
export type UserZones = (account: string) => Promise<string | undefined>

export const createUserZones = (web: webApi.WebClient, ticks: Ticks): UserZones => {
  const zones = new Map<string, { at: Tick; zone: string | undefined }>()
  return async (account) => {
    const known = zones.get(account)
    if (known !== undefined && msBetween(known.at, ticks()) < freshMs) return known.zone
    try {
      const { user } = await web.users.info({ user: account })
      if (zones.size > maxKept) zones.clear()
      zones.set(account, { at: ticks(), zone: user?.tz })
      return user?.tz
    } catch (error) {
      throw toSlackMessengerError(error)
    }
  }
}

export const isGoneFrom = async (web: webApi.WebClient, account: string): Promise<boolean> => {
  try {
    const { user } = await web.users.info({ user: account })
    return user?.deleted === true
  } catch (error) {
    if (slackErrorCode(error) === 'user_not_found') return true
    throw toSlackMessengerError(error)
  }
}
