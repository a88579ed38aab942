import type { BlockSuggestion, SlackOptionsMiddlewareArgs } from '@slack/bolt'
import { type Suggested, thingsBeside } from '../../../src/command/params.ts'
import { menuGroups } from '../../../src/view/menu-options.ts'
import { limits } from '../api/limits.ts'
import { slackSenderOf } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { blockIdOf } from '../forms/command-form.ts'
import { optionOf } from '../forms/input-element.ts'
import { readModalMetadata } from '../forms/modal-metadata.ts'
import { submittedValues } from '../forms/submitted-values.ts'
import { menuIdOf, optionGroups } from '../render/menu.ts'

/** Slack waits three seconds for the options of a select; late ones are none. */
const answerWithinMs = 2_000

/** What a half-typed value in a form could become. */
export const onAutocomplete =
  (slack: SlackContext) =>
  async ({ ack, body }: SlackOptionsMiddlewareArgs<'block_suggestion'>): Promise<void> => {
    const late = new Promise<[]>((resolve) => setTimeout(() => resolve([]), answerWithinMs).unref())
    const menu = menuIdOf(body.action_id)
    if (menu !== undefined) {
      const groups = await Promise.race([menuFor(slack, body, menu), late])
      return ack(groups.length === 0 ? { options: [] } : { option_groups: groups })
    }
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

const senderOf = (slack: SlackContext, { user, team }: BlockSuggestion) =>
  slackSenderOf(slack, { account: user.id, name: user.name, team: user.team_id ?? team?.id })

/** What can be done with the rows of an answer, narrowed down by what was typed. */
const menuFor = async (slack: SlackContext, body: BlockSuggestion, id: string) => {
  const menu = await slack.bot.menuOf(await senderOf(slack, body), id)
  return menu === undefined ? [] : optionGroups(menuGroups(menu), body.value)
}

const suggestedFor = async (slack: SlackContext, body: BlockSuggestion) => {
  const { view, block_id, value } = body
  const form = readModalMetadata('form', view?.private_metadata ?? '')
  const command = form && slack.bot.registry.get(form.command)
  const param = command?.params.find((one) => blockIdOf(one) === block_id)
  if (param === undefined || param.kinds.length === 0) return []
  const beside =
    command === undefined ? [] : thingsBeside(command, submittedValues(command, view?.state), param)
  return slack.bot.suggest(await senderOf(slack, body), param, value, beside)
}
