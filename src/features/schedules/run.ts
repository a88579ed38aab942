import { z } from 'zod'
import { askGroups } from '../../kernel/actors/membership.ts'
import type { Actor } from '../../kernel/command/context.ts'
import { refusalOf } from '../../kernel/context/error-refusals.ts'
import type { Core } from '../../kernel/core.ts'
import { personOf, rolesNow } from '../../kernel/policy/people.ts'
import { type Answer, runQuery } from '../../kernel/request/look-ups/query.ts'
import { type DeliveryWay, deliver, waysTo } from '../../kernel/telling/deliver.ts'
import { no, type Result } from '../../lib/result.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { when } from '../../lib/view/format.ts'
import { theirs } from '../../lib/view/outside.ts'
import { refusalView } from '../../lib/view/refusals.ts'
import { note, type View } from '../../lib/view/view.ts'
import { joinWords, sentence, type Words } from '../../lib/view/words.ts'
import { zonedMoment } from '../../lib/view/zones.ts'
import { lookUpIn, refuseLookUp, refuseSurplus } from './look-ups.ts'
import {
  graceOf,
  nextAfter,
  type Recurrence,
  readRecurrence,
  recurrenceWords,
  withinPace,
} from './recurrence.ts'
import { createSchedules, type Schedule } from './store.ts'

type Post = { view: View; file?: { name: string; type: string; content: string } }

/**
 * The run of a schedule that is due: once, by the one process that takes it. What could not be run in its time, because no
 * process was there or because one died over it, is said and not made up for. Returns when it is due again.
 */
export const runScheduled = async (core: Core, id: string): Promise<number | undefined> => {
  const schedule = await core.store.of(createSchedules).get(id)
  if (schedule === undefined) return undefined
  const recurrence = readRecurrence(schedule.every)
  if (!recurrence.ok) throw new Error(`the schedule ${id} cannot be read`)
  if (schedule.runningAt !== null) {
    // Whoever began this run holds its task no longer, so it died over it.
    await finish(core, schedule, { view: missedView(schedule, [schedule.runningAt]) }, schedule.runningAt)
    return schedule.nextAt
  }
  const now = core.now()
  if (schedule.nextAt > now) return schedule.nextAt
  const surplus = await refuseSurplus(core, schedule)
  const times = timesOf(schedule, withinPace(recurrence.value), now)
  const { missed, at, isDue } = times
  // Whoever has too many reads so once a day.
  const nextAt = surplus === undefined ? times.nextAt : Math.max(times.nextAt, now + dayMs)
  if (!(await core.store.of(createSchedules).begin(id, { at: schedule.nextAt, runningAt: at, nextAt })))
    return now + 1_000
  const post =
    surplus !== undefined
      ? { view: framedFor(schedule, refusalView(surplus), at, []) }
      : isDue
        ? await lookUp(core, schedule, at, missed)
        : { view: missedView(schedule, [...missed, at]) }
  await finish(core, schedule, post, at)
  return nextAt
}

/** Which times are over, the newest of them, whether that is now, and which one is next. */
const timesOf = ({ nextAt: first, zone }: Schedule, recurrence: Recurrence, now: number) => {
  const missed: number[] = []
  let at = first
  if (recurrence.kind === 'interval') {
    // Only the last few are named, however long nobody was there.
    const skipped = Math.max(0, Math.floor((now - first) / recurrence.ms) - maxNamed)
    at += skipped * recurrence.ms
  }
  for (;;) {
    const next = nextAfter(recurrence, at, zone)
    if (next > now) return { missed, at, isDue: now - at <= graceOf(recurrence), nextAt: next }
    missed.push(at)
    at = next
  }
}

const maxNamed = 20
const dayMs = 24 * 3_600_000

/** With the rights that the person has now. */
const lookUp = async (
  core: Core,
  schedule: Schedule,
  due: number,
  missed: readonly number[],
): Promise<Post> => {
  const framed = (view: View): View => framedFor(schedule, view, due, missed)
  const actor = await actorNow(core, schedule)
  try {
    const reply = await answerOf(core, actor, schedule)
    if (!reply.ok) return { view: framed(refusalView(reply.refusal)) }
    const { view, file } = reply.value
    return {
      view: framed({ ...view, actions: [] }),
      ...(file === undefined || file.path !== undefined || file.content.length > maxFile ? {} : { file }),
    }
  } catch (error) {
    return { view: framed(refusalView(refusalOf(core, error))) }
  }
}

