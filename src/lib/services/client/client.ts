import type { z } from 'zod'
import { type Ticks, ticks, wallTime } from '../../clock.ts'
import { canonicalJson } from '../../codecs/canonical-json.ts'
import type { Rows, Service, ServiceName, Tables } from '../endpoints/row.ts'
import { allRows, allServices, type NamedRow, type RowId, rowById } from '../endpoints/tables.ts'
import { isServiceError } from '../errors.ts'
import { connectMcp } from '../mcp/connect.ts'
import { isToolsChanged } from '../mcp/connection.ts'
import type { BreakerState } from './breaker.ts'
import { type CallOptions, createCaller, type Observation, type ServiceLog } from './caller.ts'
import { createConnection } from './connection.ts'
import { credentialsOf } from './credentials.ts'
import { type Fence, FenceError } from './fence.ts'
import type { HttpExchange } from './http-exchange.ts'
import { interpretAnswer, type ServiceAnswer } from './interpret.ts'
import type { CallInput } from './request.ts'
import { type ClientSettings, defaultSettings } from './settings.ts'

/** The address of a service and its keys. */
export type ServiceSettings = { readonly baseUrl: string } & Readonly<Record<string, string>>

export type ServicesConfig = Readonly<Partial<Record<ServiceName, ServiceSettings>>>

export type ServicesDeps = {
  log: ServiceLog
  now?: () => number
  ticks?: Ticks
  observe?: (observation: Observation) => void
  settings?: Partial<ClientSettings>
  /** What a service that is started as a command is given of our environment. */
  inherited?: Readonly<Record<string, string>>
}

type Parts<R> = Extract<keyof R, 'params' | 'query' | 'body'>
type PartInput<S> = S extends z.ZodType ? z.input<S> : never
type IsOptional<T> = undefined extends T ? true : Record<never, never> extends T ? true : false
type Needed<R> = { [K in Parts<R>]: IsOptional<PartInput<R[K]>> extends true ? never : K }[Parts<R>]

export type InputOf<R> = { [K in Needed<R>]: PartInput<R[K]> } & {
  [K in Exclude<Parts<R>, Needed<R>>]?: PartInput<R[K]> | undefined
}

export type DataOf<R> = R extends { answer: z.ZodType } ? z.output<R['answer']> : never

export type EndpointCall<R> = [Needed<R>] extends [never]
  ? (input?: InputOf<R>, options?: CallOptions) => Promise<ServiceAnswer<DataOf<R>>>
  : (input: InputOf<R>, options?: CallOptions) => Promise<ServiceAnswer<DataOf<R>>>

export type Client<S extends { rows: Rows }> = { readonly [K in keyof S['rows']]: EndpointCall<S['rows'][K]> }

export type Reader<S extends { rows: Rows }> = {
  readonly [K in keyof S['rows'] as S['rows'][K]['effect'] extends 'read' ? K : never]: EndpointCall<
    S['rows'][K]
  >
}

export type Readers = { readonly [N in ServiceName]: Reader<Tables[N]> }

type Clients = { readonly [N in ServiceName]: Client<Tables[N]> }

export type FencedServices = Clients & Pick<Services, 'call'>

/** What it cannot do, it throws: then nothing is sent. */
export type BeforeWrite = (named: NamedRow, input: CallInput) => Promise<void>

/** Hears how the service says that a write stands, before anybody has its answer. */
export type AfterWrite = (named: NamedRow, answer: ServiceAnswer) => void

export type AnswerListener = (named: NamedRow, input: CallInput, answer: ServiceAnswer) => void

export type Services = Clients & {
  readonly readers: Readers
  /** For look-ups: whoever asks for what somebody is being answered shares that answer. No change is planned by it. */
  readonly sharedReaders: Readers
  /** The same services, sending only what the fence lets through; `beforeWrite` comes before whatever changes something. */
  under(fence: Fence, beforeWrite?: BeforeWrite, afterWrite?: AfterWrite): FencedServices
  call(id: RowId, input?: CallInput, options?: CallOptions): Promise<ServiceAnswer>
  /** One of these may be called in a moment: what is sent only once has its connection by then. */
  expect(ids: readonly RowId[]): void
  /** Throws where a service of these says itself that nothing of it may be sent now: its tools are not those that somebody looked at. */
  ready(ids: readonly RowId[]): Promise<void>
  /** Why nothing of a service may be called now, as far as it can tell before anything is sent. */
  look(name: string): Promise<HttpExchange | undefined>
  /** Takes out of words what must not be repeated, such as our own keys. */
  redact(words: string): string
  /** Tells about every answer that is not asked for `unheard`, after whoever asked has it. */
  onAnswer(listener: AnswerListener): void
  breakers(): Record<ServiceName, BreakerState>
  /** How long each service still asks us to wait, in milliseconds. */
  pauses(): Record<ServiceName, number>
  /** Gives up what is under way; nothing can be called afterwards. */
  close(): Promise<void>
}

