import { takeWord } from '../../kernel/change/applying/ask-service.ts'
import type { Core } from '../../kernel/core.ts'
import { type ServiceStanding, standingIn, textAt, valueAt } from '../../lib/services/endpoints/later.ts'
import { allRows, allServices } from '../../lib/services/endpoints/tables.ts'
import { eventBodyOf } from './receive.ts'
import { createEvents } from './store.ts'

/** An event may be here before the answer that says what it is about: so long it is looked for again. */
const ownGraceMs: readonly number[] = [2_000, 5_000, 15_000, 45_000]

/**
 * What a service told: it ends what is open there and teaches links, and asks for nothing. Returns when to look again for what
 * it is about.
 */
export const handleEvent = async (
  core: Core,
  { service, id }: { service: string; id: string },
): Promise<number | undefined> => {
  const events = core.store.of(createEvents)
  const event = await events.get(service, id)
  const hook = allServices().find(({ name }) => name === service)?.hook
  if (event === undefined || event.body === '' || hook === undefined) return undefined
  const body = eventBodyOf(event.body)
  const end = async (result: string) => {
    core.count({ kind: 'counted', metric: 'bellhop_hooks_total', labels: { service, result } })
    await events.done(service, id)
    return undefined
  }
  const type = textAt(body, hook.type) ?? ''
  const forms = Object.hasOwn(hook.events, type) ? hook.events[type] : undefined
  const standing = forms && standingIn(forms, body)
  const changeId = standing && (await events.changeOf(service, standing.id))
  if (standing !== undefined && changeId === undefined) {
    const again = graceOf(core).find((ms) => event.at + ms > core.now())
    if (again !== undefined) return event.at + again
  }
  teach(core, service, body)
  if (standing === undefined || changeId === undefined) return end('not_ours')
  return end(
    (await takeWord(core, changeId, standing satisfies ServiceStanding, 'called')) ? 'used' : 'no_news',
  )
}

const graceOf = ({ timings }: Pick<Core, 'timings'>): readonly number[] =>
  timings.pausesMs.hooks ?? ownGraceMs

/** Links are learned from a record as from the answer that would hold it. */
const teach = (core: Core, service: string, body: unknown): void => {
  const teaches = allServices().find(({ name }) => name === service)?.hook?.teaches
  const named = allRows().find((row) => row.service === service && row.name === teaches?.row)
  const data = teaches && valueAt(body, teaches.at)
  if (named === undefined || data === undefined) return
  core.learner.take(named, {}, { data, message: undefined, understood: true, status: 200, body: data })
}
