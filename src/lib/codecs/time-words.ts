import { momentsOf, utcOf, type WallTime, wallTimeAt } from '../view/zones.ts'

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

export type Clock = { hour: number; minute: number }

type Day =
  | { kind: 'ahead'; days: number }
  /** Of the week after this one, or whichever comes first. */
  | { kind: 'weekday'; weekday: number; isNext: boolean }
  | { kind: 'date'; day: number; month: number; year: number | undefined }
  /** "the 15th": of this month, or of the next one. */
  | { kind: 'ofMonth'; day: number }
  | { kind: 'end'; of: 'day' | 'week' | 'month' | 'year' }

/** A day, a time of day, or both, as people write them. */
export type SpokenTime = { day?: Day; clock?: Clock }

/** Who names a day and no time means when work begins. */
export const usualClock: Clock = { hour: 9, minute: 0 }
/** And who says the end of something, when work ends. */
const lastClock: Clock = { hour: 17, minute: 0 }

const leadIn: ReadonlySet<string> = new Set(['on', 'by', 'until', 'till', 'til', 'from', 'the', 'this', 'of'])

const namedClocks: Readonly<Record<string, Clock>> = {
  noon: { hour: 12, minute: 0 },
  midday: { hour: 12, minute: 0 },
  midnight: { hour: 0, minute: 0 },
  morning: usualClock,
  afternoon: { hour: 14, minute: 0 },
  evening: { hour: 18, minute: 0 },
  tonight: { hour: 20, minute: 0 },
}

const endsOf: Readonly<Record<string, Extract<Day, { kind: 'end' }>['of'] | undefined>> = {
  'end-of-day': 'day',
  eod: 'day',
  'end-of-week': 'week',
  eow: 'week',
  'end-of-month': 'month',
  eom: 'month',
  'end-of-year': 'year',
}

/** Whatever stands for a date as a day and a month: "the 3rd of December", "December the 3rd", "the first of May". */
const plainDates = (text: string): string =>
  text
    .replace(/\b(first|second|third)(?= (?:of )?(?:the )?[a-z]{3})/g, (word) => {
      const at = ['first', 'second', 'third'].indexOf(word)
      return ['1st', '2nd', '3rd'][at] as string
    })
    .replace(/\b(\d{1,2}(?:st|nd|rd|th)?) of (?=[a-z]{3})/g, '$1 ')
    .replace(/\b([a-z]{3,9}) the (?=\d{1,2}(?:st|nd|rd|th)\b)/g, '$1 ')

