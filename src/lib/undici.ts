import { createRequire } from 'node:module'
import type * as undici from 'undici'

const load = createRequire(import.meta.url)

/**
 * The parts of undici that send requests, each from its own file: the index of the package brings fetch, WebSockets, caches
 * and mocks along, eighty files that a start would load for nothing.
 */
const part = <T>(file: string): T => load(`undici/lib/${file}.js`)

export const HttpAgent = part<typeof undici.Agent>('dispatcher/agent')
export const HttpClient = part<typeof undici.Client>('dispatcher/client')
export const HttpPool = part<typeof undici.Pool>('dispatcher/pool')
export const buildConnector = part<typeof undici.buildConnector>('core/connect')
const requestBy = part<undici.Dispatcher['request']>('api/api-request')
const { getGlobalDispatcher } = part<Pick<typeof undici, 'getGlobalDispatcher'>>('global')

type RequestOptions = Omit<undici.Dispatcher.RequestOptions, 'origin' | 'path'> & {
  dispatcher?: undici.Dispatcher
}

/** One request, on kept connections. */
export const request = (
  url: string,
  { dispatcher = getGlobalDispatcher(), ...options }: RequestOptions,
): Promise<undici.Dispatcher.ResponseData<unknown>> => {
  const { origin, pathname, search } = new URL(url)
  return requestBy.call(dispatcher, { ...options, origin, path: `${pathname}${search}` })
}

/** As `Headers` has them, which would load the copy of undici that Node has. */
export const plainHeaders = (
  given: Readonly<Record<string, string | string[] | undefined>>,
): Pick<Headers, 'get' | 'has' | 'entries'> => {
  const all = new Map(Object.entries(given).map(([name, value = '']) => [name, [value].flat().join(', ')]))
  return {
    get: (name) => all.get(name.toLowerCase()) ?? null,
    has: (name) => all.has(name.toLowerCase()),
    entries: () => all.entries(),
  }
}
