import { randomUUID } from 'node:crypto'
import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import { z } from 'zod'
import type { Command } from '../../../src/kernel/command/define.ts'
import type { Raw } from '../../../src/kernel/command/line/coerce.ts'
import { paramNamed } from '../../../src/kernel/command/line/parse.ts'
import type { Inbound, Sender } from '../../../src/kernel/messenger/inbound.ts'
import type { Agent } from '../../../src/kernel/model/agent.ts'
import { namedChangeId } from '../../../src/kernel/model/named-change-id.ts'
import type { TakeTurn } from '../../../src/lib/limits/call-rate.ts'
import { plural } from '../../../src/lib/view/button-labels.ts'
import { fieldRefusal, type Refusal, refusal, refusalLine } from '../../../src/lib/view/refusals.ts'
import { homeUnknown } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { workflowAccount } from './account.ts'
import { commandOfStep } from './step-definitions.ts'
import { toStepHandle } from './step-handle.ts'

const stepRun = z.object({
  function: z.object({
    callback_id: z.string(),
    input_parameters: z.array(z.object({ name: z.string(), type: z.string() })).catch([]),
  }),
  inputs: z.record(z.string(), z.unknown()).catch({}),
  function_execution_id: z.string(),
})
type StepRun = z.infer<typeof stepRun>

/**
 * A step of a workflow asks for a change, as the agent of the file that stands for workflows: nothing in its inputs says
 * who asks. It ends when the change does; what is refused ends it at once.
 */
export const onStepRun =
  (slack: SlackContext, takeTurn: TakeTurn) =>
  async ({
    event,
    body,
  }: SlackEventMiddlewareArgs<'function_executed'> & AllMiddlewareArgs): Promise<void> => {
    const read = stepRun.safeParse(event)
    if (!read.success) return slack.log.warn({}, 'a step of a workflow came without what it is')
    const handle = toStepHandle({ execution: read.data.function_execution_id, team: body.team_id })
    const refused = await ask(slack, takeTurn, read.data, body.team_id, handle)
    if (refused === undefined) return
    await slack.bot.agents.oweRefusal('slack', handle, refusalLine(fieldRefusal(refused)))
  }

const ask = async (
  { bot, identity }: SlackContext,
  takeTurn: TakeTurn,
  { function: { callback_id, input_parameters }, inputs, function_execution_id }: StepRun,
  team: string,
  handle: string,
): Promise<Refusal | undefined> => {
  const home = await identity.soon(homeWaitMs)
  if (home === undefined) return homeUnknown
  const agent = bot.agents.all.find(({ token }) => 'workflow' in token)
  if (agent === undefined) return noAgent
  const command = commandOfStep(bot.registry, callback_id)
  if (command === undefined) return noStep
  const { waitMs } = takeTurn(agent)
  if (waitMs > 0) return tooOften(agent, waitMs)
  const from: Sender = {
    platform: 'slack',
    account: workflowAccount,
    name: agent.name,
    groups: [],
    agent: agent.id,
    ...(team === home.teamId ? {} : { workspace: team }),
  }
  const types = new Map(input_parameters.map(({ name, type }) => [name, type]))
  const inbound: Inbound = {
    delivery: randomUUID(),
    from,
    place: { channel: null, handle, direct: true, waits: true },
    // Run again, or delivered again under another name, it is the same request.
    changeId: namedChangeId(agent, `${team} ${function_execution_id}`),
    forms: false,
    intent: { kind: 'options', command: command.name, values: valuesIn(command, inputs, types) },
  }
  const reply = await bot.handle(inbound)
  bot.agents.count(agent.id, command.name, reply.kind === 'refused' ? reply.refusal.code : reply.kind)
  if (reply.kind === 'change') return undefined
  if (reply.kind === 'refused') return reply.refusal
  const what = 'view' in reply ? reply.view.title : 'Nothing came of this step.'
  return refusal('bad_value', what, { next: 'Nothing was asked for. Say which is meant by its id.' })
}

/** For Slack to say which workspace is ours: the step waits. */
const homeWaitMs = 30_000

/**
 * By the names of the manifest. What was left empty was not given. Who a workflow says it is for counts for nothing, so an
 * input that names somebody of Slack, which no command has, is left out; any other that a command does not have is refused.
 */
const valuesIn = (
  command: Command,
  inputs: Record<string, unknown>,
  types: ReadonlyMap<string, string>,
): Record<string, Raw> =>
  Object.fromEntries(
    Object.entries(inputs).flatMap(([name, given]): [string, Raw][] => {
      if (given === null || given === undefined || given === '') return []
      const isOwn = paramNamed(command, name) !== undefined
      if (!isOwn && namesSomebody(types.get(name), given)) return []
      return [[name, rawOf(given)]]
    }),
  )

const namesSomebody = (type: string | undefined, given: unknown): boolean =>
  type?.startsWith('slack#/types/user') === true ||
  (typeof given === 'string' && /^<?@?[UW][A-Z0-9]+(?:\|[^>]*)?>?$/.test(given))

const rawOf = (given: unknown): Raw => {
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean') return given
  return Array.isArray(given) && given.every((one) => typeof one !== 'object')
    ? given.map(String)
    : JSON.stringify(given)
}

const noAgent = refusal('stranger', 'No agent of bellhop.yml stands for workflows.', {
  next: 'Ask an administrator to list one, with token: { workflow: true }.',
})

const noStep = refusal('unknown_command', 'There is no such step any more.', {
  next: 'Choose another one in Workflow Builder.',
})

const tooOften = ({ name, rate }: Agent, waitMs: number): Refusal =>
  refusal('too_many_calls', `${name} asks at most ${plural(rate, 'time')} a minute.`, {
    next: `Start the workflow again in ${plural(Math.ceil(waitMs / 1000), 'second')}.`,
  })