/** `tomorrow`, `next monday 9:00`, `9am tomorrow`, `friday`, `20 nov at 14:30`; undefined where a word is none of a time. */
export const spokenTime = (text: string): SpokenTime | undefined => {
  const whole = text
    .trim()
    .toLowerCase()
    .replace(/,/g, ' ')
    .replace(/\bday after tomorrow\b/g, 'overmorrow')
    .replace(/\bo['’]clock\b/g, 'oclock')
    .replace(/\bend of (?:the |this )?(day|week|month|year)\b/g, 'end-of-$1')
  const words = plainDates(whole).split(/\s+/)
  const spoken: SpokenTime = {}
  let isNext = false
  let isAt = false
  const putDay = (day: Day): boolean => {
    if (spoken.day !== undefined) return false
    spoken.day = day
    return true
  }
  const putClock = (clock: Clock | undefined): boolean => {
    if (clock === undefined || spoken.clock !== undefined) return false
    spoken.clock = clock
    return true
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    const after = words[at + 1]
    const half = after === 'am' || after === 'pm' ? after : undefined
    if (leadIn.has(word)) continue
    if (word === 'at') {
      isAt = true
      continue
    }
    if (word === 'next') {
      isNext = true
      continue
    }
    const named = Object.hasOwn(namedClocks, word) ? namedClocks[word] : undefined
    if (named !== undefined) {
      if (word === 'tonight' && !putDay({ kind: 'ahead', days: 0 })) return undefined
      if (!putClock(named)) return undefined
      continue
    }
    if (word === 'today' || word === 'tomorrow' || word === 'overmorrow') {
      if (!putDay({ kind: 'ahead', days: ['today', 'tomorrow', 'overmorrow'].indexOf(word) }))
        return undefined
      continue
    }
    const ends = endsOf[word]
    if (ends !== undefined) {
      if (!putDay({ kind: 'end', of: ends })) return undefined
      continue
    }
    if (word === 'week' && isNext) {
      if (!putDay({ kind: 'weekday', weekday: 1, isNext: true })) return undefined
      continue
    }
    const weekday = weekdayOf(word)
    if (weekday !== undefined) {
      if (!putDay({ kind: 'weekday', weekday, isNext })) return undefined
      continue
    }
    const dated = dateAt(words, at)
    if (dated !== undefined) {
      if (!putDay(dated.day)) return undefined
      at += dated.length - 1
      continue
    }
    const [, ofMonth] = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word) ?? []
    if (ofMonth !== undefined) {
      if (Number(ofMonth) < 1 || Number(ofMonth) > 31) return undefined
      if (!putDay({ kind: 'ofMonth', day: Number(ofMonth) })) return undefined
      continue
    }
    const [, hours, minutes, joined] = /^(\d{1,2})(?:[:.h](\d\d))?(am|pm)?$/.exec(word) ?? []
    if (hours === undefined) return undefined
    const isClock = minutes !== undefined || joined !== undefined || half !== undefined || after === 'oclock'
    if (!isClock && !isAt && spoken.day === undefined) return undefined
    if (!putClock(clockOf(hours, minutes, joined ?? half))) return undefined
    if (half !== undefined || after === 'oclock') at++
  }
  if (isNext && spoken.day?.kind !== 'weekday') return undefined
  return spoken.day === undefined && spoken.clock === undefined ? undefined : spoken
}

const dateAt = (words: readonly string[], at: number): { day: Day; length: number } | undefined => {
  const figures = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/.exec(words[at] ?? '')
  if (figures !== null) {
    const [, day, month, year] = figures
    return { day: dateOf(Number(day), Number(month), year), length: 1 }
  }
  const dayOf = (word: string | undefined) => /^(\d{1,2})(?:st|nd|rd|th|\.)?$/.exec(word ?? '')?.[1]
  const first = words[at]
  const second = words[at + 1]
  const isFirst = monthOf(first) !== undefined
  const month = isFirst ? monthOf(first) : monthOf(second)
  const day = dayOf(isFirst ? second : first)
  if (month === undefined || day === undefined) return undefined
  const year = /^\d{4}$/.exec(words[at + 2] ?? '')?.[0]
  return { day: dateOf(Number(day), month, year), length: year === undefined ? 2 : 3 }
}

const dateOf = (day: number, month: number, year: string | undefined): Day => ({
  kind: 'date',
  day,
  month,
  year: year === undefined ? undefined : Number(year),
})

const monthOf = (word: string | undefined): number | undefined => {
  const at = word === undefined || word.length < 3 ? -1 : months.findIndex((name) => name.startsWith(word))
  return at === -1 ? undefined : at + 1
}

/** 0 is Sunday; three letters are enough. */
export const weekdayOf = (word: string): number | undefined => {
  const at = word.length < 3 ? -1 : weekdays.findIndex((name) => name.startsWith(word.replace(/s$/, '')))
  return at === -1 ? undefined : at
}

export const clockOf = (hours: string, minutes = '0', half?: string): Clock | undefined => {
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0))
    return undefined
  return { hour: half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0), minute }
}

