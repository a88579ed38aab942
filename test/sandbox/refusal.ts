import type { ServiceName } from '../../src/services/row.ts'

export type Refusal = readonly [
  why: string,
  service: ServiceName,
  status: number,
  request: string,
  body?: unknown,
]
