import type { BlockAction, SlackActionMiddlewareArgs } from '@slack/bolt'
import type { Intent } from '../../src/pipeline/inbound.ts'
import { decisions } from '../../src/pipeline/press.ts'
import type { Verb } from '../../src/view/view.ts'
import type { Asked } from './asked.ts'
import { openedBy, pressOf } from './buttons.ts'
import { converse } from './converse.ts'
import type { Desk } from './desk.ts'
import { type Line, lineOf } from './respond.ts'

/** Every button: a verb and an id, or a command whose form it opens. */
export const onAction =
  (desk: Desk) =>
  async ({ ack, body, action }: SlackActionMiddlewareArgs<BlockAction>): Promise<void> => {
    const intent = intentOf(action.action_id)
    const isDecision = intent?.kind === 'press' && decisions.has(intent.verb)
    if (!isDecision) await ack()
    if (intent === undefined) return
    const line = lineOf(body.response_url)
    if (line !== undefined) remember(desk.fresh, action.block_id, line)
    await converse(desk, askedOf(body, action, intent, line), intent, {
      forms: true,
      ...(isDecision ? { ack } : {}),
    })
  }

const intentOf = (actionId: string): Intent | undefined => {
  const press = pressOf(actionId)
  if (press !== undefined) return { kind: 'press', ...press }
  const command = openedBy(actionId)
  return command === undefined ? undefined : { kind: 'options', command, values: {} }
}

/** What these bring takes the place of the message they were pressed on. */
const inPlace: ReadonlySet<Verb> = new Set(['next', 'previous', 'pause', 'resume', 'stop'])

const askedOf = (
  { user, channel, container, trigger_id, team }: BlockAction,
  { action_id, action_ts }: BlockAction['actions'][number],
  intent: Intent,
  line: Line | undefined,
): Asked => {
  const { is_ephemeral, message_ts, thread_ts } = (container ?? {}) as Record<string, unknown>
  const isInPlace = intent.kind === 'press' && inPlace.has(intent.verb)
  return {
    delivery: `click:${trigger_id ?? `${user.id}:${action_id}:${action_ts}`}`,
    account: user.id,
    name: user.name ?? user.username ?? '',
    team: user.team_id ?? team?.id,
    channel: channel?.id ?? null,
    thread: typeof thread_ts === 'string' ? thread_ts : undefined,
    line,
    trigger: trigger_id,
    isPress: intent.kind === 'press',
    replaces: isInPlace
      ? { ts: is_ephemeral !== true && typeof message_ts === 'string' ? message_ts : undefined }
      : undefined,
  }
}

/** The newest way to each card, as long as anybody could still use it. */
const remember = (fresh: Map<string, Line>, key: string, line: Line): void => {
  fresh.delete(key)
  fresh.set(key, line)
  for (const [old, { until }] of fresh) {
    if (until > Date.now()) break
    fresh.delete(old)
  }
}
