import { z } from 'zod'
import { states } from '../../../src/kernel/model/change.ts'
import { defined } from '../../../src/lib/defined.ts'
import { no, ok, type Result } from '../../../src/lib/result.ts'
import { refusal } from '../../../src/lib/view/refusals.ts'
import { type CallResult, changeResult, fileText } from '../results.ts'
import { callParams } from '../tools.ts'
import { type Answering, type ApiCall, type ApiDeps, listenerOf } from './call.ts'
import { type CallProblem, problemIn } from './problem.ts'
import { isWanted, kindWanted, readWanted } from './wanted.ts'

const maxListed = 100

/** Runs a look-up. */
export const lookUp: Answering = async (deps, call) => {
  const wanted = await readWanted(deps.bot, call.request)
  if (!isWanted(wanted)) return wanted
  const { command, values } = wanted
  if (kindWanted(wanted) !== 'query') return refusal('wrong_way', `${command.name} is no look-up.`)
  const asked = { values, waitSeconds: 0, requestKey: undefined }
  return answerOf(
    deps,
    call,
    command.name,
    await deps.requests.run(call.agent, command, asked, listenerOf(call)),
  )
}

/** How one change stands. */
export const look = async (deps: ApiDeps, call: ApiCall, id: string): ReturnType<Answering> => {
  const { maximum } = callParams.wait_seconds
  const query = readQuery(call, z.strictObject({ wait_seconds: count(0, maximum).default(0) }))
  if (!query.ok) return { ...query.refusal, status: 400 }
  const result = await deps.requests.look(call.agent, id, query.value.wait_seconds, listenerOf(call))
  return answerOf(deps, call, 'change_get', result)
}

const listQuery = z.strictObject({
  state: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(states, `one of ${states.join(', ')}`)))
    .optional(),
  limit: count(1, maxListed).default(50),
  before: z.string().max(200, 'the mark that the page before ended with').optional(),
})

/** The changes that this agent has asked for. */
export const listRequests: Answering = async ({ bot, requests }, call) => {
  const { agent } = call
  const query = readQuery(call, listQuery)
  if (!query.ok) return { ...query.refusal, status: 400 }
  const { state, limit, before } = query.value
  const listed = await requests.list(agent, { states: state, limit, before })
  if ('data' in listed) {
    const problem = problemIn(listed) as CallProblem
    return problem.code === 'bad_value' ? { ...problem, status: 400 } : problem
  }
  const { changes, next } = listed
  const shown = changes.map((change) => {
    const { card: _, ...rest } = changeResult(change, bot.now(), 'api').data as { card?: unknown }
    return rest
  })
  return { status: 200, body: { requests: shown, ...defined({ next }) } }
}

const answerOf = ({ bot }: ApiDeps, { agent }: ApiCall, name: string, result: CallResult) => {
  const problem = problemIn(result)
  const { data, file } = result
  bot.agents.count(agent.id, name, problem?.code ?? (data as { state: string }).state)
  if (problem !== undefined) return problem
  const attached = file && { file: { name: file.name, type: file.type, content: fileText(file) } }
  return { status: 200, body: { ...data, ...attached } }
}

/** Each at most once, and none that nobody knows. */
const readQuery = <S extends z.ZodObject>({ query }: ApiCall, schema: S): Result<z.output<S>> => {
  const read = schema.safeParse(
    Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name).join(',')])),
  )
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(schema.shape).join(', ')
    return no(
      refusal('unknown_field', `There is no ${issue.keys.join(', ').slice(0, 60)} here.`, {
        next: `It takes ${known}.`,
      }),
    )
  }
  const field = String(issue?.path[0] ?? '')
  return no(
    refusal('bad_value', `${field} takes ${issue?.message}.`, {
      field,
      next: 'Give such a value, or leave it out.',
    }),
  )
}

function count(least: number, most: number) {
  const phrase = `a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,6}$/, phrase)
    .transform(Number)
    .pipe(z.number().min(least, phrase).max(most, phrase))
}