/** The clock on the wall that was meant, from now on; undefined for a date that does not exist. */
export const wallTimeOf = (
  { day, clock = day?.kind === 'end' ? lastClock : usualClock }: SpokenTime,
  now: number,
  zone: string,
): WallTime | undefined => {
  const today = wallTimeAt(now, zone)
  const on = (days: number): WallTime => ({ ...daysFrom(today, days), ...clock, second: 0 })
  const isOver = utcOf(on(0)) <= utcOf(today)
  if (day === undefined) return on(isOver ? 1 : 0)
  if (day.kind === 'ahead') return on(day.days)
  if (day.kind === 'end') return endOn(day.of, today, on, isOver)
  if (day.kind === 'weekday') {
    const current = new Date(utcOf(on(0))).getUTCDay()
    const ahead = (day.weekday - current + 7) % 7
    // A week begins on Monday: the next one is the one after this.
    if (day.isNext) return on(((day.weekday + 6) % 7) + 7 - ((current + 6) % 7))
    return on(ahead === 0 && isOver ? 7 : ahead)
  }
  if (day.kind === 'ofMonth') {
    const fitting = [0, 1, 2].map((ahead): WallTime | undefined => {
      const date = new Date(Date.UTC(today.year, today.month - 1 + ahead, day.day))
      const wall = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: day.day }
      return date.getUTCDate() === day.day ? { ...wall, ...clock, second: 0 } : undefined
    })
    return fitting.find((one) => one !== undefined && utcOf(one) > utcOf(today))
  }
  const dated = (year: number): WallTime | undefined => {
    const wall = { year, month: day.month, day: day.day, ...clock, second: 0 }
    const date = new Date(utcOf(wall))
    return date.getUTCMonth() + 1 === day.month && date.getUTCDate() === day.day ? wall : undefined
  }
  if (day.year !== undefined) return dated(day.year)
  const thisYear = dated(today.year)
  return thisYear !== undefined && utcOf(thisYear) > utcOf(today) ? thisYear : dated(today.year + 1)
}

/** The last working day of a week is Friday. What ended today is that of the next one. */
const endOn = (
  of: Extract<Day, { kind: 'end' }>['of'],
  today: WallTime,
  on: (days: number) => WallTime,
  isOver: boolean,
): WallTime => {
  if (of === 'day') return on(isOver ? 1 : 0)
  const current = new Date(utcOf(on(0))).getUTCDay()
  if (of === 'week') return on(isOver && current === 5 ? 7 : (5 - current + 7) % 7)
  const lastOf = (ahead: number) =>
    of === 'month' ? Date.UTC(today.year, today.month + ahead, 0) : Date.UTC(today.year + 1 + ahead, 0, 0)
  const daysTo = (ahead: number) =>
    Math.round((lastOf(ahead) - Date.UTC(today.year, today.month - 1, today.day)) / 86_400_000)
  return on(daysTo(0) === 0 && isOver ? daysTo(1) : daysTo(0))
}