const maxFile = 500_000

const actorNow = async (core: Core, { by }: Schedule): Promise<Actor> => {
  const groups = await askGroups(core, [by])
  const { known, person, name } = personOf(core.policy, { ...by, groups: [] })
  return { ...by, person, name, known, roles: rolesNow(core.policy, by, groups(by) ?? []) }
}

const answerOf = async (core: Core, actor: Actor, { line, channel }: Schedule): Promise<Result<Answer>> => {
  const found = lookUpIn(core, line)
  if (!found.ok) return found
  const { command, query, input } = found.value
  const refused = refuseLookUp(core, actor, found.value)
  if (refused !== undefined) return no(refused)
  return runQuery(core, actor, command, query, input, { channel })
}

/** The run is over and its post is stored, in one step: what is stored is posted, however often that is tried. */
const finish = async (core: Core, schedule: Schedule, post: Post, at: number): Promise<void> => {
  await core.store.tx(async (store) => {
    if (!(await store.of(createSchedules).end(schedule.id, at))) return
    await store.tasks.put({
      kind: 'scheduled_post',
      key: `scheduled_post:${schedule.id}:${at}`,
      doc: {
        platform: schedule.by.platform,
        account: schedule.by.account,
        channel: schedule.channel,
        ...post,
      },
      dueAt: core.now(),
    })
  })
  core.wake()
}

/** What is stored to be posted. */
export const scheduledPost = z.object({
  platform: z.string(),
  account: z.string(),
  channel: z.string().nullable(),
  view: z.custom<View>((view) => typeof view === 'object' && view !== null),
  file: z.object({ name: z.string(), type: z.string(), content: z.string() }).optional(),
})

/** In its channel, if the person may read it now; else in person. */
export const postScheduled = async (core: Core, doc: z.infer<typeof scheduledPost>): Promise<void> => {
  const { platform, account, channel, view, file } = doc
  const messenger = core.messengers.get(platform)
  if (messenger === undefined) return
  const { person, name: to } = personOf(core.policy, { platform, account, groups: [] })
  const why =
    channel === null || messenger.mayRead === undefined || (await messenger.mayRead(account, channel))
      ? undefined
      : 'It was not posted in its channel, because you may not read that now.'
  const inPerson = (shown: View) =>
    waysTo(core, { person, platform, account }, (one, at) => one.direct(at, shown, file))
  const inChannel: DeliveryWay<string> = {
    platform,
    send: (one) => one.post({ channel, handle: null, onlyFor: null }, view, file),
  }
  await deliver(
    core,
    { kind: 'scheduled post', to, about: { command: 'schedule find' } },
    channel === null
      ? inPerson(view)
      : why !== undefined
        ? inPerson(withWords(view, why))
        : [
            inChannel,
            ...inPerson(
              withWords(view, 'It could not be posted in its channel: the bot may not write there.'),
            ),
          ],
  )
}

const withWords = (view: View, words: string): View => ({
  ...view,
  blocks: [note('warn', words), ...view.blocks],
})

/** With the time of the run: a messenger takes two equal messages in a row for one. */
const framedFor = (schedule: Schedule, view: View, dueAt: number, missed: readonly number[]): View => ({
  ...view,
  blocks: [...(missed.length === 0 ? [] : [note('warn', missedWords(schedule, missed))]), ...view.blocks],
  footer: sentence`${view.footer === undefined ? '' : sentence`${view.footer} · `}${scheduleWords(schedule)}, run of ${when(dueAt)}`,
})

const missedView = (schedule: Schedule, missed: readonly number[]): View => ({
  title: `Missed: ${theirs(schedule.line, 200)}`,
  tone: 'warn',
  blocks: [note('warn', missedWords(schedule, missed))],
  footer: scheduleWords(schedule),
})

const missedWords = ({ zone }: Schedule, missed: readonly number[]): Words =>
  sentence`${plural(missed.length, 'run')} did not take place, because the bot was not there: ${joinWords(
    missed.slice(-3).map((at) => sentence`${zonedMoment(at, zone)}`),
    '; ',
  )}.`

const scheduleWords = ({ id, by, line, every, zone }: Schedule): string => {
  const read = readRecurrence(every)
  return `Schedule ${id} of ${by.name}: ${line}, every ${read.ok ? recurrenceWords(read.value) : every} ${zone}`
}
