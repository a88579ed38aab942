import { day } from '../../../src/lib/sandbox/endpoint/deterministic.ts'

/** The end of a term that starts at `start`; a month that is too short ends on its last day. */
export function termEnd(start: number, period: string, count: number): number {
  if (period === 'w') return start + 7 * count * day
  const date = new Date(start)
  const months = period === 'y' ? 12 * count : count
  const target = new Date(start)
  target.setUTCDate(1)
  target.setUTCMonth(date.getUTCMonth() + months)
  target.setUTCDate(Math.min(date.getUTCDate(), lastDayOf(target.getUTCFullYear(), target.getUTCMonth())))
  return target.getTime()
}

export interface Term {
  start: number
  end: number
}

/** The term that `now` falls in: a subscription nobody touched has been renewing all along. */
export function termAt(first: Term, period: string, count: number, now: number): Term {
  let term = first
  while (term.end <= now) term = { start: term.end, end: termEnd(term.end, period, count) }
  return term
}

export const paymentTerms = ['net0', 'net15', 'net30', 'net45', 'net60', 'neteom', 'neteonm'] as const

export function dueDate(now: number, term: string): number {
  const date = new Date(now)
  if (term === 'neteom' || term === 'neteonm') {
    // Day 0 of a month is the last day of the one before it.
    const ahead = term === 'neteom' ? 1 : 2
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, 0, 23, 59, 59)
  }
  return now + Number(term.slice('net'.length)) * day
}

const lastDayOf = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
