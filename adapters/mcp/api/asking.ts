import { z } from 'zod'
import { namedChangeId } from '../../../src/kernel/model/named-change-id.ts'
import { refusal } from '../../../src/lib/view/refusals.ts'
import { agentSender, keyReused, meaningOf } from '../requests.ts'
import { refusedResult } from '../results.ts'
import { callParams } from '../tools.ts'
import { type Answering, listenerOf } from './call.ts'
import { type CallProblem, problemIn } from './problem.ts'
import { isWanted, kindWanted, readWanted } from './wanted.ts'

const firstAnswer = z.object({ meaning: z.string(), answer: z.looseObject({ state: z.string() }) })

/** Asks for a change. A copy gets the first answer, and another request under the same key is refused. */
export const askForChange: Answering = async (deps, call) => {
  const { bot, requests } = deps
  const { agent, request } = call
  const requestKey = request.headers['idempotency-key']
  const { maxLength } = callParams.request_key
  if (typeof requestKey !== 'string' || requestKey === '') {
    return refusal('missing_key', 'A change needs an Idempotency-Key.')
  }
  if (requestKey.length > maxLength) {
    return { ...refusal('bad_value', `An Idempotency-Key has at most ${maxLength} characters.`), status: 400 }
  }
  const wanted = await readWanted(bot, request)
  if (!isWanted(wanted)) return wanted
  const { command, values } = wanted
  const kind = kindWanted(wanted)
  if (kind === 'query') return refusal('wrong_way', `${command.name} is a look-up.`)
  const from = agentSender(agent)
  const id = namedChangeId(agent, requestKey)
  const meaning = meaningOf(command, values)
  const headers = { location: `/api/requests/${id}` }
  const kept = await bot.agents.firstAnswer(from, id)
  if (!kept.ok) {
    bot.agents.count(agent.id, command.name, kept.refusal.code)
    return problemIn(refusedResult(kept.refusal)) as CallProblem
  }
  const first = firstAnswer.safeParse(kept.value).data
  if (first !== undefined) {
    bot.agents.count(agent.id, command.name, first.meaning === meaning ? first.answer.state : 'key_reused')
    return first.meaning === meaning
      ? { status: 202, body: first.answer, headers }
      : (problemIn(keyReused) as CallProblem)
  }
  const { data, ...rest } = await requests.run(
    agent,
    command,
    { values, waitSeconds: 0, requestKey },
    listenerOf(call),
  )
  const problem = problemIn({ data, ...rest }) ?? askedNothing(data)
  bot.agents.count(agent.id, command.name, problem?.code ?? (data as { state: string }).state)
  if (problem !== undefined) return problem
  await bot.agents.keepAnswer(from, id, { meaning, answer: data })
  return { status: 202, body: data, headers }
}

/** Several things could be meant, or help was asked for: then there is a view and no change. */
const askedNothing = (data: object): CallProblem | undefined => {
  if (!('state' in data) || data.state !== 'answered') return undefined
  const { title, blocks } = data as unknown as { title: string; blocks: unknown }
  const next = 'Nothing was asked for. Say which is meant by its id.'
  return { ...refusal('bad_value', title, { next }), blocks }
}
