import { type Messenger, MessengerError, type Place } from '../../src/kernel/messenger/messenger.ts'
import type { Platform } from '../../src/kernel/model/change.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { View } from '../../src/lib/view/view.ts'

type Kept = { where: 'post' | 'direct'; place: Place | null; account: string | null; versions: View[] }
type Fault = { call: 'post' | 'edit' | 'direct'; error: MessengerError; times: number; at?: string }

/** A chat platform in memory: messages by address, and faults by call. */
export type FakeMessenger = Messenger & {
  messages: Map<string, Kept>
  fail(fault: Omit<Fault, 'times'> & { times?: number }): void
  /** The last text of every message in a channel, or of those sent to an account. */
  shown(where: string): string[]
}

export const createFakeMessenger = (platform: Platform): FakeMessenger => {
  const messages = new Map<string, Kept>()
  const faults: Fault[] = []
  let posted = 0
  const check = (call: Fault['call'], at: string | null) => {
    const fault = faults.find((one) => one.call === call && one.times > 0 && (one.at ?? at) === at)
    if (fault === undefined) return
    fault.times--
    throw fault.error
  }
  const keep = (kept: Kept): string => {
    const address = `${platform}-${++posted}`
    messages.set(address, kept)
    return address
  }
  return {
    platform,
    messages,
    fail: ({ times = Number.POSITIVE_INFINITY, ...fault }) => faults.push({ ...fault, times }),
    shown: (where) =>
      [...messages.values()]
        .filter(({ place, account }) => (place?.channel ?? account) === where)
        .map(({ versions }) => textOfView(versions.at(-1) as View, { details: true })),
    post: async (place, view) => {
      check('post', place.channel)
      return keep({ where: 'post', place, account: null, versions: [view] })
    },
    edit: async (address, view) => {
      check('edit', messages.get(address)?.place?.channel ?? null)
      messages.get(address)?.versions.push(view)
    },
    remove: async (address) => {
      messages.delete(address)
    },
    direct: async (account, view) => {
      check('direct', account)
      return keep({ where: 'direct', place: null, account, versions: [view] })
    },
  }
}

export const gone = () => new MessengerError('gone', 'the place is closed')
export const broken = () => new MessengerError('broken', 'the platform does not take this')
export const later = (retryAfterMs?: number) =>
  new MessengerError('later', 'the platform is down', retryAfterMs === undefined ? {} : { retryAfterMs })
