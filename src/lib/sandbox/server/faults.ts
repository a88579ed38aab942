import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { StandIn } from '../service-sandbox.ts'

export const faultKinds = [
  'delay',
  'status',
  'html',
  'drop_before',
  'drop_after',
  'hang_after',
  'rate_limit',
  'garbage',
  'huge',
  'wrong_shape',
] as const

const faultRule = z.strictObject({
  service: z.string().optional(),
  row: z.string().optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** The beginning of a path, with or without the service's prefix. */
  path: z.string().optional(),
  times: z.union([z.int().min(1), z.literal(Number.POSITIVE_INFINITY)]).default(1),
  kind: z.enum(faultKinds),
  ms: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  retryAfter: z.number().min(0).optional(),
})

export type FaultRule = z.input<typeof faultRule>

export type Fault = z.output<typeof faultRule>

/** Only what the sandbox has can fail. */
const ruleFor = (standIns: readonly StandIn[]) =>
  faultRule.extend({
    service: z.enum(standIns.map(({ service }) => service.name)).optional(),
    row: z.enum(standIns.flatMap(({ service }) => Object.keys(service.rows))).optional(),
  })

export interface Faults {
  add(rule: FaultRule): void
  /** What is wrong with a rule that came from outside, if something is. */
  whyNot(rule: unknown): string | undefined
  /** What a delay holds back is answered then. */
  clear(): void
  /** Waits for so long, or until the faults are cleared. */
  delay(ms: number, closing: AbortSignal): Promise<void>
  /** The first fault that fits is used up by one. */
  take(request: FaultTarget): Fault | undefined
}

interface FaultTarget {
  service: string
  method: string
  rawPath: string
  path: string
  row: string | undefined
}

export function createFaults(standIns: readonly StandIn[]): Faults {
  const schema = ruleFor(standIns)
  let pending: Fault[] = []
  let cleared = Promise.withResolvers<void>()
  return {
    add(rule) {
      pending.push(schema.parse(rule))
    },
    whyNot: (rule) => schema.safeParse(rule).error?.issues[0]?.message,
    clear() {
      pending = []
      cleared.resolve()
      cleared = Promise.withResolvers()
    },
    delay(ms, closing) {
      return Promise.race([wait(ms, undefined, { signal: closing }), cleared.promise])
    },
    take(request) {
      const fault = pending.find((one) => isFor(one, request))
      if (!fault) return undefined
      fault.times--
      pending = pending.filter((one) => one.times > 0)
      return fault
    },
  }
}

/** Faults that hide the answer of a request which took effect; the others stop it before. */
export function hasEffect({ kind, status }: Fault): boolean {
  if (kind === 'drop_before' || kind === 'rate_limit' || kind === 'status') return false
  if (kind === 'html') return status !== undefined && status < 300
  return status === undefined || status < 300
}

function isFor({ service, row, method, path }: Fault, request: FaultTarget): boolean {
  return (
    (service === undefined || service === request.service) &&
    (row === undefined || row === request.row) &&
    (method === undefined || method === request.method) &&
    (path === undefined || request.path.startsWith(path) || request.rawPath.startsWith(path))
  )
}
