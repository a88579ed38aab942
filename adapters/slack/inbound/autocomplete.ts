import type { BlockSuggestion, SlackOptionsMiddlewareArgs } from '@slack/bolt'
import { type Suggested, siblingThings } from '../../../src/kernel/command/params.ts'
import { limits } from '../api/limits.ts'
import { slackSenderOf } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { blockIdOf } from '../forms/command-form.ts'
import { optionOf } from '../forms/input-element.ts'
import { readModalMetadata } from '../forms/modal-metadata.ts'
import { submittedValues } from '../forms/submitted-values.ts'
import { menuIdOf, optionsOf } from '../render/menu.ts'

/** Slack waits three seconds for the options of a select; late ones are none. */
const answerWithinMs = 2_000

/** What a half-typed value in a form could become. */
export const onAutocomplete =
  (slack: SlackContext) =>
  async ({ ack, body }: SlackOptionsMiddlewareArgs<'block_suggestion'>): Promise<void> => {
    const menu = menuIdOf(body.action_id)
    if (menu !== undefined) {
      const found = await Promise.race([menuFor(slack, body, menu), orLate({ options: [] })])
      return ack('options' in found || found.option_groups.length > 0 ? found : { options: [] })
    }
    const found = await Promise.race([suggestedFor(slack, body), orLate([])])
    await ack({
      options: [...found, ...typedIn(body.value, found)]
        .filter(({ value }) => value.length > 0 && value.length <= limits.select.value)
        .slice(0, limits.select.options)
        .map(({ value, label }) => optionOf(value, label)),
    })
  }

const orLate = <T>(nothing: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(nothing), answerWithinMs).unref())

/** Nobody can know every id, and a select takes nothing that it was not offered: what was typed is a choice too. */
const typedIn = (typed: string, found: readonly Suggested[]): Suggested[] => {
  const ids = typed.split(',').map((id) => id.trim())
  return [...new Set(ids)]
    .filter((id) => id !== '' && !found.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: `${id}, as typed` }))
}

const senderOf = (slack: SlackContext, { user, team }: BlockSuggestion) =>
  slackSenderOf(slack, { account: user.id, name: user.name, team: user.team_id ?? team?.id })

/** What can be done with the rows of an answer, narrowed down by what was typed. */
const menuFor = async (slack: SlackContext, body: BlockSuggestion, id: string) => {
  const menu = await slack.bot.menuOf(await senderOf(slack, body), id, body.value)
  return menu === undefined ? { options: [] } : optionsOf(menu, body.value)
}

const suggestedFor = async (slack: SlackContext, body: BlockSuggestion) => {
  const { view, block_id, value } = body
  const form = readModalMetadata('form', view?.private_metadata ?? '')
  const command = form && slack.bot.registry.get(form.command)
  const param = command?.params.find((one) => blockIdOf(one) === block_id)
  if (param === undefined || param.kinds.length === 0) return []
  const beside =
    command === undefined ? [] : siblingThings(command, submittedValues(command, view?.state), param)
  return slack.bot.suggest(await senderOf(slack, body), param, value, beside)
}
