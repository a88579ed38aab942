import type { ServiceName } from '../../../src/services/endpoints/row.ts'

export type RefusalCase = readonly [
  why: string,
  service: ServiceName,
  status: number,
  request: string,
  body?: unknown,
]
