import { untilStored } from '../../kernel/claims/until-stored.ts'
import type { Worked } from '../../kernel/command/define.ts'
import { refusalOf, serviceRefusal } from '../../kernel/context/error-refusals.ts'
import type { Core } from '../../kernel/core.ts'
import type { Chunk, Finish } from '../../kernel/store/bulk.ts'
import { fateOf, isServiceError, type ServiceError } from '../../lib/services/errors.ts'

/** The result of a chunk, and the error that matters for the next chunks. */
export type ChunkResult = { end: Finish; error?: ServiceError | undefined }

/** Processes one chunk and returns what happened to its items. Never throws. */
export const workOnChunk = async (
  core: Pick<Core, 'log' | 'newId'>,
  chunk: Chunk,
  work: (items: readonly unknown[]) => Promise<Worked>,
): Promise<ChunkResult> => {
  const count = chunk.items.length
  const { done, failed, unknown, troubles } = chunk
  const before = { done, failed, unknown, troubles, error: null }
  try {
    const worked = await work(chunk.items)
    const bad = (outcome: 'failed' | 'unknown') =>
      worked.troubles.filter((trouble) => trouble.outcome === outcome).length
    const end = {
      ...before,
      done: done + worked.done,
      failed: failed + bad('failed'),
      unknown: unknown + bad('unknown'),
      troubles: [...troubles, ...worked.troubles],
    }
    if (worked.rest === undefined) return { end: { ...end, state: 'sent' } }
    return { end: { ...end, state: 'pending', items: worked.rest }, error: worked.why }
  } catch (error) {
    if (!isServiceError(error)) {
      const why = refusalOf(core, error).message
      return { end: { ...before, state: 'unknown', unknown: unknown + count, error: why } }
    }
    const why = serviceRefusal(error).message
    switch (fateOf(error)) {
      case 'back':
        return { end: { ...before, state: 'pending', error: why }, error }
      case 'failed':
        return { end: { ...before, state: 'failed', failed: failed + count, error: why }, error }
      case 'unknown':
        return { end: { ...before, state: 'unknown', unknown: unknown + count, error: why }, error }
    }
  }
}

export const storeChunkEnd = async (core: Core, chunk: Chunk, end: Finish): Promise<void> => {
  const fields = { job: chunk.jobId, chunk: chunk.n }
  const { bulk } = core.store
  const isOurs = await untilStored(
    core,
    fields,
    async () =>
      (await bulk.finish(chunk, core.process, end)) ||
      (end.state === 'pending' && (await bulk.finish(chunk, core.process, leftOut(chunk, end)))),
  )
  if (!isOurs) core.log.error(fields, 'a chunk was settled by somebody else')
}

/** A chunk that was given up meanwhile is nobody's to send: what was not sent of it stays unsent. */
const leftOut = (chunk: Chunk, end: Finish): Finish => ({
  ...end,
  state: 'failed',
  failed: end.failed + (end.items ?? chunk.items).length,
  error: end.error ?? 'Nothing was sent.',
})
