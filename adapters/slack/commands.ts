import type { SlackCommandMiddlewareArgs } from '@slack/bolt'
import { converse } from './converse.ts'
import type { Desk } from './desk.ts'
import { fromMarkup } from './plain.ts'
import { lineOf } from './respond.ts'

/** Every slash command: `/refund pay_1 20` is the line `refund pay_1 20`. */
export const onCommand =
  (desk: Desk) =>
  async ({ command, ack }: SlackCommandMiddlewareArgs): Promise<void> => {
    await ack()
    const { trigger_id, user_id, user_name, channel_id, response_url, text } = command
    const line = `${command.command.replace(/^\//, '')} ${fromMarkup(text ?? '')}`.trim()
    await converse(
      desk,
      {
        delivery: `command:${trigger_id}`,
        account: user_id,
        name: user_name ?? '',
        team: command.user_team_id ?? command.team_id,
        channel: channel_id ?? null,
        line: lineOf(response_url),
        trigger: trigger_id,
      },
      { kind: 'line', line },
      { forms: true },
    )
  }
