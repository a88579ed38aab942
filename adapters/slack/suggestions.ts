import type { BlockSuggestion, SlackOptionsMiddlewareArgs } from '@slack/bolt'
import { askerOf } from '../../src/pipeline/asker.ts'
import { type Suggested, suggest } from '../../src/pipeline/suggest.ts'
import { fromOf } from './asked.ts'
import type { Desk } from './desk.ts'
import { blockIdOf } from './form.ts'
import { optionOf } from './input.ts'
import { limits } from './limits.ts'
import { readMetadata } from './metadata.ts'

/** Slack waits three seconds for the options of a select; late ones are none. */
const patienceMs = 2_000

/** What a half-typed value in a form could become. */
export const onSuggestion =
  (desk: Desk) =>
  async ({ ack, body }: SlackOptionsMiddlewareArgs<'block_suggestion'>): Promise<void> => {
    const late = new Promise<[]>((resolve) => setTimeout(() => resolve([]), patienceMs).unref())
    const found = await Promise.race([suggestedFor(desk, body), late])
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

const suggestedFor = async (desk: Desk, { view, block_id, user, value, team }: BlockSuggestion) => {
  const { world } = desk.app
  const form = readMetadata('form', view?.private_metadata ?? '')
  const command = form && world.registry.get(form.command)
  const source = command?.params.find((param) => blockIdOf(param) === block_id)?.suggest
  if (source === undefined) return []
  const from = await fromOf(desk, { account: user.id, name: user.name, team: user.team_id ?? team?.id })
  return suggest(world, askerOf(world.policy, from), source, value)
}
