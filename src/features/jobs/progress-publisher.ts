import { changeFor } from '../../kernel/actors/delegates.ts'
import type { Actor } from '../../kernel/command/context.ts'
import type { OutFile } from '../../kernel/command/define.ts'
import type { Core } from '../../kernel/core.ts'
import type { Inbound } from '../../kernel/messenger/inbound.ts'
import { isRefusedForGood, type Messenger } from '../../kernel/messenger/messenger.ts'
import type { Change } from '../../kernel/model/change.ts'
import type { Job } from '../../kernel/store/bulk.ts'
import type { Store } from '../../kernel/store/store.ts'
import {
  aboutOf,
  type DeliveryCore,
  type DeliveryWay,
  deliver,
  firstTaken,
  waysTo,
} from '../../kernel/telling/deliver.ts'
import { isLately } from '../../lib/clock.ts'
import { formatNumber } from '../../lib/view/format-number.ts'
import { facts, note, type View } from '../../lib/view/view.ts'
import { failureHeader, failureLines } from './failures.ts'
import { isJobEnded, jobView } from './job-view.ts'

/** Platforms limit edits, and people do not read faster than this. */
const betweenMs = 2_000

/**
 * Updates the progress message of a job, and returns when to update it again. In the end a new message, which people
 * are notified of, takes its place: it reports the result, with everything that did not succeed as a file.
 */
export const showProgress = async (core: DeliveryCore, id: string): Promise<number | undefined> => {
  const job = await core.store.bulk.get(id)
  const change = job?.changeId ? await core.store.changes.get(job.changeId) : null
  const messenger = change === null ? undefined : core.messengers.get(change.origin.platform)
  if (job === null || change === null || messenger === undefined) return undefined
  const now = core.now()
  if (isLately(job.shownAt, betweenMs, now)) return job.shownAt + betweenMs
  const figures = await core.store.bulk.figures(id)
  const view = jobView(job, change, figures, now)
  if (isJobEnded(job.state) && figures.sending === 0) {
    await report(core, messenger, job, change, view)
    return undefined
  }
  await show(core, messenger, job, change, view)
  await core.store.bulk.shown(id, now)
  return job.state === 'running' || figures.sending > 0 ? now + betweenMs : undefined
}

/** The job that is named by its id or that of its change, as a line or a button names it, where the actor reaches the change. */
export const jobFor = async (
  core: Pick<Core, 'store' | 'policy'>,
  actor: Actor,
  given: string,
): Promise<{ job: Job; change: Change } | undefined> => {
  const { bulk } = core.store
  const id = given.split('.')[0] ?? ''
  const job = (await bulk.get(id)) ?? (await bulk.ofChange(id))
  const change = job?.changeId ? await changeFor(core, actor, job.changeId) : null
  return job === null || change === null ? undefined : { job, change }
}

/** A press on a copy that is not the progress message itself: the copy shows how the job stands now. */
export const showJob = async (
  core: DeliveryCore,
  actor: Actor,
  button: string,
  { pressedOn, from: { platform } }: Pick<Inbound, 'pressedOn' | 'from'>,
): Promise<void> => {
  const found = await jobFor(core, actor, button)
  if (pressedOn === undefined || found === undefined || found.job.progressMessage === pressedOn) return
  const { job, change } = found
  const view = jobView(job, change, await core.store.bulk.figures(job.id), core.now())
  await core.messengers.get(platform)?.edit(pressedOn, view)
}

/** The progress message shows the last state before it goes: not every platform lets us remove every message. */
const report = async (
  core: DeliveryCore,
  messenger: Messenger,
  job: Job,
  change: Change,
  view: View,
): Promise<void> => {
  const { progressMessage: before } = job
  if (before !== null && job.summaryMessage === null) await ifTaken(() => messenger.edit(before, view))
  await summarize(core, job, change)
  if (before !== null) await ifTaken(async () => messenger.remove?.(before))
}

/** What a platform refuses for good stays as it is. */
const ifTaken = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
  }
}

/** In place of an address: no messenger took it. */
const nowhere = 'nowhere'

const show = async (
  core: DeliveryCore,
  messenger: Messenger,
  job: Job,
  change: Change,
  view: View,
): Promise<void> => {
  if (job.progressMessage === nowhere) return
  if (job.progressMessage !== null) {
    try {
      return await messenger.edit(job.progressMessage, view)
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
    }
  }
  // An address means something to its own messenger only, so progress is shown nowhere else.
  const ways = waysToShow(core, change, view).filter(({ platform }) => platform === messenger.platform)
  const { sent } = await firstTaken(core, messageOf(change), ways)
  await core.store.bulk.setMessage(job.id, 'progress', sent?.value ?? nowhere)
}

const summarize = async (core: DeliveryCore, job: Job, change: Change): Promise<void> => {
  if (job.summaryMessage !== null) return
  const { view, file } = await summaryOf(core.store, job, change, core.now())
  const sent = await deliver(core, messageOf(change), waysToShow(core, change, view, file))
  await core.store.bulk.setMessage(job.id, 'summary', sent?.value ?? nowhere)
}

/** The result of a job in words and, if something went wrong, as a file. */
export const summaryOf = async (
  store: Store,
  job: Job,
  change: Change,
  now: number,
): Promise<{ view: View; file?: OutFile }> => {
  const figures = await store.bulk.figures(job.id)
  const { actions: _, ...shown } = jobView(job, change, figures, now)
  const told = figures.failed + figures.unknown + figures.left + figures.noted
  if (told === 0) return { view: shown }
  const lines = [failureHeader]
  for await (const line of failureLines(store, job.id)) lines.push(line)
  return {
    view: {
      ...shown,
      blocks: [
        ...shown.blocks,
        facts({
          'In the file': `${formatNumber(lines.length - 1)} that did not go as asked, with the reasons`,
        }),
        ...(figures.unknown > 0
          ? [
              note(
                'warn',
                'Items with an unknown outcome are not tried again automatically: check them first.',
              ),
            ]
          : []),
      ],
    },
    file: { name: `job-${job.id}.csv`, type: 'text/csv', content: lines.join('') },
  }
}

/** Where the job was requested or, if that place does not accept messages, a direct message. */
const waysToShow = (
  core: DeliveryCore,
  { origin, requester }: Change,
  view: View,
  file?: OutFile,
): DeliveryWay<string>[] => [
  ...(origin.waits
    ? []
    : [
        {
          platform: origin.platform,
          send: (messenger: Messenger) =>
            messenger.post({ channel: origin.channel, handle: origin.handle, onlyFor: null }, view, file),
        },
      ]),
  ...waysTo(core, requester, (messenger, account) => messenger.direct(account, view, file)),
]

const messageOf = (change: Change) => ({
  kind: 'progress' as const,
  to: change.requester.name,
  about: aboutOf(change),
})
