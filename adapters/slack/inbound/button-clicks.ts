import type { AckFn, BlockAction } from '@slack/bolt'
import type { Intent } from '../../../src/kernel/messenger/inbound.ts'
import { wallTime } from '../../../src/lib/clock.ts'
import { isActing, isInPlace, isRequesting, type Verb } from '../../../src/lib/view/button-labels.ts'
import { type ResponseUrl, responseUrlOf } from '../api/response-url.ts'
import { cardKeyOf, isCardKey, type SlackAddress, toSlackAddress } from '../context/address.ts'
import type { SlackRequest } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { commandOfFormButton, idPressed, pressOf } from '../render/buttons.ts'
import { withMarked } from '../render/marks.ts'
import { menuIdOf } from '../render/menu.ts'
import { handleRequest, takeRequest } from './handle-request.ts'

/** Every button and menu: a verb and an id, or a command whose form it opens. As a slash command, it needs nothing of Bolt. */
export const onButtonClick =
  (slack: SlackContext) =>
  async (body: BlockAction, ack: AckFn<void>, isTaken = false): Promise<void> => {
    const [action] = body.actions
    const intent = action && intentOf(action, body)
    if (action === undefined || intent === undefined) return ack()
    const responseUrl = responseUrlOf(body.response_url)
    const on = addressOf(body, action, responseUrl)
    if (responseUrl !== undefined && on?.at === 'line')
      rememberNewest(slack.newestResponseUrls, on.key, responseUrl)
    const request = {
      ...requestOf(body, action, intent, responseUrl),
      pressedOn: on && toSlackAddress(on),
      isTaken,
    }
    if (isOf(intent, isActing)) await handleRequest(slack, request, intent, { forms: true, ack })
    else if (isOf(intent, isRequesting)) {
      await takeRequest(slack, request, { payload: body, ack }, (taken) =>
        handleRequest(slack, taken, intent, { forms: true }),
      )
    } else {
      await ack()
      await handleRequest(slack, request, intent, { forms: true })
    }
    // Nobody else draws the tab of somebody who opened it before the last start.
    if (body.view?.type === 'home') await slack.home.opened(request)
  }

const isOf = (intent: Intent, is: (verb: Verb) => boolean): boolean =>
  intent.kind === 'press' && is(intent.verb)

const intentOf = (action: BlockAction['actions'][number], body: BlockAction): Intent | undefined => {
  const { action_id: actionId } = action
  const option = 'selected_option' in action ? action.selected_option : undefined
  const chosen = option && 'value' in option ? String(option.value) : undefined
  if (menuIdOf(actionId) !== undefined) {
    return chosen === undefined ? undefined : { kind: 'press', verb: 'act', id: chosen }
  }
  const press = pressOf(idPressed(actionId, chosen))
  if (press !== undefined) return { kind: 'press', ...withMarked(press, body) }
  const command = commandOfFormButton(actionId)
  return command === undefined ? undefined : { kind: 'options', command, values: {} }
}

/** The message that was pressed. One that only a response_url reaches is found again by the key in its block. */
const addressOf = (
  { channel, container }: BlockAction,
  { block_id }: BlockAction['actions'][number],
  responseUrl: ResponseUrl | undefined,
): SlackAddress | undefined => {
  const { is_ephemeral, message_ts: ts } = (container ?? {}) as Record<string, unknown>
  if (channel === undefined || typeof ts !== 'string') return undefined
  if (is_ephemeral !== true && !isCardKey(block_id)) return { at: 'message', channel: channel.id, ts }
  return { at: 'line', key: cardKeyOf(block_id, ts), isPrivate: is_ephemeral === true, ...responseUrl }
}

const requestOf = (
  { user, channel, container, trigger_id, team }: BlockAction,
  { action_id, action_ts }: BlockAction['actions'][number],
  intent: Intent,
  responseUrl: ResponseUrl | undefined,
): SlackRequest => {
  const { is_ephemeral, message_ts, thread_ts } = (container ?? {}) as Record<string, unknown>
  return {
    delivery: `click:${trigger_id ?? `${user.id}:${action_id}:${action_ts}`}`,
    account: user.id,
    name: user.name ?? user.username ?? '',
    team: user.team_id ?? team?.id,
    channel: channel?.id ?? null,
    thread: typeof thread_ts === 'string' ? thread_ts : undefined,
    responseUrl,
    trigger: trigger_id,
    // What asks for something is a request like any other: nothing in sight shows what becomes of it.
    isPress: intent.kind === 'press' && !isOf(intent, isRequesting),
    replaces: isOf(intent, isInPlace)
      ? { ts: is_ephemeral !== true && typeof message_ts === 'string' ? message_ts : undefined }
      : undefined,
  }
}

/** The newest way to each card, as long as anybody could still use it. */
const rememberNewest = (newest: Map<string, ResponseUrl>, key: string, responseUrl: ResponseUrl): void => {
  newest.delete(key)
  newest.set(key, responseUrl)
  for (const [old, { until }] of newest) {
    if (until > wallTime()) break
    newest.delete(old)
  }
}
