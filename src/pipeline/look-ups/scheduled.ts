import type { Asker } from '../../command/context.ts'
import { refusalOf } from '../../core/context/error-refusals.ts'
import { lookUpIn, whyNotLookUp, whySurplus } from '../../core/context/look-ups.ts'
import type { Core } from '../../core/core.ts'
import { askGroups } from '../../core/people/membership.ts'
import { type DeliveryWay, deliver, waysTo } from '../../core/telling/deliver.ts'
import {
  graceOf,
  nextAfter,
  type Recurrence,
  readRecurrence,
  recurrenceWords,
  withinPace,
} from '../../core/times/recurrence.ts'
import { no, type Result } from '../../model/result.ts'
import { personOf, rolesNow } from '../../policy/people.ts'
import type { Schedule } from '../../storage/schedules.ts'
import type { Task } from '../../storage/tasks.ts'
import { plural } from '../../view/button-labels.ts'
import { when } from '../../view/format.ts'
import { refusalView } from '../../view/refusals.ts'
import { note, type View } from '../../view/view.ts'
import { joinWords, sentence, type Words } from '../../view/words.ts'
import { zonedMoment } from '../../view/zones.ts'
import { type Answer, runQuery } from './query.ts'

type Post = { view: View; file?: { name: string; type: string; content: string } }

/**
 * The run of a schedule that is due: once, by the one process that takes it. What could not be run in its time, because no
 * process was there or because one died over it, is said and not made up for. Returns when it is due again.
 */
export const runScheduled = async (core: Core, id: string): Promise<number | undefined> => {
  const schedule = await core.store.schedules.get(id)
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
  const surplus = await whySurplus(core, schedule)
  const times = timesOf(schedule, withinPace(recurrence.value), now)
  const { missed, at, isDue } = times
  // Whoever has too many reads so once a day.
  const nextAt = surplus === undefined ? times.nextAt : Math.max(times.nextAt, now + dayMs)
  if (!(await core.store.schedules.begin(id, { at: schedule.nextAt, runningAt: at, nextAt })))
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
    const skipped = Math.max(0, Math.floor((now - first) / recurrence.ms) - mostNamed)
    at += skipped * recurrence.ms
  }
  for (;;) {
    const next = nextAfter(recurrence, at, zone)
    if (next > now) return { missed, at, isDue: now - at <= graceOf(recurrence), nextAt: next }
    missed.push(at)
    at = next
  }
}

const mostNamed = 20
const dayMs = 24 * 3_600_000

/** With the rights that the person has now. */
const lookUp = async (
  core: Core,
  schedule: Schedule,
  due: number,
  missed: readonly number[],
): Promise<Post> => {
  const framed = (view: View): View => framedFor(schedule, view, due, missed)
  const asker = await askerNow(core, schedule)
  try {
    const reply = await answerOf(core, asker, schedule)
    if (!reply.ok) return { view: framed(refusalView(reply.refusal)) }
    const { view, file } = reply.value
    return {
      view: framed({ ...view, actions: [] }),
      ...(file === undefined || file.path !== undefined || file.content.length > mostFile ? {} : { file }),
    }
  } catch (error) {
    return { view: framed(refusalView(refusalOf(core, error))) }
  }
}

const mostFile = 500_000

const askerNow = async (core: Core, { by }: Schedule): Promise<Asker> => {
  const groups = await askGroups(core, [by])
  const { known, person, name } = personOf(core.policy, { ...by, groups: [] })
  return { ...by, person, name, known, roles: rolesNow(core.policy, by, groups(by) ?? []) }
}

const answerOf = async (core: Core, asker: Asker, { line, channel }: Schedule): Promise<Result<Answer>> => {
  const found = lookUpIn(core, line)
  if (!found.ok) return found
  const { command, query, input } = found.value
  const refused = whyNotLookUp(core, asker, found.value)
  if (refused !== undefined) return no(refused)
  return runQuery(core, asker, command, query, input, { channel })
}

/** The run is over and its post is stored, in one step: what is stored is posted, however often that is tried. */
const finish = async (core: Core, schedule: Schedule, post: Post, at: number): Promise<void> => {
  await core.store.tx(async (store) => {
    if (!(await store.schedules.end(schedule.id, at))) return
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

/** In its channel, if the person may read it now; else in person. */
export const postScheduled = async (core: Core, { doc }: Task): Promise<void> => {
  const { platform, account, channel, view, file } = doc as Post & {
    platform: string
    account: string
    channel: string | null
  }
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
  title: `Missed: ${schedule.line}`,
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
