import type { SlashCommand } from '@slack/bolt'
import type { Stored } from '../../../src/kernel/messenger/intake.ts'
import { responseUrlOf } from '../api/response-url.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { unescapeMarkup } from '../render/text.ts'
import { handleRequest } from './handle-request.ts'

/**
 * Every slash command: `/refund pay_1 20` is the line `refund pay_1 20`. It comes here without Bolt,
 * because nothing that Bolt makes for its listeners is needed.
 */
export const onSlashCommand =
  (slack: SlackContext) =>
  async (command: SlashCommand, storing: Promise<Stored>): Promise<boolean> => {
    const { trigger_id, user_id, user_name, channel_id, response_url, text } = command
    const line = `${command.command.replace(/^\//, '')} ${unescapeMarkup(text ?? '')}`.trim()
    return handleRequest(
      slack,
      {
        delivery: `command:${trigger_id}`,
        storing,
        account: user_id,
        name: user_name ?? '',
        team: command.user_team_id ?? command.team_id,
        channel: channel_id ?? null,
        responseUrl: responseUrlOf(response_url),
        trigger: trigger_id,
      },
      { kind: 'line', line },
      { forms: true },
    )
  }
