import type { Change } from '../approvals/change.ts'
import { type Messenger, MessengerError, type Place } from '../approvals/messenger.ts'
import type { OutFile } from '../command/define.ts'
import type { World } from '../pipeline/world.ts'
import type { Job } from '../storage/bulk.ts'
import type { Store } from '../storage/store.ts'
import { number } from '../view/format.ts'
import { facts, note, type View } from '../view/view.ts'
import { failureHeader, failureLines } from './failures.ts'
import { isEnded, jobView } from './progress.ts'

/** Platforms limit edits, and nobody reads faster. */
const betweenMs = 2_000

type Told = Pick<World, 'store' | 'messengers' | 'now' | 'log'>

/** There is something new to show of a job. */
export const putProgress = (store: Pick<Store, 'tasks'>, id: string, dueAt: number): Promise<void> =>
  store.tasks.put({ kind: 'progress', key: `progress:${id}`, doc: { id }, dueAt })

/**
 * Brings the one progress message of a job up to date, and says when to look again. The last state is always shown;
 * after it, one more message tells the end, with everything that did not go well as a file.
 */
export const showProgress = async (world: Told, id: string): Promise<number | undefined> => {
  const job = await world.store.bulk.get(id)
  const change = job?.changeId ? await world.store.changes.get(job.changeId) : null
  const messenger = change === null ? undefined : world.messengers.get(change.origin.platform)
  if (job === null || change === null || messenger === undefined) return undefined
  const now = world.now()
  if (now < job.shownAt + betweenMs) return job.shownAt + betweenMs
  const figures = await world.store.bulk.figures(id)
  await show(world, messenger, job, change, jobView(job, change, figures, now))
  await world.store.bulk.shown(id, now)
  if (job.state === 'running' || figures.sending > 0) return now + betweenMs
  if (isEnded(job.state)) await summarize(world, messenger, job, change)
  return undefined
}

const show = async (
  world: Told,
  messenger: Messenger,
  job: Job,
  change: Change,
  view: View,
): Promise<void> => {
  const { platform } = messenger
  const shown = (await world.store.cards.of(job.id)).find(({ place }) => place === 'progress')
  if (shown !== undefined) {
    try {
      return await messenger.edit(shown.address, view)
    } catch (error) {
      if (!isGone(error)) throw error
      await world.store.cards.remove(job.id, platform, shown.address)
    }
  }
  const address = await postOrDirect(world, messenger, change, view)
  await world.store.cards.add({ changeId: job.id, platform, address, place: 'progress' })
}

const summarize = async (world: Told, messenger: Messenger, job: Job, change: Change): Promise<void> => {
  const { platform } = messenger
  const isTold = (await world.store.cards.of(job.id)).some(({ place }) => place === 'summary')
  if (isTold) return
  const { view, file } = await summaryOf(world.store, job, change, world.now())
  const address = await postOrDirect(world, messenger, change, view, file)
  await world.store.cards.add({ changeId: job.id, platform, address, place: 'summary' })
}

/** The end of a job in words and, where something went wrong, as a file. */
export const summaryOf = async (
  store: Store,
  job: Job,
  change: Change,
  now: number,
): Promise<{ view: View; file?: OutFile }> => {
  const figures = await store.bulk.figures(job.id)
  const { actions: _, ...shown } = jobView(job, change, figures, now)
  const bad = figures.failed + figures.unknown + figures.left
  if (bad === 0) return { view: shown }
  const lines = [failureHeader]
  for await (const line of failureLines(store, job.id)) lines.push(line)
  return {
    view: {
      ...shown,
      blocks: [
        ...shown.blocks,
        facts({ 'In the file': `${number(lines.length - 1)} that did not go well, and why` }),
        ...(figures.unknown > 0
          ? [note('warn', 'What nobody knows about is not tried again by itself: look first.')]
          : []),
      ],
    },
    file: { name: `job-${job.id}.csv`, type: 'text/csv', content: lines.join('') },
  }
}

/** Where it was asked for; a place that is closed to us is no reason to say nothing. */
const postOrDirect = async (
  world: Told,
  messenger: Messenger,
  { origin, requester, id }: Change,
  view: View,
  file?: OutFile,
): Promise<string> => {
  const place: Place = { channel: origin.channel, handle: origin.handle, onlyFor: null }
  try {
    return await messenger.post(place, view, file)
  } catch (error) {
    if (!isGone(error)) throw error
    world.log.warn({ err: error, changeId: id }, 'progress is told aside')
    return messenger.direct(requester.account, view, file)
  }
}

const isGone = (error: unknown): boolean => error instanceof MessengerError && error.kind === 'gone'