const daysFrom = ({ year, month, day }: WallTime, days: number) => {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/**
 * How often, as `readRecurrence` has it: `every monday at 9` is `monday 9:00`, `daily` is `day 9:00`, `every 2 hours` is
 * `2h`, `every other friday` is `other friday 9:00`, `the last of every month` is `month last 9:00`.
 */
export const spokenRecurrence = (written: string): string | undefined => {
  const whole = written.trim().toLowerCase().replace(/\s+/g, ' ')
  const monthly = spokenMonthly(whole)
  if (monthly !== undefined) return monthly
  const text = whole.replace(/^(?:every|each|on) /, '')
  const [, second] = /^(?:other|second|(?:2|two) weeks on) (.+)$/.exec(text) ?? []
  if (second !== undefined) {
    const weekly = spokenRecurrence(second)
    return weekly !== undefined && weekdayOf(weekly.split(/[, ]/)[0] as string) !== undefined
      ? `other ${weekly}`
      : undefined
  }
  const span = /^(\d{1,4} )?(hour|day|week)s?$/.exec(text)
  if (/^hourly$/.test(text) || span?.[2] === 'hour') return `${Number(span?.[1] ?? 1)}h`
  if (span?.[2] !== undefined && span[1] !== undefined)
    return `${Number(span[1]) * (span[2] === 'week' ? 7 : 1)}d`
  const words = text
    .replace(/[,&]/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && word !== 'and')
  const isDay = (word: string | undefined) => word !== undefined && weekdayOf(word) !== undefined
  const firstOther = words.findIndex((word) => !isDay(word))
  const named = words.slice(0, firstOther === -1 ? words.length : firstOther)
  const isWorking = words[0] === 'working' && /^days?$/.test(words[1] ?? '')
  const days = isWorking ? 'workday' : named.length > 0 ? 'named' : (words[0] ?? '')
  const rest = words.slice(isWorking ? 2 : Math.max(1, named.length)).join(' ')
  if (!/^(?:daily|days?|weekdays?|workdays?|weekly|week|morning|evening|noon|named)$/.test(days))
    return undefined
  const clock = rest === '' ? (namedClocks[days] ?? usualClock) : spokenTime(`at ${rest.replace(/^at /, '')}`)
  const read =
    clock === undefined || 'hour' in clock ? clock : clock.day === undefined ? clock.clock : undefined
  if (read === undefined) return undefined
  const time = `${read.hour}:${String(read.minute).padStart(2, '0')}`
  if (/^(daily|days?|morning|evening|noon)$/.test(days)) return `day ${time}`
  if (/^work/.test(days) || /^weekdays?$/.test(days)) return `weekday ${time}`
  if (/^week/.test(days)) return `monday ${time}`
  return `${named.map((day) => weekdays[weekdayOf(day) as number]).join(', ')} ${time}`
}

/** `monthly`, `the first of every month at 8`, `every month on the 15th`, `end of each month`, `month last 9:00`. */
const spokenMonthly = (text: string): string | undefined => {
  const [, day, of, time, other, otherTime] =
    /^(?:on |at )?(?:the )?(first|1st|last|end|\d\d?(?:st|nd|rd|th)?)(?: day)? (of (?:every|each) month)(?: at (.+))?$|^(?:every |each )?month(?:ly)?(?:(?: on)?(?: the)? (first|last|\d\d?(?:st|nd|rd|th)?))?(?: day)?(?: (?:at )?(\S+(?: [ap]m)?))?$/.exec(
      text,
    ) ?? []
  if (of === undefined && !/^(?:every |each )?month/.test(text)) return undefined
  const said = day ?? other ?? 'first'
  const number = said === 'first' ? 1 : Number.parseInt(said, 10)
  const on = said === 'last' || said === 'end' ? 'last' : number
  const written = time ?? otherTime
  const clock = written === undefined ? usualClock : spokenTime(`at ${written}`)?.clock
  if (clock === undefined || on === 0 || Number(on) > 31) return undefined
  return `month ${on} ${clock.hour}:${String(clock.minute).padStart(2, '0')}`
}

const spans: Readonly<Record<string, number>> = {
  h: 1 / 24,
  hour: 1 / 24,
  d: 1,
  day: 1,
  w: 7,
  week: 7,
  month: 30,
  year: 365,
}

/** From its first moment to the one at which it is over. A moment is over as it begins. */
export type PastSpan = { from: number; to: number; unit?: 'month' | 'quarter' }

/** "early october", "mid october", "end of october": ten days, ten days and the rest. */
const thirdOf = ({ from, to }: PastSpan, third: number, zone: string): PastSpan => {
  const start = wallTimeAt(from, zone)
  const at = (days: number): number =>
    momentsOf({ ...start, ...daysFrom(start, days) }, zone)[0] ??
    utcOf({ ...start, ...daysFrom(start, days) })
  return { from: at(third * 10), to: third === 2 ? to : at(third * 10 + 10) }
}

const quarters = ['first', 'second', 'third', 'fourth']

/**
 * A time that has begun: `yesterday`, `this month`, `last quarter`, `october`, `q2 2026`, `monday`, `3 days ago`, `last 7 days`,
 * `1 nov`, `2026-10`. In the zone of whoever says it.
 */
export const spokenPast = (written: string, now: number, zone: string): PastSpan | undefined => {
  const text = plainDates(
    written
      .trim()
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/^(?:since|from|until|till|up to|(?:in|on|of)(?= [a-z])|on(?= \d)) /, '')
      .replace(/^the /, ''),
  )
  const today = wallTimeAt(now, zone)
  const startOf = (wall: Pick<WallTime, 'year' | 'month' | 'day'>): number =>
    momentsOf({ ...wall, hour: 0, minute: 0, second: 0 }, zone)[0] ??
    utcOf({ ...wall, hour: 0, minute: 0, second: 0 })
  const days = (ago: number, count = 1): PastSpan => ({
    from: startOf(daysFrom(today, -ago)),
    to: startOf(daysFrom(today, count - ago)),
  })
  const months = (year: number, first: number, count: number): PastSpan => {
    const at = (more: number) => {
      const date = new Date(Date.UTC(year, first - 1 + more, 1))
      return startOf({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: 1 })
    }
    const unit = { 1: 'month' as const, 3: 'quarter' as const }[count]
    return { from: at(0), to: at(count), ...(unit === undefined ? {} : { unit }) }
  }
  /** Of those that have begun, the last. */
  const latest = (first: number, count: number, year: string | undefined): PastSpan =>
    months(year === undefined ? today.year - (first > today.month ? 1 : 0) : Number(year), first, count)
  const current = new Date(utcOf({ ...today, hour: 12 })).getUTCDay()
  if (text === 'now') return { from: now, to: now }
  if (text === 'today') return days(0)
  if (text === 'yesterday' || text === 'last night') return days(1)
  if (text === 'day before yesterday') return days(2)
  if (/^this (?:morning|afternoon|evening)$/.test(text)) return days(0)
  const [, count = '1', unit] =
    /^(?:last |past )?(\d{1,4}) ?(h|hour|d|day|w|week|month|year)s?(?: ago)?$/.exec(text) ?? []
  if (unit !== undefined) {
    const at = now - Number(count) * (spans[unit] as number) * 86_400_000
    return { from: at, to: at }
  }
  const [, share, of = ''] =
    /^(start|beginning|early|mid|middle|end|late)(?: of)?(?: the)? (.+)$/.exec(text) ?? []
  if (share !== undefined) {
    const span = spokenPast(of, now, zone)
    return span?.unit === 'month'
      ? thirdOf(span, /^[sbe]/.test(share) && share !== 'end' ? 0 : /^m/.test(share) ? 1 : 2, zone)
      : undefined
  }
  const [, which, period] = /^(this|last|previous|current) (week|month|quarter|year)$/.exec(text) ?? []
  if (period !== undefined) {
    const before = which === 'last' || which === 'previous' ? 1 : 0
    if (period === 'week') return days(((current + 6) % 7) + 7 * before, 7)
    if (period === 'month') return months(today.year, today.month - before, 1)
    if (period === 'quarter') return months(today.year, today.month - ((today.month - 1) % 3) - 3 * before, 3)
    return months(today.year - before, 1, 12)
  }
  const [, figure, word, otherFigure, ofYear] =
    /^(?:q([1-4])|(first|second|third|fourth) quarter|([1-4])(?:st|nd|rd|th) quarter)(?:(?: of)? (\d{4}))?$/.exec(
      text,
    ) ?? []
  const quarter = Number(figure ?? otherFigure ?? quarters.indexOf(word ?? '') + 1)
  if (quarter > 0) return latest(quarter * 3 - 2, 3, ofYear)
  const [, inYear, inMonth] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (inMonth !== undefined) return latest(Number(inMonth), 1, inYear)
  if (/^20\d\d$/.test(text)) return months(Number(text), 1, 12)
  const [name, year, ...more] = text.replace(/^last /, '').split(/,? (?:of )?/)
  const month = monthOf(name)
  if (month !== undefined && more.length === 0 && (year === undefined || /^\d{4}$/.test(year)))
    return latest(month, 1, year)
  const weekday = weekdayOf(text.replace(/^(?:last|this) /, ''))
  if (weekday !== undefined) return days((current - weekday + 7) % 7 || (text.startsWith('last ') ? 7 : 0))
  const [, ofMonth] = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(text) ?? []
  if (ofMonth !== undefined) {
    const back = Number(ofMonth) > today.day ? 1 : 0
    const begun = new Date(Date.UTC(today.year, today.month - 1 - back, Number(ofMonth)))
    if (begun.getUTCDate() !== Number(ofMonth)) return undefined
    const wall = { year: begun.getUTCFullYear(), month: begun.getUTCMonth() + 1, day: Number(ofMonth) }
    return { from: startOf(wall), to: startOf(daysFrom({ ...today, ...wall }, 1)) }
  }
  const { day: dated, length } = dateAt(text.split(' '), 0) ?? {}
  if (dated?.kind !== 'date' || length !== text.split(' ').length) return undefined
  const on = (of: number): PastSpan => {
    const wall = { year: of, month: dated.month, day: dated.day }
    return { from: startOf(wall), to: startOf(daysFrom({ ...today, ...wall }, 1)) }
  }
  const thisYear = on(dated.year ?? today.year)
  return dated.year === undefined && thisYear.from > now ? on(today.year - 1) : thisYear
}
