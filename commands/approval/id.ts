import { z } from 'zod'

export const changeId = z
  .string()
  .min(1, 'Give the id of the change; approval list shows them.')
  .max(40, 'That is too long for an id; approval list shows them.')
  .describe('The id of the change, as its card shows it')
  .meta({ kind: 'change' })

export const reason = z
  .string()
  .trim()
  .min(1, 'Say why in a few words.')
  .max(500, 'A reason has at most 500 characters.')

/** A question or an answer. */
export const words = z
  .string()
  .trim()
  .min(1, 'Say it in a few words.')
  .max(500, 'It has at most 500 characters.')

/** One, or several to be decided at once. */
export const changeIds = z
  .array(z.string().min(1, 'Give the id of the change; approval list shows them.').max(60))
  .min(1, 'Give the id of the change; approval list shows them.')
  .max(25, 'At most 25 changes are decided at once.')
  .describe('The id of the change, as its card shows it, or several of them')
  .meta({ kind: 'change', rest: true })
