import { z } from 'zod'
import { defined } from '../../src/defined.ts'
import { parseDuration } from '../../src/policy/duration.ts'

/** Reads "24h", "7d" or "2026-11-01"; undefined for anything else. */
export const toTime = (text: string, now: number): number | undefined => {
  const duration = parseDuration(text)
  if (duration !== null) return now - duration
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

export const timeParam = z
  .string()
  .refine((text) => toTime(text, 0) !== undefined, 'Write a time such as 24h, 7d or 2026-11-01.')

/** The filters that all audit commands share. */
export const filterParams = {
  who: z.string().optional().describe('A person: their id or name in bellhop.yml, or slack:U123'),
  command: z.string().optional().describe('A command or a noun, such as refund or "campaign send"'),
  since: timeParam.optional().describe('Only entries since then: 24h, 7d or 2026-11-01'),
}

export const toFilter = (
  {
    who,
    command,
    since,
  }: { who?: string | undefined; command?: string | undefined; since?: string | undefined },
  now: number,
) => ({
  ...defined({ who, command }),
  ...(since === undefined ? {} : { since: toTime(since, now) as number }),
})
