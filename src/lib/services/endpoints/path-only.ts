import { z } from 'zod'
import type { Row } from './row.ts'

/** Rows that the documents list only by method and path: whatever JSON is given goes out, whatever comes back is kept. */
export const openRead = <const R extends Pick<Row, 'path' | 'noun' | 'summary' | 'params' | 'byQuery'>>(
  row: R,
) => ({ ...row, method: 'GET', effect: 'read', shown: false, query: openQuery, answer: z.unknown() }) as const

export const openWrite = <const R extends Omit<Row, 'shown' | 'query' | 'body' | 'answer'>>(row: R) =>
  ({ ...row, shown: false, query: openQuery, body: openBody, answer: z.unknown() }) as const

const scalar = z.union([z.string(), z.number(), z.boolean()])

const openQuery = z.record(z.string(), z.union([scalar, z.array(scalar)])).optional()

const openBody = z.record(z.string(), z.json().optional()).optional()
