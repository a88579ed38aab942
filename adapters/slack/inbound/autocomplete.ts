import type { BlockSuggestion, SlackOptionsMiddlewareArgs } from '@slack/bolt'
import type { Suggested } from '../../../src/command/params.ts'
import { limits } from '../api/limits.ts'
import { slackSenderOf } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { blockIdOf } from '../forms/command-form.ts'
import { optionOf } from '../forms/input-element.ts'
import { readModalMetadata } from '../forms/modal-metadata.ts'

/** Slack waits three seconds for the options of a select; late ones are none. */
const answerWithinMs = 2_000

/** What a half-typed value in a form could become. */
export const onAutocomplete =
  (slack: SlackContext) =>
  async ({ ack, body }: SlackOptionsMiddlewareArgs<'block_suggestion'>): Promise<void> => {
    const late = new Promise<[]>((resolve) => setTimeout(() => resolve([]), answerWithinMs).unref())
    const found = await Promise.race([suggestedFor(slack, body), late])
    await ack({
      options: [...found, ...typedIn(body.value, found)]
        .filter(({ value }) => value.length > 0 && value.length <= limits.select.value)
        .slice(0, limits.select.options)
        .map(({ value, label }) => optionOf(value, label)),
    })
  }

/** Nobody can know every id, and a select takes nothing that it was not offered: what was typed is a choice too. */
const typedIn = (typed: string, found: readonly Suggested[]): Suggested[] => {
  const ids = typed.split(',').map((id) => id.trim())
  return [...new Set(ids)]
    .filter((id) => id !== '' && !found.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: `${id}, as typed` }))
}

const suggestedFor = async (slack: SlackContext, { view, block_id, user, value, team }: BlockSuggestion) => {
  const form = readModalMetadata('form', view?.private_metadata ?? '')
  const command = form && slack.bot.registry.get(form.command)
  const param = command?.params.find((one) => blockIdOf(one) === block_id)
  if (param === undefined || param.kinds.length === 0) return []
  const from = await slackSenderOf(slack, {
    account: user.id,
    name: user.name,
    team: user.team_id ?? team?.id,
  })
  return slack.bot.suggest(from, param, value)
}
