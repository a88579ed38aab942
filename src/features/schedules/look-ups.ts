import { refuseToRunNow } from '../../kernel/actors/authorization.ts'
import type { Actor } from '../../kernel/command/context.ts'
import type { Command, QueryCommand } from '../../kernel/command/define.ts'
import { type Input, wholeLine } from '../../kernel/command/line/parse.ts'
import type { Core } from '../../kernel/core.ts'
import { zoneOf } from '../../kernel/times/zone.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import { firstAfter, type Recurrence, readRecurrence, recurrenceWords, shortestMs } from './recurrence.ts'
import { createSchedules, type Schedule } from './store.ts'

type LookUp = { command: Command; query: QueryCommand; input: Input }

/** The look-up that a line asks for, with nothing left to ask. */
export const lookUpIn = ({ registry }: Pick<Core, 'registry'>, line: string): Result<LookUp> => {
  const complete = wholeLine(registry, line)
  if (!complete.ok) return complete
  const { command, target: query, input } = complete.value
  if (query.kind !== 'query' || query.personal) {
    return no(
      refusal(
        'bad_value',
        `${command.name} cannot be scheduled: only look-ups can, and none that is for you alone.`,
        {
          next: (as) => `A change can be carried out later with ${as.flag('at')}.`,
        },
      ),
    )
  }
  return ok({ command, query, input })
}

export const refuseLookUp = (
  core: Pick<Core, 'policy'>,
  actor: Actor,
  { command, query }: LookUp,
): Refusal | undefined =>
  refuseToRunNow(core.policy, actor, {
    command: command.name,
    names: [command.name],
    standsFor: command.kind === 'switch' && query.sameAs?.length ? [...query.sameAs] : undefined,
  })

export type WantedSchedule = { line: string; every: string; channel: string | undefined }

/** What a schedule would be: refused where it could not run now, or where whoever sets it could not read its answer. */
export const checkSchedule = async (
  core: Core,
  actor: Actor,
  { line, every, channel }: WantedSchedule,
): Promise<Result<{ every: string; zone: string; nextAt: number; channel: string | null }>> => {
  const messenger = core.messengers.get(actor.platform)
  if (messenger === undefined) {
    return no(
      refusal('not_allowed_now', 'Here nobody can be told anything later.', {
        next: 'Set the schedule in your messenger or in the console.',
      }),
    )
  }
  const found = lookUpIn(core, line)
  if (!found.ok) return found
  const refused = refuseLookUp(core, actor, found.value)
  if (refused !== undefined) return no(refused)
  const recurrence = readRecurrence(every)
  if (!recurrence.ok) return recurrence
  const full = await refuseMoreSchedules(core, actor, recurrence.value)
  if (full !== undefined) return no(full)
  const where = channel === undefined ? null : channelIn(channel)
  if (where !== null) {
    if (messenger.mayRead === undefined) {
      return no(
        refusal('bad_value', 'There are no channels here.', {
          next: (as) => `Leave ${as.flag('in')} out: it is posted to you.`,
        }),
      )
    }
    const mayRead = await messenger.mayRead(actor.account, where).catch(() => false)
    if (!mayRead) {
      return no(
        refusal(
          'bad_value',
          `You may not read the channel ${where.slice(0, 40)}, or the bot cannot see it.`,
          {
            next: 'Name a channel that both of you are in, by its id or picked from the list.',
          },
        ),
      )
    }
  }
  const { zone } = await zoneOf(core, actor)
  return ok({
    every: recurrenceWords(recurrence.value),
    zone,
    nextAt: firstAfter(recurrence.value, core.now(), zone),
    channel: where,
  })
}

/** The id of a channel as people pick it from a list, or as it is. */
const channelIn = (written: string): string =>
  /^<?#?([\w-]+)(?:\|[^>]*)?>?$/.exec(written.trim())?.[1] ?? written.trim()

/** What the schedules of one person may cost everybody else. */
const maxSchedules = 20

const refuseMoreSchedules = async (
  { store }: Pick<Core, 'store'>,
  { person }: Actor,
  recurrence: Recurrence,
): Promise<Refusal | undefined> => {
  if (recurrence.kind === 'interval' && recurrence.ms < shortestMs) {
    return refusal('bad_value', 'A look-up runs every ten seconds at most.', {
      next: 'Give a longer time, such as 15m or "day 9:00".',
    })
  }
  return (await store.of(createSchedules).list(person)).length < maxSchedules ? undefined : noMoreSchedules
}

const noMoreSchedules = refusal(
  'too_many_requests',
  `You have ${maxSchedules} schedules, and nobody has more that run.`,
  { next: 'Stop one with schedule delete; schedule find lists them.' },
)

/** Of those of before, and of those that were made in the same moment, only the oldest run. */
export const refuseSurplus = async (
  { store }: Pick<Core, 'store'>,
  { id, by }: Pick<Schedule, 'id' | 'by'>,
): Promise<Refusal | undefined> => {
  const own = await store.of(createSchedules).list(by.person)
  return own.findIndex((one) => one.id === id) < maxSchedules ? undefined : noMoreSchedules
}