export function createServices(config: ServicesConfig, deps: ServicesDeps): Services {
  const settings = { ...defaultSettings, ...deps.settings }
  const closing = new AbortController()
  const credentials = allServices().map((service) => credentialsOf(service, settingsOf(config, service)))
  const context = {
    settings,
    log: deps.log,
    now: deps.now ?? wallTime,
    ticks: deps.ticks ?? ticks,
    random: Math.random,
    observe: deps.observe ?? (() => undefined),
    redact: createRedact(credentials),
    closing: closing.signal,
  }
  const parts = new Map(
    allServices().map((service, at) => {
      const { baseUrl } = settingsOf(config, service)
      const { headers, secrets } = credentials[at] ?? { headers: {}, secrets: [] }
      const connection =
        service.mcp === undefined
          ? createConnection(baseUrl, headers, settings)
          : connectMcp(service, settingsOf(config, service), {
              settings,
              ticks: context.ticks,
              closing: closing.signal,
              inherited: deps.inherited ?? {},
              secrets,
            })
      return [service.name, { connection, caller: createCaller(connection, context) }] as const
    }),
  )
  const partOf = (name: string) => {
    const part = parts.get(name)
    if (part === undefined) throw new Error(`there is no service ${name}`)
    return part
  }
  /** The same of each service, under its name. */
  const forEach = <T>(make: (name: ServiceName) => T): Record<ServiceName, T> =>
    Object.fromEntries([...parts.keys()].map((name) => [name, make(name as ServiceName)])) as Record<
      ServiceName,
      T
    >
  const listeners: AnswerListener[] = []
  const call = async (named: NamedRow, input: CallInput = {}, options?: CallOptions) => {
    const answer = await partOf(named.service).caller.call(named, input, options)
    if (options?.unheard !== true)
      setImmediate(() => {
        for (const listen of listeners) listen(named, input, answer)
      })
    return answer
  }
  const underWay = new Map<string, Promise<ServiceAnswer>>()
  const callShared = (named: NamedRow, input: CallInput = {}, options?: CallOptions) => {
    if (options?.signal !== undefined || options?.deadlineMs !== undefined) return call(named, input, options)
    const key = `${named.id} ${canonicalJson(input)}`
    const shared = underWay.get(key) ?? call(named, input, options).finally(() => underWay.delete(key))
    underWay.set(key, shared)
    return shared
  }
  const readersBy = (send: typeof call): Readers => {
    const of = (service: ServiceName) =>
      Object.fromEntries(
        allRows()
          .filter((named) => named.service === service && named.row.effect === 'read')
          .map((named) => [
            named.name,
            (input?: CallInput, options?: CallOptions) => send(named, input, options),
          ]),
      )
    return forEach(of) as unknown as Readers
  }
  const clients = (fence?: Fence, beforeWrite?: BeforeWrite, afterWrite?: AfterWrite): FencedServices => {
    const send = async (named: NamedRow, input: CallInput = {}, options?: CallOptions) => {
      if (named.row.effect !== 'read') {
        await beforeWrite?.(named, input).catch((cause: unknown) => {
          throw isServiceError(cause) ? cause : new FenceError(cause)
        })
      }
      const answer = await call(named, input, { ...options, fence })
      if (named.row.effect !== 'read') afterWrite?.(named, answer)
      return answer
    }
    const clientOf = (service: ServiceName) =>
      Object.fromEntries(
        allRows()
          .filter((named) => named.service === service)
          .map((named) => [
            named.name,
            (input?: CallInput, options?: CallOptions) => send(named, input, options),
          ]),
      )
    return {
      ...(forEach(clientOf) as unknown as Clients),
      call: (id, input, options) => send(rowById(id), input, options),
    }
  }

  return {
    ...clients(),
    under: clients,
    expect: (ids) => {
      const once = ids.map(rowById).filter(({ row }) => row.effect === 'once')
      for (const service of new Set(once.map(({ service }) => service))) partOf(service).connection.expect()
    },
    async ready(ids) {
      const rows = new Map(ids.map(rowById).map((named) => [named.service, named]))
      await Promise.all(
        [...rows.values()].map(async (named) => {
          const exchange = await partOf(named.service).connection.look?.()
          // That a service cannot be reached is told by what is asked of it, which tries more than once.
          if (exchange === undefined || !isToolsChanged(exchange)) return
          throw interpretAnswer(named, exchange, { now: context.now(), redact: context.redact })
        }),
      )
    },
    look: async (name) => partOf(name).connection.look?.(),
    redact: context.redact,
    readers: readersBy(call),
    sharedReaders: readersBy(callShared),
    onAnswer: (listener) => {
      listeners.push(listener)
    },
    breakers: () => forEach((name) => partOf(name).caller.breakerState()),
    pauses: () => forEach((name) => partOf(name).caller.pausedForMs()),
    async close() {
      closing.abort(new Error('shutting down'))
      await Promise.all([...parts.values()].map(({ connection }) => connection.close()))
    },
  }
}

const settingsOf = (config: ServicesConfig, { name }: Service): ServiceSettings => {
  const settings = config[name as ServiceName]
  if (settings === undefined) throw new Error(`nobody said where the service ${name} is`)
  return settings
}

/** A service may quote the key it refuses. */
function createRedact(credentials: readonly { secrets: readonly string[] }[]) {
  return (words: string) =>
    credentials
      .flatMap(({ secrets }) => secrets)
      .filter((secret) => secret.length >= 4)
      .reduce((text, secret) => text.replaceAll(secret, '[key]'), words)
}
