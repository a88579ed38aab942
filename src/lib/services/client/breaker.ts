import { after, msBetween, type Tick, type Ticks } from '../../clock.ts'

export type BreakerState = 'closed' | 'open' | 'half_open'

export type Ticket = { probe: boolean }

export type Breaker = {
  state(): BreakerState
  /** A ticket to go through, or how long it stays shut. Every ticket is given back with `report`. */
  enter(): Ticket | { shutForMs: number }
  report(ticket: Ticket, result: 'ok' | 'failed' | 'nothing'): void
}

/** Opens after so many failures in a row; when it has been open long enough, lets one call through and believes its result. */
export function createBreaker(
  { failures, openMs }: { failures: number; openMs: number },
  ticks: Ticks,
): Breaker {
  let inARow = 0
  let openedAt: Tick | undefined
  let probing = false

  const shutForMs = (since: Tick) => Math.max(0, msBetween(ticks(), after(since, openMs)))

  return {
    state: () => (openedAt === undefined ? 'closed' : shutForMs(openedAt) === 0 ? 'half_open' : 'open'),
    enter() {
      if (openedAt === undefined) return { probe: false }
      const restMs = shutForMs(openedAt)
      if (probing || restMs > 0) return { shutForMs: restMs }
      probing = true
      return { probe: true }
    },
    report(ticket, result) {
      if (ticket.probe) probing = false
      // What was sent before it opened says nothing about now.
      else if (openedAt !== undefined) return
      if (result === 'ok') {
        inARow = 0
        openedAt = undefined
      } else if (result === 'failed') {
        inARow += 1
        if (inARow >= failures) openedAt = ticks()
      }
    },
  }
}
