import { after, msBetween, type Ticks } from '../../clock.ts'

export type Deadline = {
  /** Aborts when the time is up or when somebody cancels. */
  signal: AbortSignal
  leftMs(): number
  /** Whether it was somebody's wish, not the clock. */
  wasCancelled(): boolean
  stop(): void
}

/** One signal for the whole of a call. Made by hand because AbortSignal.any keeps every call alive on a signal that never fires. */
export function startDeadline(
  ms: number,
  ticks: Ticks,
  cancels: readonly (AbortSignal | undefined)[],
): Deadline {
  const controller = new AbortController()
  const end = after(ticks(), ms)
  let cancelled = false
  const cancel = () => {
    cancelled = true
    controller.abort(new Error('cancelled'))
  }
  const timer = setTimeout(() => controller.abort(new Error('the deadline has passed')), ms)
  for (const signal of cancels) {
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel)
  }
  return {
    signal: controller.signal,
    leftMs: () => (controller.signal.aborted ? 0 : Math.max(0, msBetween(ticks(), end))),
    wasCancelled: () => cancelled,
    stop() {
      clearTimeout(timer)
      for (const signal of cancels) signal?.removeEventListener('abort', cancel)
    },
  }
}
