import type { OwnName as ServiceName } from '../../../sandbox/sandbox.ts'

export type RefusalCase = readonly [
  why: string,
  service: ServiceName,
  status: number,
  request: string,
  body?: unknown,
]
