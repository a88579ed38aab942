/** One authenticated, routed request, as a handler sees it. */
export interface HandlerCall<State> {
  state: State
  /** The decoded values of the route's path parameters, in order. */
  params: readonly string[]
  query: URLSearchParams
  body: unknown
  now: number
}

export interface HandlerResult {
  status?: number
  body: unknown
}

export type Handler<State> = (call: HandlerCall<State>) => HandlerResult
