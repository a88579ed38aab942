import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { type FakeExecution, type FakeState, nextId, nextTs, now } from './state.ts'
import type { Delivered, Wire } from './wire.ts'

const parameters = z.record(
  z.string(),
  z.strictObject({
    type: z.enum(['string', 'number', 'integer', 'boolean']),
    name: z.string(),
    title: z.string().min(1),
    description: z.string(),
    is_required: z.boolean(),
  }),
)

/** `functions` of a manifest, as Slack takes it. */
export const functionsSchema = z.record(
  z.string().min(1).max(100),
  z.strictObject({
    title: z.string().min(1).max(255),
    description: z.string(),
    input_parameters: parameters,
    output_parameters: parameters,
  }),
)

/** How long the token lives that comes with a run. */
const tokenMs = 15 * 60_000

let known: z.infer<typeof functionsSchema> | undefined
const functions = () => {
  known ??= z
    .object({ functions: functionsSchema })
    .parse(parse(readFileSync('manifest.yml', 'utf8'))).functions
  return known
}

/**
 * A workflow comes to a step of ours, and waits. `inputs` may be anything: that only the inputs of the manifest come is what
 * Slack says, and what somebody forged would not keep to.
 */
export const runStep = async (
  state: FakeState,
  { deliver }: Wire,
  step: string,
  inputs: Record<string, unknown>,
  { times = 1, team = state.team }: { times?: number; team?: string } = {},
): Promise<{ execution: FakeExecution; delivered: Delivered[]; again(): Promise<Delivered> }> => {
  const definition = functions()[step]
  const execution: FakeExecution = {
    id: nextId(state, 'Fx'),
    step,
    token: nextId(state, 'xwfp-'),
    at: now(state),
    ended: undefined,
  }
  state.executions.set(execution.id, execution)
  const payload = () => ({
    type: 'event_callback',
    team_id: team,
    api_app_id: 'A0BELLHOP',
    event_id: nextId(state, 'Ev'),
    event_time: Math.floor(now(state) / 1000),
    event: {
      type: 'function_executed',
      function: {
        id: `Fn${step}`,
        callback_id: step,
        title: definition?.title ?? step,
        type: 'app',
        input_parameters: Object.values(definition?.input_parameters ?? {}),
        output_parameters: Object.values(definition?.output_parameters ?? {}),
        app_id: 'A0BELLHOP',
      },
      inputs,
      function_execution_id: execution.id,
      workflow_execution_id: nextId(state, 'Wx'),
      event_ts: nextTs(state),
      bot_access_token: execution.token,
    },
  })
  const first = payload()
  const delivered = await Promise.all(
    Array.from({ length: times }, (_, at) => deliver('events_api', first, at)),
  )
  return { execution, delivered, again: () => deliver('events_api', payload()) }
}

/** Why a token is not that of a run that may be ended with it; undefined where it is. */
export const whyNoRunToken = (
  state: FakeState,
  token: string | undefined,
  id: string,
): string | undefined => {
  if (token === state.botToken) return undefined
  const execution = [...state.executions.values()].find((one) => one.token === token)
  if (execution === undefined) return 'invalid_auth'
  if (execution.ended !== undefined || now(state) - execution.at > tokenMs) return 'token_expired'
  return execution.id === id ? undefined : 'access_denied'
}

export const endRun = (
  state: FakeState,
  id: string,
  ended: NonNullable<FakeExecution['ended']>,
): Record<string, unknown> | string => {
  const execution = state.executions.get(id)
  if (execution === undefined) return 'function_execution_not_found'
  if (execution.ended !== undefined) return 'execution_not_in_running_state'
  if ('outputs' in ended && !fits(execution.step, ended.outputs)) return 'parameter_validation_failed'
  execution.ended = ended
  return {}
}

const fits = (step: string, outputs: Record<string, unknown>): boolean => {
  const declared = functions()[step]?.output_parameters ?? {}
  return (
    Object.keys(outputs).every((name) => Object.hasOwn(declared, name)) &&
    Object.values(declared).every(({ name, type, is_required }) => {
      const value = outputs[name]
      if (value === undefined || value === '') return !is_required
      return typeof value === (type === 'integer' ? 'number' : type)
    })
  )
}
