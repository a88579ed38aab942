import type { Inbound, Intent, Reply, Sender } from '../../../src/kernel/messenger/inbound.ts'
import type { Stored } from '../../../src/kernel/messenger/intake.ts'
import { refusal, refusalView } from '../../../src/lib/view/refusals.ts'
import type { ResponseUrl } from '../api/response-url.ts'
import { isMemberId } from '../workflow/account.ts'
import { isDirectChannel, toReplyHandle } from './address.ts'
import type { SlackContext } from './slack-context.ts'

/** Who asks from where, and every way there is to answer them. */
export type SlackRequest = {
  /** Unique to the delivery. */
  delivery: string
  account: string
  name: string
  /** The workspace the person belongs to, if the payload says. */
  team: string | undefined
  channel: string | null
  thread?: string | undefined
  responseUrl?: ResponseUrl | undefined
  trigger?: string | undefined
  /** It was stored before it was acknowledged. */
  isTaken?: boolean
  /** It is not acknowledged before it is stored, and a look-up is begun meanwhile. */
  storing?: Promise<Stored> | undefined
  /** Where the button is that was pressed, if it can be found again. */
  pressedOn?: string | undefined
  /** A button was pressed, so the card that it is about is in sight. */
  isPress?: boolean
  /** The message to edit in place of a new one; without its time only the response_url can. */
  replaces?: { ts: string | undefined } | undefined
}

/** Its handle is unique to what was asked, so a change can be told from others asked in the same place. */
export const placeOf = ({ channel, responseUrl, thread, delivery }: SlackRequest) => ({
  channel,
  handle: toReplyHandle({ responseUrl, thread, id: delivery }),
  direct: channel === null || isDirectChannel(channel),
})

export const dispatchRequest = async (
  slack: SlackContext,
  request: SlackRequest,
  intent: Intent,
  { forms, stored, attached }: Pick<Inbound, 'forms' | 'stored' | 'attached'>,
): Promise<Reply> => {
  // Slack waits for the acknowledgement of what is to be stored, and for nothing else.
  if (!(await isHomeKnown(slack, stored === undefined ? 3_000 : homeWaitMs)))
    return { kind: 'refused', refusal: homeUnknown, view: refusalView(homeUnknown) }
  const inbound: Inbound = {
    delivery: request.delivery,
    taken: request.isTaken,
    storing: request.storing,
    pressedOn: request.pressedOn,
    from: await slackSenderOf(slack, request),
    place: placeOf(request),
    forms,
    canBeAsked: true,
    intent,
    attached,
    stored,
  }
  return slack.bot.handle(inbound)
}

/** Whether somebody may run a command, as far as it is known while Slack waits; whoever it is not known of goes on without. */
export const mayRunSoon = async (
  slack: Pick<SlackContext, 'bot' | 'userGroups' | 'identity'>,
  request: Pick<SlackRequest, 'account' | 'name' | 'team'>,
  command: string,
): Promise<boolean> => slack.bot.readsOf(await slackSenderOf(slack, request)).records.mayRun(command)

/** While Slack waits for an answer. */
const homeWaitMs = 1_000

/** Until Slack has said which workspace is ours, nobody can be told from somebody of another one. */
export const isHomeKnown = async (
  { identity }: Pick<SlackContext, 'identity'>,
  waitMs = homeWaitMs,
): Promise<boolean> => (await identity.soon(waitMs)) !== undefined

export const homeUnknown = refusal('not_known_yet', 'Slack has not told the bot yet which workspace is ours.')

/** Whoever is not known to be of our workspace is a stranger, whatever their id is. */
export const slackSenderOf = async (
  { userGroups, identity }: Pick<SlackContext, 'userGroups' | 'identity'>,
  { account, name, team }: Pick<SlackRequest, 'account' | 'name' | 'team'>,
): Promise<Sender> => {
  const home = await identity.soon(homeWaitMs)
  if (!isMemberId(account))
    return { platform: 'slack', account: 'nobody', workspace: 'an unknown workspace', name, groups: [] }
  const isOurs = home !== undefined && team === home.teamId
  return isOurs
    ? { platform: 'slack', account, name, groups: await userGroups.of(account) }
    : { platform: 'slack', account, workspace: team ?? 'an unknown workspace', name, groups: [] }
}
