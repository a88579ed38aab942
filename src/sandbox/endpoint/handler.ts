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
  body: Record<string, unknown>
}

export type Handler<State> = (call: HandlerCall<State>) => HandlerResult

/** A handler for each row of a table: a row without one does not compile. */
export type Handlers<State, Row extends string> = { readonly [Name in Row]: Handler<State> }
