import { note, type View } from '../../lib/view/view.ts'
import type { Core } from '../core.ts'
import { isRefusedForGood, type Messenger, type MessengerError } from '../messenger/messenger.ts'
import { bellhop, entryBy } from '../model/audit-entry.ts'
import type { Change, Platform } from '../model/change.ts'
import { type Space, workspaceIn } from '../model/workspace.ts'
import { isWorkflow } from '../policy/people.ts'
import { allAccountsOf } from '../policy/workspaces.ts'
import { toolLine } from '../tool-words.ts'
import { tellAdministrators } from './administrators.ts'

export type DeliveryCore = Pick<Core, 'store' | 'messengers' | 'policy' | 'log' | 'now' | 'count' | 'wake'>

/** A message of the bot's, as metrics, the audit log and administrators are told of it. */
export type OutgoingMessage = {
  kind:
    | 'card'
    | 'reminder'
    | 'question'
    | 'outcome'
    | 'late news'
    | 'progress'
    | 'scheduled post'
    | 'answer'
    | 'notice'
  /** Whom it is for, by name. */
  to: string
  /** The change or the command that it is about. */
  about: { command: string; id?: string | null; space?: Space }
}

/** A change, as what a message is about. */
export const aboutOf = ({ command, id, requester }: Pick<Change, 'command' | 'id' | 'requester'>) => ({
  command,
  id,
  space: requester.space,
})

/** One way to whoever a message is for. */
export type DeliveryWay<T> = { platform: Platform; send(messenger: Messenger): Promise<T> }

type Sent<T> = { platform: Platform; value: T }
export type Refused = { platform: Platform; error: MessengerError }

/**
 * Brings a message by the first way that takes it. What no way takes is on record, and administrators hear of it: no
 * message ends as a line of the log.
 */
export const deliver = async <T>(
  core: DeliveryCore,
  message: OutgoingMessage,
  ways: readonly DeliveryWay<T>[],
): Promise<Sent<T> | undefined> => {
  const { sent, refusals } = await firstTaken(core, message, ways)
  if (sent === undefined && refusals.length > 0) await recordLost(core, message, refusals)
  return sent
}

/**
 * A way that refuses the message for good is counted, and the next one is tried; a platform that is down is an error, and
 * the whole is tried again later.
 */
export const firstTaken = async <T>(
  core: Pick<DeliveryCore, 'messengers' | 'count' | 'log'>,
  message: OutgoingMessage,
  ways: readonly DeliveryWay<T>[],
): Promise<{ sent: Sent<T> | undefined; refusals: Refused[] }> => {
  const refusals: Refused[] = []
  for (const { platform, send } of ways) {
    const messenger = core.messengers.get(platform)
    if (messenger === undefined) continue
    try {
      return { sent: { platform, value: await send(messenger) }, refusals }
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
      countRefusal(core, message, platform, error)
      refusals.push({ platform, error })
    }
  }
  return { sent: undefined, refusals }
}

export const countRefusal = (
  { count, log }: Pick<DeliveryCore, 'count' | 'log'>,
  { kind, about }: OutgoingMessage,
  platform: Platform,
  error: MessengerError,
): void => {
  count({ kind: 'refused_message', platform, message: kind, reason: error.reason })
  log.warn({ err: error, platform, message: kind, changeId: about.id }, 'a platform refused a message')
}

/** A message that reached nobody whom it was for. */
export const recordLost = async (
  core: DeliveryCore,
  { kind, to, about }: OutgoingMessage,
  refusals: readonly Refused[],
): Promise<void> => {
  const why = [...new Set(refusals.map(({ error }) => error.words))]
  core.count({ kind: 'lost_message', message: kind })
  await core.store.audit.append(entryBy(bellhop, 'undelivered', about, { message: kind, to, why }))
  if (kind === 'notice') return
  const key = [
    kind,
    ...(about.space === undefined ? [] : [about.space]),
    ...new Set(refusals.map(({ platform, error }) => `${platform}:${error.reason}`)),
  ].join(' ')
  const within = about.id == null ? undefined : { space: about.space }
  await tellAdministrators(core, key, lostView({ kind, to, about }, why), within)
}

const lostView = ({ kind, to, about }: OutgoingMessage, why: readonly string[]): View => ({
  title: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} for ${to} reached nobody`,
  tone: 'warn',
  blocks: [
    ...why.map((words) => note('warn', `${words}.`)),
    note(
      'plain',
      `It was about ${about.command}${about.id ? `, change ${about.id}` : ''}. Tell them, and mend what stands in the way: ${toolLine('doctor')} checks it. Others of the kind are in the audit log as "undelivered", and are not told again for two days.`,
    ),
  ],
})

/** To somebody in person: at the account that is given, and at the others that the policy knows of them. */
export const waysTo = <T>(
  { policy, messengers }: Pick<Core, 'policy' | 'messengers'>,
  { person, platform, account }: { person: string; platform?: Platform; account?: string },
  send: (messenger: Messenger, account: string) => Promise<T>,
): DeliveryWay<T>[] => {
  const isNobody = isWorkflow(policy, platform ?? '', account ?? '')
  // What everybody reads together is a place to look at, and nobody is called there.
  const others = policy.people
    .filter(({ id }) => id === person)
    .flatMap((listed) => allAccountsOf(listed))
    .filter((one) => isNobody || one.platform !== platform || isElsewhere(one.account, account))
    .map((one) => [one.platform, one.account] as const)
    .toSorted(([one], [other]) => sharedLast(messengers, one) - sharedLast(messengers, other))
  const given =
    platform === undefined || account === undefined || isNobody ? [] : [[platform, account] as const]
  return [...given, ...others].map(([one, at]) => ({
    platform: one,
    send: (messenger) => send(messenger, at),
  }))
}

/** What somebody is to know, wherever they can be told. */
export const deliverNotice = async (core: DeliveryCore, doc: unknown): Promise<void> => {
  const { person, view, ...at } = doc as {
    person: string
    view: View
    platform?: Platform
    account?: string
  }
  const message = { kind: 'notice' as const, to: person, about: { command: 'bellhop status' } }
  await deliver(
    core,
    message,
    waysTo(core, { person, ...at }, (messenger, account) => messenger.direct(account, view)),
  )
}

const isElsewhere = (one: string, other: string | undefined): boolean =>
  other !== undefined && workspaceIn(one) !== workspaceIn(other)

const sharedLast = (messengers: Core['messengers'], platform: Platform): number =>
  messengers.get(platform)?.isShared ? 1 : 0
