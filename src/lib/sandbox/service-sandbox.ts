import type { CallInput } from '../services/endpoints/open-record.ts'
import type { Rows, Service } from '../services/endpoints/row.ts'
import type { Handler } from './endpoint/handler.ts'

/** What rows that share a method and a path are told apart by. */
export type Picking<State> = {
  /** The first value in the path. */
  key: string
  query: URLSearchParams
  body: unknown
  state: State
}

/** The stand-in of one service: what it holds to begin with, and an answer for every row. */
export type ServiceSandbox<State = never> = {
  seed(): unknown
  readonly handlers: Readonly<Record<string, Handler<State>>>
  /** Needed where rows share a method and a path; the first of them if not given. */
  pick?(rows: readonly string[], picking: Picking<State>): string | undefined
  /** What becomes of the state as time passes; called before each request. */
  pass?(state: State, now: number): void
  /** Reads with which a demo begins, so that it knows the people it makes up: what is known by `teaches` needs no reading. */
  introduces?(): readonly Introduction[]
}

export type Introduction = { teaches: string; row: string; input: CallInput }

export const defineSandbox = <State, R extends Rows>(sandbox: {
  seed(): State
  /** A row without a handler does not compile. */
  handlers: { readonly [Name in keyof R & string]: Handler<State> }
  pick?(rows: readonly string[], picking: Picking<State>): string | undefined
  pass?(state: State, now: number): void
  introduces?(): readonly Introduction[]
}): ServiceSandbox => sandbox as unknown as ServiceSandbox

/** A service with its stand-in. */
export type StandIn = { service: Service; sandbox: ServiceSandbox }

/** What each service holds, by its name. */
export type SandboxState = Record<string, unknown>

export const seedOf = (standIns: readonly StandIn[]): SandboxState =>
  Object.fromEntries(standIns.map(({ service, sandbox }) => [service.name, sandbox.seed()]))

/** Fixed keys, good for the sandbox and nothing else. */
export const sandboxKeys = ({ name, environment }: Pick<Service, 'name' | 'environment'>) =>
  Object.fromEntries(
    Object.keys(environment.keys).map((field) => [
      field,
      `sandbox-${name}-${field === 'apiKey' ? 'key' : field.replace(/Key$/, '').toLowerCase()}`,
    ]),
  )
